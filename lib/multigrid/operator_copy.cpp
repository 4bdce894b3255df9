#include "multigrid/operator_copy.h"

#include <variant>

#include "ops/blas/blas.h"
#include "ops/dirac/clover.h"
#include "ops/random/spinors.h"

namespace quda
{

namespace
{

  const CloverSet *clover_of(const DiracParam &dirac)
  {
    return std::visit(
        [](const auto &of) -> const CloverSet * {
          if constexpr (requires { of.clover; })
            return of.clover;
          else
            return nullptr;
        },
        dirac);
  }

  std::unique_ptr<GaugeField> copy_of(const LinkSet &set, const std::shared_ptr<const Lattice> &lattice,
                                      Precision precision)
  {
    GaugeFieldParam param = set.precise().param();
    param.lattice = lattice;
    param.precision = precision;
    param.reconstruct = Reconstruct::none;
    for (int d = 0; d < 4; d++) param.R[d] = 0;
    param.create = Create::allocate;
    auto field = std::make_unique<GaugeField>(param);
    *field = set.precise();
    return field;
  }

  std::unique_ptr<CloverField> copy_of(const CloverSet &set, const std::shared_ptr<const Lattice> &lattice,
                                       Precision precision)
  {
    CloverParam param = set.precise().param();
    param.lattice = lattice;
    param.precision = precision;
    param.create = Create::allocate;
    auto field = std::make_unique<CloverField>(param);
    *field = set.precise();
    return field;
  }

  /// The factor between C of two terms 1 + C, if there is one: found from their action on a random field.
  std::optional<double> multiple(const CloverField &to, const CloverField &from)
  {
    ColorSpinorParam param;
    param.lattice = from.shared_lattice();
    param.precision = from.precision();
    ColorSpinorField v(param), before(param), after(param);
    gaussian_spinors(v, 1);
    apply_clover(before, v, from);
    blas::axpy(-1.0, v, before);
    apply_clover(after, v, to);
    blas::axpy(-1.0, v, after);
    const double norm2 = blas::norm2(before), of_after = blas::norm2(after);
    if (norm2 == 0) return of_after == 0 ? std::optional(1.0) : std::nullopt;
    const double times = blas::redot(before, after) / norm2;
    blas::axpy(-times, before, after);
    const double rounding = param.precision == Precision::double_ ? 1e-12 : 1e-5;
    if (!(blas::norm2(after) <= rounding * rounding * of_after)) return {};
    return times;
  }

} // namespace

std::optional<double> OperatorCopy::take(const DiracParam &dirac, const LinkSet &links,
                                         const std::shared_ptr<const Lattice> &lattice, Precision precision)
{
  std::optional<double> times = 1;
  const std::uint64_t tag = links.precise().tag();
  if (!links_.loaded() || tag != of_links_) {
    links_.load(copy_of(links, lattice, precision));
    of_links_ = tag;
    times.reset();
  }
  dirac_ = dirac;
  long_links_.clear();
  if (auto *const own = std::get_if<StaggeredFermions>(&dirac_); own && own->long_links) {
    long_links_.load(copy_of(*own->long_links, lattice, precision));
    own->long_links = &long_links_;
  }
  const CloverSet *const clover = clover_of(dirac);
  if (!clover) return times;
  clover_.shift = clover->shift;
  const std::uint64_t of_clover = clover->precise().tag();
  if (!clover_.loaded() || of_clover != of_clover_) {
    auto field = copy_of(*clover, lattice, precision);
    if (times) times = clover_.loaded() ? multiple(*field, clover_.precise()) : std::nullopt;
    clover_.load(std::move(field), nullptr);
    of_clover_ = of_clover;
  }
  std::visit(
      [&](auto &of) {
        if constexpr (requires { of.clover; }) of.clover = &clover_;
      },
      dirac_);
  return times;
}

} // namespace quda
