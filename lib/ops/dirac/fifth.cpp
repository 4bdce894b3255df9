#include "ops/dirac/fifth.h"

#include <algorithm>
#include <cmath>

#include "kernels/dirac/fifth_call.h"
#include "ops/dirac/hop.h"
#include "ops/dirac/site_term.h"

namespace quda
{

QUDA_KERNELS(FifthCall, fifth)
QUDA_KERNELS(FifthHopCall, fifth_hop)

FifthMatrix::FifthMatrix(Numbers a, const Numbers &b, double mass)
{
  const std::size_t Ls = a.size();
  if (Ls < 1 || Ls > most_fifth || b.size() != Ls)
    fail(ErrorKind::bad_argument,
         text("FifthMatrix: %zu and %zu numbers, must be as many, 1 to %d", Ls, b.size(), most_fifth));
  for (Sweep &sweep : of_) sweep = {a, b, Numbers(Ls, 0.0), Numbers(Ls, 0.0)};
  for (int chirality = 0; chirality < 2; chirality++)
    for (std::size_t s = 0; s < Ls; s++)
      if (before(chirality, static_cast<int>(s)) < 0) {
        of_[chirality].last[s] = -mass * b[s];
        of_[chirality].before[s] = 0.0;
      }
}

int FifthMatrix::before(int chirality, int s) const
{
  const int before = chirality == 0 ? s - 1 : s + 1;
  return before < layers() ? before : -1;
}

bool FifthMatrix::any(Numbers Sweep::*which) const
{
  const auto some = [&](const Sweep &sweep) {
    return std::any_of((sweep.*which).begin(), (sweep.*which).end(), [](Number z) { return z != 0.0; });
  };
  return some(of_[0]) || some(of_[1]);
}

bool FifthMatrix::recursive() const { return any(&Sweep::recursion); }
bool FifthMatrix::walled() const { return any(&Sweep::last); }

bool FifthMatrix::is_complex() const
{
  for (const Sweep &sweep : of_)
    for (const Numbers *numbers : {&sweep.own, &sweep.before, &sweep.last, &sweep.recursion})
      for (const Number &z : *numbers)
        if (z.imag() != 0) return true;
  return false;
}

long long FifthMatrix::flops() const
{
  const long long real = 24 + 48 * (1 + walled() + recursive());
  return is_complex() ? 4 * real - 48 : real;
}

FifthMatrix FifthMatrix::with_column(Chirality chirality, const Numbers &u) const
{
  if (adjoint_ || recursive() || u.size() != of_[0].own.size())
    fail(ErrorKind::internal, "FifthMatrix::with_column: of an adjoint or an inverse, or of other layers");
  FifthMatrix result = *this;
  result.table_[0] = result.table_[1] = nullptr;
  for (std::size_t s = 0; s < u.size(); s++) result.of_[static_cast<int>(chirality)].last[s] += u[s];
  return result;
}

FifthMatrix FifthMatrix::adjoint() const
{
  FifthMatrix result = *this;
  result.table_[0] = result.table_[1] = nullptr;
  result.adjoint_ = !adjoint_;
  return result;
}

// With L = own + before S and the column w = last: (L + w last^T)^-1 = (1 - h last^T / (1 + h_last)) L^-1, h = L^-1 w,
// and L^-1 = own^-1 (1 - q S)^-1 with q_s = -before_s / own_before.
FifthMatrix FifthMatrix::inverse() const
{
  if (recursive()) fail(ErrorKind::internal, "FifthMatrix::inverse: of an inverse");
  FifthMatrix result;
  result.adjoint_ = adjoint_;
  for (int chirality = 0; chirality < 2; chirality++) {
    const Sweep &of = of_[chirality];
    const std::size_t Ls = of.own.size();
    Sweep &to = result.of_[chirality] = {Numbers(Ls), Numbers(Ls, 0.0), Numbers(Ls), Numbers(Ls, 0.0)};
    Numbers h(Ls);
    const auto each = [&](const auto &step) { // in the order of the sweep
      for (int k = 0; k < layers(); k++) {
        const int s = chirality == 0 ? k : layers() - 1 - k;
        step(static_cast<std::size_t>(s), before(chirality, s));
      }
    };
    each([&](std::size_t s, int before) {
      to.own[s] = 1.0 / of.own[s];
      h[s] = of.last[s] / of.own[s];
      if (before < 0) return;
      const auto b = static_cast<std::size_t>(before);
      to.recursion[s] = -of.before[s] / of.own[b];
      h[s] -= of.before[s] * h[b] / of.own[s];
    });
    const auto last = static_cast<std::size_t>(end(chirality));
    const Number norm = (1.0 + h[last]) * of.own[last];
    for (std::size_t s = 0; s < Ls; s++) to.last[s] = -h[s] / norm;
    for (const Numbers *numbers : {&to.own, &to.last, &to.recursion})
      for (const Number &z : *numbers)
        if (!std::isfinite(z.real()) || !std::isfinite(z.imag()))
          fail(ErrorKind::bad_argument,
               text("FifthMatrix::inverse: 1 + h = %g%+gi: there is no inverse", 1 + h[last].real(), h[last].imag()));
  }
  return result;
}

FifthMatrix FifthMatrix::after(const FifthMatrix &inverse) const
{
  if (adjoint_ || inverse.adjoint_ || recursive() || inverse.any(&Sweep::before) || layers() != inverse.layers())
    fail(ErrorKind::internal, "FifthMatrix::after: not a matrix and an inverse of as many layers");
  FifthMatrix result = *this;
  result.table_[0] = result.table_[1] = nullptr;
  for (int chirality = 0; chirality < 2; chirality++) {
    const Sweep &of = of_[chirality], &R = inverse.of_[chirality];
    Sweep &to = result.of_[chirality];
    to.recursion = R.recursion;
    const auto last = static_cast<std::size_t>(end(chirality));
    for (int s = 0; s < layers(); s++) {
      const auto i = static_cast<std::size_t>(s);
      to.own[i] = of.own[i] * R.own[i];
      to.last[i] = of.own[i] * R.last[i] + of.last[i] * (R.own[last] + R.last[last]);
      if (before(chirality, s) < 0) continue;
      const auto b = static_cast<std::size_t>(before(chirality, s));
      to.before[i] = of.before[i] * R.own[b];
      to.last[i] += of.before[i] * R.last[b];
    }
  }
  return result;
}

namespace
{

