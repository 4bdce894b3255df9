#include "interface/quark_job.h"

#include "core/built.h"
#include "core/log.h"
#include "core/profile.h"
#include "dirac/make_dirac.h"
#include "interface/domain_wall.h"
#include "interface/resident.h"

#include <algorithm>
#include <optional>

namespace quda
{

namespace
{

  /// Operators that operator_of() knows: numbers of QudaDslashType, or of an enumeration beside it.
  constexpr int kinds[] = {QUDA_WILSON_DSLASH,         QUDA_CLOVER_WILSON_DSLASH,  QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH,
                           QUDA_TWISTED_MASS_DSLASH,   QUDA_TWISTED_CLOVER_DSLASH, QUDA_DOMAIN_WALL_DSLASH,
                           QUDA_DOMAIN_WALL_4D_DSLASH, QUDA_MOBIUS_DWF_DSLASH,     QUDA_MOBIUS_DWF_EOFA_DSLASH,
                           QUDA_STAGGERED_DSLASH,      QUDA_ASQTAD_DSLASH,         QUDA_LAPLACE_DSLASH,
                           QUDA_COVDEV_DSLASH};

  void check_kind(const char *function, QudaDslashType type)
  {
    std::string allowed;
    for (const int kind : kinds) {
      if (kind == type) return;
      allowed += (allowed.empty() ? "" : ", ") + value_text(static_cast<QudaDslashType>(kind));
    }
    fail(ErrorKind::unsupported, text("%s: QudaInvertParam.dslash_type = %s; allowed: %s", function,
                                      value_text(type).c_str(), allowed.c_str()));
  }

  [[noreturn]] void fail_no_links(const char *function, const char *type)
  {
    fail(ErrorKind::bad_argument,
         text("%s: no links of type %s are resident; load them with loadGaugeQuda()", function, type));
  }

  /// The clover term that fits the links of a call.
  const CloverSet &clover_beside(Checks &checks, const GaugeField &links, Precision precision)
  {
    const char *function = checks.function;
    const CloverSet &set = checks.session.loaded_clover(function);
    const CloverField &term = set.precise();
    if (!same_sites(term.lattice(), links.lattice()))
      fail(
          ErrorKind::bad_argument,
          text("%s: the resident clover term has extents %d %d %d %d; allowed: the resident gauge field's, %d %d %d %d",
               function, term.lattice().X(0), term.lattice().X(1), term.lattice().X(2), term.lattice().X(3),
               links.lattice().X(0), links.lattice().X(1), links.lattice().X(2), links.lattice().X(3)));
    if (bytes_of(term.precision()) < bytes_of(precision))
      fail(ErrorKind::bad_argument,
           text("%s: the resident clover term is of %s; allowed: QudaInvertParam.cuda_prec, %s, or a better one",
                function, value_text(static_cast<QudaPrecision>(term.precision())).c_str(),
                value_text(static_cast<QudaPrecision>(precision)).c_str()));
    return set;
  }

  /// The links of an operator: fat links of an improved one, else Wilson-type links, or the smeared ones.
  const ResidentLinks &links_of_kind(Checks &checks, QudaDslashType type, const LinkChoice &choice)
  {
    const char *function = checks.function;
    const bool improved = type == QUDA_ASQTAD_DSLASH;
    if (choice.smeared) {
      if (improved)
        fail(ErrorKind::unsupported, text("%s: QudaInvertParam.dslash_type = %s on the smeared links; allowed: an "
                                          "operator without long links",
                                          function, value_text(type).c_str()));
      const ResidentLinks &links = checks.session.smeared;
      if (!links.loaded())
        fail(ErrorKind::bad_argument,
             text("%s: no smeared links are resident; make them with performGaugeSmearQuda() or "
                  "load them with loadGaugeQuda()",
                  function));
      return links;
    }
    const ResidentLinks &links = improved ? checks.session.fat : checks.session.wilson;
    if (improved && !links.loaded()) fail_no_links(function, "QUDA_ASQTAD_FAT_LINKS");
    return links;
  }

