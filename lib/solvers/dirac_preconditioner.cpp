#include "solvers/dirac_preconditioner.h"

#include <array>

namespace quda
{

namespace
{

  /// 1 and -1 on the domains of the two colours of a chess-board.
  SiteFactor chess_board(const Lattice &lattice, const Domains &domains)
  {
    std::array<int, 4> extent;
    for (int d = 0; d < 4; d++) extent[d] = domains.extent(lattice, d);
    return SiteFactor([extent](int d, long long x) { return x / extent[d] % 2 ? -1.0 : 1.0; });
  }

} // namespace

DiracPreconditioner::DiracPreconditioner(const Dirac &dirac, const DiracSystemForm &form, System system,
                                         const DiracPreconditionerForm &how, LinkStorage storage,
                                         const ColorSpinorField &b)
{
  if (how.schwarz) domains_ = std::make_unique<Dirichlet>(dirac, how.schwarz->domains, storage, form);
  const bool repeated = how.cycles > 1 || how.schwarz;
  if (repeated || !how.schwarz) {
    whole_ = std::make_unique<DiracSystem>(dirac.clone(storage), form);
    whole_system_ = seen_by_method(system, *whole_);
  }
  const LinearOperator *const whole = whole_system_ ? whole_system_.get() : whole_.get(), *inside = whole;
  if (domains_) {
    inside_system_ = seen_by_method(system, domains_->system());
    inside = inside_system_ ? inside_system_.get() : &domains_->system();
  }
  const MethodRow &method = row_of(how.method);
  MethodOptions options = how.options;
  estimate_spectrum(options, method, method.system, *whole, b); // from all sites: the same on all ranks
  inner_ = std::make_unique<InnerIteration>(
      *inside, [&method, options](const LinearOperator &A) { return method.make(A, options); }, method.system,
      how.steps);
  top_ = inner_.get();
  if (!repeated) return;
  const auto in_domains = [this](const ColorSpinorField &field) { return domains_->here(field); };
  const auto as_it_is = [](const ColorSpinorField &field) { return field.columns(0, field.rhs()); };
  std::optional<SiteFactor> colours;
  if (how.schwarz && how.schwarz->multiplicative)
    colours.emplace(chess_board(*dirac.shape(-1, 1).lattice, how.schwarz->domains));
  schwarz_ = std::make_unique<Schwarz>(*whole, *inner_, domains_ ? Schwarz::Inside(in_domains) : as_it_is,
                                       std::move(colours), how.cycles);
  top_ = schwarz_.get();
}

} // namespace quda
