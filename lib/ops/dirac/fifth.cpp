#include "ops/dirac/fifth.h"

#include <cmath>

#include "kernels/dirac/fifth_call.h"
#include "ops/dirac/site_term.h"

namespace quda
{

QUDA_KERNELS(FifthCall, fifth)

FifthMatrix FifthMatrix::inverse(int Ls) const
{
  // 1 / (c_0 (1 - q T)) = sum_d (q T)^d / (c_0 (1 - (q T)^Ls)), T^Ls = -mass
  const double c0 = c.empty() ? 0 : c[0], q = c.size() < 2 ? 0 : -c[1] / c0;
  const double norm = c0 * (1 + mass * std::pow(q, Ls));
  if (c.size() > 2 || norm == 0 || !std::isfinite(norm))
    fail(ErrorKind::bad_argument,
         text("FifthMatrix::inverse: %zu coefficients, c_0 (1 + mass q^Ls) = %g: there is no inverse of this form",
              c.size(), norm));
  FifthMatrix result {{}, mass, dagger};
  for (int d = 0; d < Ls; d++) result.c.push_back(std::pow(q, d) / norm);
  return result;
}

void apply_fifth(ColorSpinorField &out, const ColorSpinorField &in, const FifthMatrix &matrix)
{
  const char *function = "apply_fifth";
  const int Ls = in.fifth(), terms = static_cast<int>(matrix.c.size());
  if (Ls > most_fifth || terms < 1 || terms > Ls)
    fail(ErrorKind::bad_argument,
         text("%s: %d terms on %d slices, must be 1 <= terms <= slices <= %d", function, terms, Ls, most_fifth));
  FifthCall call {out.view(), in.view(), in.parities(), terms, matrix.dagger, {}, {}};
  for (int d = 0; d < terms; d++) {
    call.c[d] = matrix.c[d];
    call.wall[d] = -matrix.mass * matrix.c[d];
  }
  apply_site_term(function, out, in, {"Fifth", Ls, 48LL * terms - 24, key_text(",terms=", terms)},
                  fifth_kernels().find(function, bytes_of(in.precision())), call);
}

} // namespace quda