  /// The long links that fit fat links.
  const LinkSet &long_links_beside(Checks &checks, const GaugeField &fat, Precision precision)
  {
    const char *function = checks.function;
    const ResidentLinks &links = checks.session.three;
    if (!links.loaded()) fail_no_links(function, "QUDA_ASQTAD_LONG_LINKS");
    const GaugeField &field = links.precise(function);
    const Lattice &of_long = field.lattice(), &of_fat = fat.lattice();
    if (!same_sites(of_long, of_fat))
      fail(ErrorKind::bad_argument,
           text("%s: the resident long links have extents %d %d %d %d; allowed: the fat links', %d %d %d %d", function,
                of_long.X(0), of_long.X(1), of_long.X(2), of_long.X(3), of_fat.X(0), of_fat.X(1), of_fat.X(2),
                of_fat.X(3)));
    if (bytes_of(field.precision()) < bytes_of(precision))
      fail(ErrorKind::bad_argument,
           text("%s: the resident long links are of %s; allowed: QudaInvertParam.cuda_prec, %s, or a better one",
                function, value_text(static_cast<QudaPrecision>(field.precision())).c_str(),
                value_text(static_cast<QudaPrecision>(precision)).c_str()));
    for (int d = 0; d < 4; d++)
      if (of_fat.cut(d) && of_fat.X(d) < 3)
        fail(ErrorKind::unsupported,
             text("%s: QudaInvertParam.dslash_type = QUDA_ASQTAD_DSLASH with X[%d] = %d, cut between ranks; allowed: 4 "
                  "or more, which hops of three links need",
                  function, d, of_fat.X(d)));
    return links.set(function);
  }

  /// The library's name of a host's order; none: not known.
  std::optional<DiracOrder> order_of(QudaDiracFieldOrder order)
  {
    switch (order) {
    case QUDA_DIRAC_ORDER:
      return DiracOrder::dirac;
    case QUDA_QDP_DIRAC_ORDER:
      return DiracOrder::qdp;
    case QUDA_CPS_WILSON_DIRAC_ORDER:
      return DiracOrder::cps_wilson;
    default:
      return {};
    }
  }

  void check_order(const char *function, const QudaInvertParam &param, const GaugeField &links)
  {
    if (!order_of(param.dirac_order))
      refuse(function, "QudaInvertParam.dirac_order", param.dirac_order,
             "QUDA_DIRAC_ORDER, QUDA_QDP_DIRAC_ORDER, QUDA_CPS_WILSON_DIRAC_ORDER", ErrorKind::unsupported);
    if (param.dirac_order == QUDA_CPS_WILSON_DIRAC_ORDER && links.anisotropy() != 1)
      fail(ErrorKind::unsupported,
           text("%s: QudaInvertParam.dirac_order = QUDA_CPS_WILSON_DIRAC_ORDER with anisotropy = %g of the resident "
                "gauge field; allowed: 1",
                function, links.anisotropy()));
  }

  ColorSpinorField host_spinors(const QudaInvertParam &param, const QuarkJob &job, const HostArray &array)
  {
    const SpinorShape shape = spinor_shape(job.dirac);
    ColorSpinorParam field;
    field.lattice = job.links->precise().shared_lattice();
    field.spins = shape.spins;
    field.fifth = shape.fifth;
    field.alternating = shape.alternating;
    field.flavours = shape.flavours;
    field.precision = static_cast<Precision>(param.cpu_prec);
    field.order = *order_of(param.dirac_order);
    if (shape.spins == 4) field.basis = static_cast<GammaBasis>(param.gamma_basis);
    field.location = Location::host;
    field.subset = array.parity < 0 ? SiteSubset::full : SiteSubset::parity;
    field.parity = std::max(array.parity, 0);
    field.create = Create::reference;
    field.data = const_cast<void *>(array.data);
    return ColorSpinorField(field);
  }

  /// The array in place of the host's of one time slice, where that is what its lattice has.
  HostArray staged(const QuarkJob &job, std::vector<StagedSlice> &all, const QudaInvertParam &param,
                   const HostArray &array)
  {
    if (!job.one_slice) return array;
    const auto sites = static_cast<std::size_t>(job.links->precise().lattice().volume());
    const auto reals = static_cast<std::size_t>(6 * spinor_shape(job.dirac).spins);
    all.emplace_back(const_cast<void *>(array.data), sites * reals * static_cast<std::size_t>(param.cpu_prec));
    return {array.name, all.back().two(), array.parity};
  }

