#include "interface/eigen_options.h"

#include "core/built.h"
#include "core/log.h"
#include "interface/params/param_table.h"
#include "interface/quark_job.h"
#include "ops/blas/vector_set.h"

namespace quda
{

void check_eigen_search(Checks &checks, const QudaEigParam &param)
{
  using P = QudaEigParam;
  const char *function = checks.function;
  check(checks, param, &P::eig_type, &P::use_poly_acc, &P::require_convergence, &P::spectrum, &P::n_ev, &P::n_kr,
        &P::n_conv, &P::tol, &P::max_restarts);
  check_if_set(checks, param, &P::block_size);
  if (param.use_poly_acc) check(checks, param, &P::poly_deg, &P::a_min, &P::a_max);
  if (param.arpack_check)
    refuse(function, "QudaEigParam.arpack_check", value_text(param.arpack_check), "QUDA_BOOLEAN_FALSE",
           ErrorKind::unsupported);
}

void check_no_eigen_files(Checks &checks, const QudaEigParam &param)
{
  const auto no_file = [&](const char *member, const char *name) {
    checks.same(member, name[0] != 0);
    if (name[0])
      refuse(checks.function, std::string("QudaEigParam.") + member, "\"" + std::string(name) + "\"", "an empty name",
             ErrorKind::unsupported);
  };
  no_file("vec_infile", param.vec_infile);
  no_file("vec_outfile", param.vec_outfile);
}

const EigenMethodRow &eigen_method_of(const char *function, const QudaEigParam &param)
{
  const EigenMethodRow *row = find_eigen_method(param.eig_type);
  if (row) return *row;
  std::string all;
  for (const EigenMethodRow &one : eigen_methods())
    all += (all.empty() ? "" : ", ") + value_text(static_cast<QudaEigType>(one.method));
  refuse(function, "QudaEigParam.eig_type", value_text(param.eig_type), all, ErrorKind::unsupported);
}

const EigenMethodRow &check_low_modes(Checks &checks, const QudaEigParam &param, const char *owner)
{
  using P = QudaEigParam;
  const char *function = checks.function;
  check_eigen_search(checks, param);
  check_no_eigen_files(checks, param);
  check(checks, param, &P::n_ev_deflate, &P::use_smeared_gauge);
  if (param.spectrum != QUDA_SPECTRUM_SR_EIG && param.spectrum != QUDA_SPECTRUM_SM_EIG)
    refuse(function, "QudaEigParam.spectrum", value_text(param.spectrum),
           text("QUDA_SPECTRUM_SR_EIG, QUDA_SPECTRUM_SM_EIG in %s, which takes low modes from a solve", owner));
  if (param.use_smeared_gauge)
    refuse(function, "QudaEigParam.use_smeared_gauge", "true", text("false in %s, on the links of the solve", owner));
  if (param.n_ev_deflate != -1 && (param.n_ev_deflate < 1 || param.n_ev_deflate > param.n_conv))
    refuse(function, "QudaEigParam.n_ev_deflate", text("%d", param.n_ev_deflate),
           text("1 to n_conv = %d, -1", param.n_conv));
  const EigenMethodRow &row = eigen_method_of(function, param);
  if (row.slices)
    refuse(function, "QudaEigParam.eig_type", value_text(param.eig_type),
           text("another method in %s, of the whole lattice", owner));
  return row;
}

int used_low_modes(const QudaEigParam &param) { return param.n_ev_deflate < 0 ? param.n_conv : param.n_ev_deflate; }

int eigen_block(Checks &checks, const QudaEigParam &param, const EigenMethodRow &row)
{
  if (!row.blocks) return 1;
  check(checks, param, &QudaEigParam::block_size);
  return param.block_size;
}

EigenOptions eigen_options(const char *function, const QudaEigParam &param, const EigenMethodRow &row, int block,
                           long long numbers)
{
  if (param.n_conv > param.n_ev)
    refuse(function, "QudaEigParam.n_conv", text("%d", param.n_conv), text("1 to n_ev = %d", param.n_ev));
  const long long most = numbers - block;
  if (param.n_kr < param.n_ev + block || param.n_kr > most || param.n_kr % block != 0)
    refuse(function, "QudaEigParam.n_kr", text("%d", param.n_kr),
           text("%d to %lld%s with n_ev = %d", param.n_ev + block, most,
                block > 1 ? text(", a multiple of block_size = %d,", block).c_str() : "", param.n_ev));
  const int rotated = blas::VectorSet::most_rotated();
  if (param.n_kr > rotated)
    refuse(function, "QudaEigParam.n_kr", text("%d", param.n_kr), text("up to %d", rotated), ErrorKind::unsupported);
  if (param.use_poly_acc && param.poly_deg < 1)
    refuse(function, "QudaEigParam.poly_deg", text("%d", param.poly_deg),
           "1 or more with use_poly_acc = QUDA_BOOLEAN_TRUE");
  if (param.use_poly_acc && param.a_max > 0 && param.a_min >= param.a_max)
    refuse(function, "QudaEigParam.a_min", text("%g", param.a_min), text("a number below a_max = %g", param.a_max));
  return {.method = row.method,
          .wanted = static_cast<Wanted>(param.spectrum),
          .pairs = param.n_conv,
          .search = param.n_ev,
          .space = param.n_kr,
          .block = block,
          .tol = param.tol,
          .restarts = param.max_restarts,
          .degree = param.use_poly_acc ? param.poly_deg : 0,
          .least = param.a_min,
          .most = param.a_max};
}

LinkStorage eigen_storage(Session &session, const QudaInvertParam &invert, const LinkStorage &own, bool other_links)
{
  using P = QudaInvertParam;
  LinkStorage space = own;
  if (is_unset(invert, &P::cuda_prec_eigensolver)) return space;
  const Precision wish = static_cast<Precision>(invert.cuda_prec_eigensolver);
  if (bytes_of(wish) >= bytes_of(own.precision)) return space;
  space.precision = bytes_of(wish) < bytes_of(Precision::single) ? next_better(Precision::half) : at_least(wish);
  if (space.precision != own.precision && !other_links)
    space.reconstruct =
        iteration_storage(session, invert, LinkCopy::eigensolver, &P::cuda_prec_eigensolver).reconstruct;
  return space;
}

void check_eigen_end(const char *function, const EigenReport &report, const QudaEigParam &param)
{
  if (report.converged) return;
  const std::string what =
      text("%s: QudaEigParam.max_restarts = %d with tol = %g, n_kr = %d: %d of %d pairs have converged, residuals are "
           "up to %g",
           function, param.max_restarts, param.tol, param.n_kr, report.good, param.n_conv, report.worst);
  if (!param.require_convergence) return warn("%s", what.c_str());
  throw FoundTogether(ErrorKind::bad_argument, what + "; allowed: more restarts, a larger space or tol, or "
                                                      "require_convergence = QUDA_BOOLEAN_FALSE");
}

} // namespace quda
