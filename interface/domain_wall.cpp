#include "interface/domain_wall.h"

#include "dirac/dirac_domain_wall.h"

#include <algorithm>

namespace quda
{

namespace
{

  using P = QudaInvertParam;
  using Number = std::complex<double>;

  Number number(const double _Complex &z)
  {
    const auto *const parts = reinterpret_cast<const double *>(&z);
    return {parts[0], parts[1]};
  }

  std::vector<Number> numbers(const double _Complex *of, int count)
  {
    std::vector<Number> all;
    for (int s = 0; s < count; s++) all.push_back(number(of[s]));
    return all;
  }

  OneFlavourTerm term_of(Checks &checks, const QudaInvertParam &param, const MoebiusFermions &of)
  {
    check(checks, param, &P::eofa_shift, &P::eofa_pm, &P::mq1, &P::mq2, &P::mq3);
    const auto one_real = [&](const char *name, const std::vector<Number> &of_layers) {
      for (std::size_t s = 0; s < of_layers.size(); s++)
        if (of_layers[s] != of_layers[0] || of_layers[s].imag() != 0)
          fail(ErrorKind::unsupported,
               text("%s: QudaInvertParam.%s[%zu] = %g%+gi with dslash_type = QUDA_MOBIUS_DWF_EOFA_DSLASH; allowed: one "
                    "real number for all layers",
                    checks.function, name, s, of_layers[s].real(), of_layers[s].imag()));
    };
    one_real("b_5", of.b);
    one_real("c_5", of.c);
    if (of.b[0].real() + of.c[0].real() <= 0)
      fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.b_5[0] = %g with c_5[0] = %g; allowed: b_5 + c_5 above 0",
                                         checks.function, of.b[0].real(), of.c[0].real()));
    return {param.eofa_pm != 0, param.eofa_shift, param.mq1, param.mq2, param.mq3};
  }

} // namespace

bool domain_wall(QudaDslashType type)
{
  return type == QUDA_DOMAIN_WALL_DSLASH || type == QUDA_DOMAIN_WALL_4D_DSLASH || type == QUDA_MOBIUS_DWF_DSLASH ||
         type == QUDA_MOBIUS_DWF_EOFA_DSLASH;
}

void check_domain_wall_mass(Checks &checks, const QudaInvertParam &param)
{
  check(checks, param, &P::mass, &P::m5);
  if (param.m5 == -5) refuse(checks.function, "QudaInvertParam.m5", "-5", "a number other than -5");
}

DiracParam domain_wall_of(Checks &checks, const QudaInvertParam &param)
{
  const char *function = checks.function;
  check_domain_wall_mass(checks, param);
  check(checks, param, &P::Ls);
  if (param.dslash_type == QUDA_DOMAIN_WALL_DSLASH) {
    if (param.Ls % 2)
      fail(
          ErrorKind::bad_argument,
          text("%s: QudaInvertParam.Ls = %d with dslash_type = QUDA_DOMAIN_WALL_DSLASH; allowed: an even number, which "
               "a checkerboard of five dimensions needs",
               function, param.Ls));
    return DomainWallFermions {param.mass, param.m5, param.Ls};
  }
  const auto Ls = static_cast<std::size_t>(param.Ls);
  MoebiusFermions of {param.mass, param.m5, std::vector<Number>(Ls, 1.0), std::vector<Number>(Ls, 0.0)};
  if (param.dslash_type != QUDA_DOMAIN_WALL_4D_DSLASH) {
    check(checks, param, first(param.Ls, &P::b_5), first(param.Ls, &P::c_5));
    of.b = numbers(param.b_5, param.Ls);
    of.c = numbers(param.c_5, param.Ls);
    for (std::size_t s = 0; s < Ls; s++)
      if (of.b[s] * (4 + param.m5) + 1.0 == 0.0)
        fail(ErrorKind::bad_argument,
             text("%s: QudaInvertParam.b_5[%zu] = %g%+gi with m5 = %g; allowed: b_5[s] (4 + m5) not -1", function, s,
                  of.b[s].real(), of.b[s].imag(), param.m5));
  }
  if (param.dslash_type == QUDA_MOBIUS_DWF_EOFA_DSLASH) of.term = term_of(checks, param, of);
  try {
    const MoebiusMatrices matrices(of);
  } catch (const Error &) {
    fail(
        ErrorKind::bad_argument,
        text(
            "%s: QudaInvertParam.mass = %g with m5 = %g, Ls = %d and these b_5, c_5: the matrix of the fifth dimension "
            "has no inverse; allowed: others",
            function, param.mass, param.m5, param.Ls));
  }
  return of;
}

double kappa_of(const QudaInvertParam &param)
{
  return domain_wall(param.dslash_type) ? 0.5 / (5 + param.m5) : param.kappa;
}

std::string domain_wall_text(const QudaInvertParam &param)
{
  std::string all = text(", mass = %.17g, m5 = %.17g, Ls = %d", param.mass, param.m5, param.Ls);
  if (param.dslash_type == QUDA_DOMAIN_WALL_DSLASH || param.dslash_type == QUDA_DOMAIN_WALL_4D_DSLASH) return all;
  for (int s = 0; s < param.Ls; s++) {
    const Number b = number(param.b_5[s]), c = number(param.c_5[s]);
    all += text(", b_5 = %.17g%+.17gi, c_5 = %.17g%+.17gi", b.real(), b.imag(), c.real(), c.imag());
  }
  if (param.dslash_type == QUDA_MOBIUS_DWF_EOFA_DSLASH)
    all += text(", eofa_pm = %d, eofa_shift = %.17g, mq1 = %.17g, mq2 = %.17g, mq3 = %.17g", param.eofa_pm != 0,
                param.eofa_shift, param.mq1, param.mq2, param.mq3);
  return all;
}

} // namespace quda