  /// How the host's fields lie and the links that are computed with, in cuda_prec.
  QuarkJob storage_of(Checks &checks, const QudaInvertParam &param, const LinkSet &links, bool lower)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check_order(function, param, links.precise());
    if (!is_unset(param, &P::verbosity)) check(function, param, &P::verbosity);
    const GaugeField &resident = links.precise();
    const Precision asked = static_cast<Precision>(param.cuda_prec),
                    precision = !lower && asked == Precision::half && built(asked) ? next_better(asked) : asked;
    const bool copied = lower && bytes_of(precision) < bytes_of(resident.precision()) && built(precision);
    if (precision != resident.precision() && !copied)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.cuda_prec = %s; allowed: that of the resident gauge field, %s%s", function,
                value_text(param.cuda_prec).c_str(),
                value_text(static_cast<QudaPrecision>(resident.precision())).c_str(),
                lower ? ", or a lower one of this build" : ""));
    return {.dirac = {},
            .links = &links,
            .storage = {precision, resident.reconstruct()},
            .h_out = {},
            .h_in = {},
            .out_names = {},
            .in_names = {},
            .dagger = false,
            .timer = {}};
  }

} // namespace

bool staggered(QudaDslashType type) { return type == QUDA_STAGGERED_DSLASH || type == QUDA_ASQTAD_DSLASH; }

void check_mass(Checks &checks, const QudaInvertParam &param)
{
  using P = QudaInvertParam;
  if (domain_wall(param.dslash_type)) return check_domain_wall_mass(checks, param);
  const bool by_mass = staggered(param.dslash_type),
             divided_by_mass = param.mass_normalization == QUDA_KAPPA_NORMALIZATION,
             divided_by_kappa = param.mass_normalization == QUDA_MASS_NORMALIZATION ||
                                param.mass_normalization == QUDA_ASYMMETRIC_MASS_NORMALIZATION;
  check(checks, param, by_mass ? &P::mass : &P::kappa);
  if (by_mass ? divided_by_mass && param.mass == 0 : divided_by_kappa && param.kappa == 0)
    fail(ErrorKind::bad_argument,
         text("%s: QudaInvertParam.%s = 0 with mass_normalization = %s; allowed: a number other than 0",
              checks.function, by_mass ? "mass" : "kappa", value_text(param.mass_normalization).c_str()));
}

TwistParam twist_of(Checks &checks, const QudaInvertParam &param)
{
  using P = QudaInvertParam;
  check(checks, param, &P::twist_flavor, &P::kappa, &P::mu);
  const double to_a = 2 * param.kappa;
  TwistParam twist {.mu = to_a * param.mu};
  switch (param.twist_flavor) {
  case QUDA_TWIST_SINGLET:
    if (param.dslash_type == QUDA_TWISTED_MASS_DSLASH) break;
    check(checks, param, &P::tm_rho);
    twist.rho = to_a * param.tm_rho;
    break;
  case QUDA_TWIST_NONDEG_DOUBLET:
    check(checks, param, &P::epsilon);
    twist.epsilon = to_a * param.epsilon;
    twist.flavours = 2;
    break;
  default:
    fail(ErrorKind::bad_argument,
         text("%s: QudaInvertParam.twist_flavor = %s; allowed with dslash_type = %s: QUDA_TWIST_SINGLET, "
              "QUDA_TWIST_NONDEG_DOUBLET",
              checks.function, value_text(param.twist_flavor).c_str(), value_text(param.dslash_type).c_str()));
  }
  if (param.dslash_type == QUDA_TWISTED_MASS_DSLASH && !(1 + twist.square() > 0))
    fail(ErrorKind::bad_argument,
         text("%s: QudaInvertParam.epsilon = %g with mu = %g, kappa = %g; allowed: 1 + (2 kappa mu)^2 - (2 kappa "
              "epsilon)^2 above 0",
              checks.function, param.epsilon, param.mu, param.kappa));
  return twist;
}

namespace
{

  /// mu of the twisted term i mu gamma5 A^n beside a clover term. A host's mu goes with QUDA's clover term, which is half
  /// of A, so that of symmetric forms it stands halved for each A: n is 1 in M_pc and 2 in M. M_pc of a solution on all
  /// sites is the Schur complement of that M, so that the solution is one of M.
  double hasenbusch_twist(const QudaInvertParam &param)
  {
    if (!symmetric(static_cast<MatPC>(param.matpc_type))) return param.mu;
    return param.mu / (preconditioned(param.solution_type) ? 2 : 4);
  }

