#include "interface/milc_operator.h"

#include "core/built.h"
#include "core/environment.h"
#include "interface/digest.h"
#include "interface/jobs.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

#include <algorithm>
#include <utility>

namespace quda
{

namespace
{

  constexpr double reliable_delta = 0.1;

  /// 18, 13 or 9, by a variable of the environment.
  QudaReconstructType env_reconstruct(const char *name, Checks &checks, QudaReconstructType otherwise)
  {
    const long reals = env_int(name, QUDA_RECONSTRUCT_9, QUDA_RECONSTRUCT_NO).value_or(otherwise);
    if (reals != QUDA_RECONSTRUCT_NO && reals != QUDA_RECONSTRUCT_13 && reals != QUDA_RECONSTRUCT_9)
      fail(ErrorKind::bad_argument, text("%s: %s = %ld; allowed: 18, 13, 9", checks.function, name, reals));
    checks.same(name, static_cast<int>(reals));
    return static_cast<QudaReconstructType>(reals);
  }

} // namespace

NaiveLinks::NaiveLinks(Session &session, bool needed)
    : session_(session)
    , needed_(needed)
{
  if (needed_) std::swap(session_.wilson, session_.naive);
}

NaiveLinks::~NaiveLinks()
{
  if (needed_) std::swap(session_.wilson, session_.naive);
}

LinkDigests take_links(Session &session, const char *function, const MilcSolveJob &solve)
{
  const bool naive = !solve.longs;
  std::size_t bytes = 72 * static_cast<std::size_t>(solve.links.cpu_prec);
  for (const int extent : solve.links.X) bytes *= static_cast<std::size_t>(extent);
  ResidentLinks &first = naive ? session.wilson : session.fat, &second = session.three;
  const auto tags = [&]() -> std::array<std::uint64_t, 2> {
    const auto tag = [](const ResidentLinks &links) { return links.loaded() ? links.precise("").tag() : 0; };
    return {tag(first), naive ? 0 : tag(second)};
  };
  LinkDigests digests {
      digest(solve.fat, bytes), naive ? 0 : digest(solve.longs, bytes),
      static_cast<std::uint64_t>(solve.links.cpu_prec + 64 * solve.of_long + 4096 * solve.of_long_sloppy), 0};
  for (const int extent : solve.links.X) digests[3] = digests[3] << 16 | static_cast<std::uint64_t>(extent);
  MilcOperatorLinks &kept = session.milc_operator;
  const auto now = tags();
  const bool loaded = now[0] != 0 && (naive || now[1] != 0);
  double changed = solve.anew || !loaded || kept.digests != digests || kept.tags != now;
  default_communicator()->max(&changed, 1);
  if (changed == 0) return digests;
  kept = {};
  QudaGaugeParam param = solve.links;
  param.type = naive ? QUDA_WILSON_LINKS : QUDA_ASQTAD_FAT_LINKS;
  step(function, jobs::loadGaugeQuda, const_cast<void *>(solve.fat), &param);
  if (!naive) {
    param = solve.links;
    param.type = QUDA_ASQTAD_LONG_LINKS;
    param.reconstruct = solve.of_long;
    param.reconstruct_sloppy = solve.of_long_sloppy;
    step(function, jobs::loadGaugeQuda, const_cast<void *>(solve.longs), &param);
  }
  kept = {digests, tags()};
  return digests;
}

MilcSolveJob prepare_milc(Checks &checks, int external_precision, int quda_precision, const QudaInvertArgs_t &inv_args,
                          double mass, const void *fat, const void *longs, const int *num_iters)
{
  const char *function = checks.function;
  check_range(function, "quda_precision", quda_precision, 1, 2);
  checks.same("quda_precision", quda_precision);
  const QudaReconstructType of_long = env_reconstruct("QUDA_MILC_HISQ_RECONSTRUCT", checks, QUDA_RECONSTRUCT_NO);
  MilcSolveJob solve {milc_param(checks, external_precision),
                      fat,
                      longs,
                      of_long,
                      env_reconstruct("QUDA_MILC_HISQ_RECONSTRUCT_SLOPPY", checks, of_long),
                      default_param<QudaInvertParam>(),
                      inv_args.evenodd,
                      false};
  check_range(function, "inv_args.evenodd", inv_args.evenodd, 0, 1);
  checks.same("inv_args.evenodd", static_cast<int>(inv_args.evenodd));
  check_not_null(function, "milc_fatlink", fat);
  checks.same("whether milc_longlink is null", longs == nullptr);
  check_not_null(function, "num_iters", num_iters);
  solve.anew = *num_iters == -1;
  check_number(function, "mass", mass);
  checks.same("mass", mass);

  QudaGaugeParam &links = solve.links;
  links.cuda_prec = built(Precision::double_) ? QUDA_DOUBLE_PRECISION : QUDA_SINGLE_PRECISION;
  links.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
  links.staggered_phase_applied = 1;
  if (!longs) links.t_boundary = QUDA_ANTI_PERIODIC_T;

  QudaInvertParam &quarks = solve.quarks;
  quarks.dslash_type = longs ? QUDA_ASQTAD_DSLASH : QUDA_STAGGERED_DSLASH;
  quarks.mass = mass;
  quarks.kappa = 0.5 / (4 + mass);
  quarks.mass_normalization = QUDA_MASS_NORMALIZATION;
  quarks.matpc_type = inv_args.evenodd == QUDA_EVEN_PARITY ? QUDA_MATPC_EVEN_EVEN : QUDA_MATPC_ODD_ODD;
  quarks.solution_type = QUDA_MATPC_SOLUTION;
  quarks.solve_type = QUDA_DIRECT_PC_SOLVE;
  quarks.dagger = QUDA_DAG_NO;
  quarks.cpu_prec = links.cpu_prec;
  quarks.cuda_prec = links.cuda_prec;
  quarks.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  quarks.dirac_order = QUDA_DIRAC_ORDER;
  return solve;
}

MilcSolveJob prepare_milc_solve(Checks &checks, int external_precision, int quda_precision,
                                const QudaInvertArgs_t &inv_args, double mass, const void *fat, const void *longs,
                                const int *num_iters, bool fermilab)
{
  const char *function = checks.function;
  MilcSolveJob solve = prepare_milc(checks, external_precision, quda_precision, inv_args, mass, fat, longs, num_iters);
  check_range(function, "inv_args.max_iter", inv_args.max_iter, 0, 1 << 30);
  checks.same("inv_args.max_iter", inv_args.max_iter);
  check_range(function, "inv_args.mixed_precision", inv_args.mixed_precision, 0, 2);
  checks.same("inv_args.mixed_precision", inv_args.mixed_precision);
  QudaInvertParam &quarks = solve.quarks;
  quarks.inv_type = QUDA_CG_INVERTER;
  quarks.maxiter = inv_args.max_iter;
  quarks.reliable_delta = reliable_delta;
  const int mixed = std::max(inv_args.mixed_precision, quda_precision == 1 ? 1 : 0);
  quarks.cuda_prec_sloppy = fermilab     ? quarks.cuda_prec
                            : mixed == 1 ? QUDA_SINGLE_PRECISION
                            : mixed == 2 ? QUDA_HALF_PRECISION
                                         : quarks.cuda_prec;
  quarks.cuda_prec_refinement_sloppy =
      inv_args.mixed_precision == 1 && !fermilab ? QUDA_HALF_PRECISION : quarks.cuda_prec_sloppy;
  return solve;
}

} // namespace quda