  template <class real>
  std::shared_ptr<const DeviceBuffer> made(const std::vector<FifthMatrix::Number> &numbers, bool complex)
  {
    std::vector<real> table;
    for (const FifthMatrix::Number &z : numbers) {
      table.push_back(static_cast<real>(z.real()));
      if (complex) table.push_back(static_cast<real>(z.imag()));
    }
    return std::make_shared<const DeviceBuffer>(table.data(), table.size() * sizeof(real));
  }

} // namespace

FifthTable FifthMatrix::table(bool single) const
{
  auto &table = table_[single];
  const auto call = [&]() -> FifthTable {
    return {table->device(), {!adjoint_, adjoint_}, recursive(), walled(), adjoint_};
  };
  if (table) return call();
  std::vector<Number> numbers;
  for (int chirality = 0; chirality < 2; chirality++) {
    const Sweep &of = of_[chirality];
    for (int s = 0; s < layers(); s++) {
      const auto i = static_cast<std::size_t>(s);
      Number all[fifth_coefficients] = {of.own[i], of.before[i], of.last[i], of.recursion[i]};
      if (adjoint_) { // the sweep runs backwards
        const int next = before(1 - chirality, s);
        const auto n = static_cast<std::size_t>(std::max(next, 0));
        all[fifth_before] = next < 0 ? 0.0 : of.before[n];
        all[fifth_recursion] = next < 0 ? 0.0 : of.recursion[n];
        for (Number &z : all) z = std::conj(z);
      }
      numbers.insert(numbers.end(), all, all + fifth_coefficients);
    }
  }
  table = single ? made<float>(numbers, is_complex()) : made<double>(numbers, is_complex());
  return call();
}

namespace
{

  /// Whether the fields are on opposite parities and agree otherwise.
  bool on_other_parity(const ColorSpinorField &out, const ColorSpinorField &in)
  {
    ColorSpinorParam from = in.param();
    from.parity = out.parity();
    return in.subset() == SiteSubset::parity && in.parity() != out.parity() && same_shape(out.param(), from) &&
           in.native() && out.native() && in.spins() == 4 && in.colors() == 3 && in.precision() == out.precision();
  }

} // namespace

void apply_fifth(ColorSpinorField &out, const ColorSpinorField &in, const FifthMatrix &matrix)
{
  const char *function = "apply_fifth";
  const int Ls = in.fifth();
  if (Ls != matrix.layers())
    fail(ErrorKind::bad_argument, text("%s: a matrix of %d layers on a field of %d", function, matrix.layers(), Ls));
  if (!on_other_parity(out, in)) check_native_spinors(function, out, in);
  const FifthCall call {out.view(), in.view(), in.parities(), matrix.table(bytes_of(in.precision()) < 8)};
  const bool complex = matrix.is_complex();
  const FifthTable &table = call.matrix;
  launch_site_term(out, in,
                   {"Fifth", Ls, matrix.flops(),
                    key_text(complex ? ",complex" : "", table.recursion ? ",recursion" : "", table.wall ? ",wall" : "",
                             table.adjoint ? ",adjoint" : "")},
                   fifth_kernels().find(function, bytes_of(in.precision()), complex), call);
}

ColorSpinorField layers_as_columns(const ColorSpinorField &field)
{
  if (!field.native() || !field.whole() || field.flavours() != 1)
    fail(ErrorKind::internal, "layers_as_columns: a native field of one flavour, and not columns of another, please");
  ColorSpinorParam param = field.param();
  param.rhs *= param.fifth;
  param.fifth = 1;
  param.create = Create::reference;
  param.data = field.data();
  return ColorSpinorField(param);
}

bool has_fifth_hop(const GaugeField &links, const FifthMatrix &matrix)
{
  return !matrix.is_complex() &&
         fifth_hop_kernels().has(bytes_of(links.precision()), static_cast<int>(links.reconstruct()));
}

void fifth_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const FifthMatrix &matrix,
               bool dagger, const Epilogue &end, Sums *sums)
{
  const HopKind kind = {"fifth_hop", "FifthHop", 1320 + matrix.flops(), 48, 0};
  if (out.fifth() != matrix.layers() || out.flavours() != 1)
    fail(ErrorKind::internal, text("%s: a matrix of %d layers on a field of %d, %d flavours", kind.function,
                                   matrix.layers(), out.fifth(), out.flavours()));
  FifthHopCall call {};
  call.matrix = matrix.table(bytes_of(out.precision()) < 8);
  const Kernels<FifthHopCall> kernels = fifth_hop_kernels();
  run_hop(kind, kernels, &kernels, call, {out, in, links, dagger, end, sums});
}

} // namespace quda