  DiracParam operator_of(Checks &checks, const QudaInvertParam &param, const GaugeField &links, Precision precision)
  {
    using P = QudaInvertParam;
    const auto clover = [&] { return &clover_beside(checks, links, precision); };
    switch (static_cast<int>(param.dslash_type)) {
    case QUDA_CLOVER_WILSON_DSLASH:
      return CloverFermions {param.kappa, clover()};
    case QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH:
      check(checks, param, &P::mu, &P::matpc_type);
      return HasenbuschFermions {param.kappa, clover(), hasenbusch_twist(param), static_cast<MatPC>(param.matpc_type)};
    case QUDA_TWISTED_MASS_DSLASH:
      return TwistedFermions {param.kappa, twist_of(checks, param)};
    case QUDA_TWISTED_CLOVER_DSLASH:
      return TwistedFermions {param.kappa, twist_of(checks, param), clover()};
    case QUDA_STAGGERED_DSLASH:
      return StaggeredFermions {param.mass};
    case QUDA_ASQTAD_DSLASH:
      return StaggeredFermions {param.mass, &long_links_beside(checks, links, precision),
                                checks.session.three.storage(LinkCopy::sloppy).reconstruct};
    case QUDA_DOMAIN_WALL_DSLASH:
    case QUDA_DOMAIN_WALL_4D_DSLASH:
    case QUDA_MOBIUS_DWF_DSLASH:
    case QUDA_MOBIUS_DWF_EOFA_DSLASH:
      return domain_wall_of(checks, param);
    case QUDA_LAPLACE_DSLASH:
      check(checks, param, &P::laplace3D);
      return LaplaceVectors {param.kappa, param.laplace3D};
    case QUDA_COVDEV_DSLASH:
      check(checks, param, &P::covdev_mu);
      return CovariantShift {param.covdev_mu};
    default:
      return WilsonFermions {param.kappa};
    }
  }

} // namespace

const CloverSet *clover_of(const DiracParam &dirac)
{
  return std::visit(
      [](const auto &of) -> const CloverSet * {
        if constexpr (requires { of.clover; }) return of.clover;
        return nullptr;
      },
      dirac);
}

QuarkJob quark_job(Checks &checks, const QudaInvertParam &param, bool lower)
{
  return quark_job(checks, param, lower, {});
}

QuarkJob quark_job(Checks &checks, const QudaInvertParam &param, bool lower, const LinkChoice &choice)
{
  using P = QudaInvertParam;
  const char *function = checks.function;
  check(checks, param, &P::input_location, &P::output_location, &P::dslash_type, &P::dagger, &P::cpu_prec,
        &P::cuda_prec, &P::dirac_order, &P::distance_pc_alpha0, &P::distance_pc_t0);
  check_kind(function, param.dslash_type);
  if (distance_preconditioned(param) && param.dslash_type != QUDA_WILSON_DSLASH &&
      param.dslash_type != QUDA_CLOVER_WILSON_DSLASH)
    fail(ErrorKind::unsupported,
         text("%s: QudaInvertParam.distance_pc_alpha0 = %g with distance_pc_t0 = %d and dslash_type = %s; allowed: "
              "distance_pc_alpha0 = 0, distance_pc_t0 = -1, or QUDA_WILSON_DSLASH, QUDA_CLOVER_WILSON_DSLASH",
              function, param.distance_pc_alpha0, param.distance_pc_t0, value_text(param.dslash_type).c_str()));
  const ResidentLinks &links = links_of_kind(checks, param.dslash_type, choice);
  QuarkJob quarks = storage_of(checks, param, links.set(function, choice.one_slice_allowed), lower);
  quarks.one_slice = links.one_slice();
  checks.same("whether the gauge field has one time slice", quarks.one_slice);
  if (quarks.one_slice && param.dirac_order == QUDA_CPS_WILSON_DIRAC_ORDER)
    fail(ErrorKind::unsupported,
         text("%s: QudaInvertParam.dirac_order = QUDA_CPS_WILSON_DIRAC_ORDER on links of one time "
              "slice; allowed: QUDA_DIRAC_ORDER, QUDA_QDP_DIRAC_ORDER",
              function));
  quarks.dagger =
      param.dagger == QUDA_DAG_YES && param.dslash_type != QUDA_COVDEV_DSLASH; // whose direction says it all
  quarks.dirac = operator_of(checks, param, quarks.links->precise(), quarks.storage.precision);
  if (spinor_shape(quarks.dirac).spins == 4) check(checks, param, &P::gamma_basis);
  return quarks;
}

LinkStorage iteration_storage(Session &session, const QudaInvertParam &param, LinkCopy copy,
                              QudaPrecision QudaInvertParam::*precision)
{
  const ResidentLinks &links = param.dslash_type == QUDA_ASQTAD_DSLASH ? session.fat : session.wilson;
  LinkStorage storage = links.storage(copy);
  if (links.precise(__func__).phases().applied) storage.reconstruct = Reconstruct::none; // they may have come since
  storage.precision = static_cast<Precision>(is_unset(param, precision) ? param.cuda_prec : param.*precision);
  return storage;
}

long long numbers_of(const QuarkJob &job, int parts)
{
  const SpinorShape shape = spinor_shape(job.dirac);
  return job.links->precise().lattice().global_volume() / parts * shape.spins * 3 * shape.fifth * shape.flavours;
}

bool distance_preconditioned(const QudaInvertParam &param)
{
  return param.distance_pc_alpha0 != 0 && param.distance_pc_t0 >= 0;
}

QuarkJob link_job(Checks &checks, const QudaInvertParam &param, const ResidentLinks &resident)
{
  using P = QudaInvertParam;
  check(checks, param, &P::input_location, &P::output_location, &P::dslash_type, &P::cpu_prec, &P::cuda_prec,
        &P::dirac_order);
  QuarkJob quarks = storage_of(checks, param, resident.set(checks.function), true);
  const int spins = staggered(param.dslash_type) || param.dslash_type == QUDA_LAPLACE_DSLASH ? 1 : 4;
  quarks.dirac = CovariantShift {.spins = spins};
  if (spins == 4) check(checks, param, &P::gamma_basis);
  return quarks;
}

void check_color_vectors(const char *function, const QuarkJob &job, const QudaInvertParam &param)
{
  if (spinor_shape(job.dirac).spins != 1)
    refuse(function, "QudaInvertParam.dslash_type", param.dslash_type,
           "QUDA_STAGGERED_DSLASH, QUDA_ASQTAD_DSLASH, QUDA_LAPLACE_DSLASH");
}

void add_output(const char *function, QuarkJob &job, const QudaInvertParam &param, const HostArray &out)
{
  check_not_null(function, out.name.c_str(), out.data);
  job.h_out.push_back(host_spinors(param, job, staged(job, job.staged_out, param, out)));
  job.out_names.push_back(out.name);
}

void add_input(const char *function, QuarkJob &job, const QudaInvertParam &param, const HostArray &in)
{
  check_not_null(function, in.name.c_str(), in.data);
  job.h_in.push_back(host_spinors(param, job, staged(job, job.staged_in, param, in)));
  job.in_names.push_back(in.name);
}

void add_fields(const char *function, QuarkJob &job, const QudaInvertParam &param, const HostArray &out,
                const HostArray &in)
{
  add_output(function, job, param, out);
  add_input(function, job, param, in);
}

void report_work(QuarkJob &job, QudaInvertParam &param, double flops)
{
  report_work(job.links->precise().lattice().communicator(), job.timer, param, flops);
}

void report_work(Communicator &communicator, const Timer &timer, QudaInvertParam &param, double flops)
{
  double seconds = timer.seconds();
  {
    const PhaseScope phase(Phase::comms);
    communicator.max(&seconds, 1);
    communicator.sum(&flops, 1); // some ranks wait for others on small grids of multigrid
  }
  param.secs = seconds;
  param.gflops = 1e-9 * flops;
}

bool preconditioned(QudaSolutionType type)
{
  return type == QUDA_MATPC_SOLUTION || type == QUDA_MATPCDAG_MATPC_SOLUTION;
}

Verbosity verbosity_of(const QudaInvertParam &param)
{
  return is_unset(param, &QudaInvertParam::verbosity) ? verbosity() : static_cast<Verbosity>(param.verbosity);
}

} // namespace quda
