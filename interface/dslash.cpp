/// Operators applied to quark fields of the host.
///
///   dslashQuda         : out = D in, from one parity to the other; no kappa, no normalisation
///   dslashMultiSrcQuda : the same of num_src fields at once
///   MatQuda            : out = n M in, or on one parity out = n M_pc in; lib/dirac/dirac.h says what M and M_pc are
///   MatDagMatQuda      : out = n M^dag M in, or on one parity out = n M_pc^dag M_pc in; M M^dag with dagger
/// n, the normalisation of the mass: 1 (kappa), else 1 / (2 kappa) for each M, and for each M_pc 1 / (2 kappa)^2 (mass)
/// or 1 / (2 kappa) (asymmetric mass).
/// A parameter structure is checked as far as the call reads it. secs is the time of the slowest rank; gflops the 1e-9
/// operations of all ranks, a count.

#include "quda.h"

#include "core/log.h"
#include "core/profile.h"
#include "core/timer.h"
#include "dirac/dirac.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

#include <optional>
#include <vector>

namespace quda
{

namespace
{

  template <class Enum> std::string value_text(Enum value)
  {
    return params::enumerator_text(params::enum_table<Enum>(), value);
  }

  /// A checked application, about to be carried out.
  struct Application {
    DiracParam dirac;
    const LinkSet *links;
    std::vector<ColorSpinorField> h_out, h_in; // one a right-hand side
    bool dagger;
    Timer timer;
  };

  void check_kind(const char *function, QudaDslashType type)
  {
    std::string allowed;
    for (const DiracKind kind : dirac_kinds()) {
      if (static_cast<int>(kind) == static_cast<int>(type)) return;
      allowed += (allowed.empty() ? "" : ", ") + value_text(static_cast<QudaDslashType>(kind));
    }
    fail(ErrorKind::unsupported, text("%s: QudaInvertParam.dslash_type = %s; allowed: %s", function,
                                      value_text(type).c_str(), allowed.c_str()));
  }

  /// parity: -1 for both.
  ColorSpinorField host_spinors(const QudaInvertParam &param, const DiracParam &dirac, const LinkSet &links, int parity,
                                const void *data)
  {
    const SpinorShape shape = spinor_shape(dirac);
    ColorSpinorParam field;
    field.lattice = links.precise().shared_lattice();
    field.spins = shape.spins;
    field.fifth = shape.fifth;
    field.flavours = shape.flavours;
    field.precision = static_cast<Precision>(param.cpu_prec);
    field.order = DiracOrder::dirac;
    field.basis = static_cast<GammaBasis>(param.gamma_basis);
    field.location = Location::host;
    field.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
    field.parity = parity < 0 ? 0 : parity;
    field.create = Create::reference;
    field.data = const_cast<void *>(data);
    return ColorSpinorField(field);
  }

  /// The operator, and the links that it is on.
  Application prepare_operator(Call &call, const QudaInvertParam &param)
  {
    using P = QudaInvertParam;
    const char *function = call.function;
    check(call, param, &P::input_location, &P::output_location, &P::dslash_type, &P::dagger, &P::cpu_prec,
          &P::cuda_prec, &P::dirac_order, &P::gamma_basis, &P::distance_pc_alpha0);
    if (!is_unset(param, &P::verbosity)) check(function, param, &P::verbosity);
    check_kind(function, param.dslash_type);
    if (param.dirac_order != QUDA_DIRAC_ORDER)
      fail(ErrorKind::unsupported, text("%s: QudaInvertParam.dirac_order = %s; allowed: QUDA_DIRAC_ORDER", function,
                                        value_text(param.dirac_order).c_str()));
    if (param.distance_pc_alpha0 != 0 && param.distance_pc_t0 >= 0)
      fail(ErrorKind::unsupported,
           text("%s: QudaInvertParam.distance_pc_alpha0 = %g with distance_pc_t0 = %d; allowed: distance_pc_alpha0 = 0 "
                "or distance_pc_t0 = -1",
                function, param.distance_pc_alpha0, param.distance_pc_t0));
    const LinkSet &links = resident_links(LinkType::su3)->set(function);
    if (static_cast<int>(links.precise().precision()) != param.cuda_prec)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.cuda_prec = %s; allowed: that of the resident gauge field, %s", function,
                value_text(param.cuda_prec).c_str(),
                value_text(static_cast<QudaPrecision>(links.precise().precision())).c_str()));
    return {{static_cast<DiracKind>(param.dslash_type), 0}, &links, {}, {}, param.dagger == QUDA_DAG_YES, {}};
  }

  /// One more right-hand side. parity: of either field, -1 for both parities.
  void add_fields(const char *function, Application &application, const QudaInvertParam &param, const char *out_name,
                  void *h_out, int parity_out, const char *in_name, const void *h_in, int parity_in)
  {
    check_not_null(function, out_name, h_out);
    check_not_null(function, in_name, h_in);
    const auto field = [&](int parity, const void *data) {
      return host_spinors(param, application.dirac, *application.links, parity, data);
    };
    application.h_out.push_back(field(parity_out, h_out));
    application.h_in.push_back(field(parity_in, h_in));
  }

  Application prepare_hop(Call &call, void *h_out, const void *h_in, const QudaInvertParam *param, QudaParity parity)
  {
    check_struct(call.function, param);
    check_argument(call.function, "parity", parity);
    call.same("parity", parity);
    Application application = prepare_operator(call, *param);
    const int to = parity == QUDA_ODD_PARITY ? 1 : 0;
    add_fields(call.function, application, *param, "h_out", h_out, to, "h_in", h_in, 1 - to);
    return application;
  }

  Application prepare_hops(Call &call, void *const *h_out, void *const *h_in, const QudaInvertParam *param,
                           QudaParity parity)
  {
    using P = QudaInvertParam;
    const char *function = call.function;
    check_struct(function, param);
    check_not_null(function, "_hp_out", h_out);
    check_not_null(function, "_hp_in", h_in);
    check_argument(function, "parity", parity);
    call.same("parity", parity);
    check(call, *param, &P::num_src, &P::split_grid);
    for (int d = 0; d < 4; d++)
      if (param->split_grid[d] != 1)
        fail(ErrorKind::unsupported,
             text("%s: QudaInvertParam.split_grid[%d] = %d; allowed: 1", function, d, param->split_grid[d]));
    Application application = prepare_operator(call, *param);
    const int to = parity == QUDA_ODD_PARITY ? 1 : 0;
    for (int n = 0; n < param->num_src; n++)
      add_fields(function, application, *param, text("_hp_out[%d]", n).c_str(), h_out[n], to,
                 text("_hp_in[%d]", n).c_str(), h_in[n], 1 - to);
    return application;
  }

  bool preconditioned(QudaSolutionType type)
  {
    return type == QUDA_MATPC_SOLUTION || type == QUDA_MATPCDAG_MATPC_SOLUTION;
  }

  Application prepare_matrix(Call &call, void *h_out, const void *h_in, const QudaInvertParam *param)
  {
    using P = QudaInvertParam;
    const char *function = call.function;
    check_struct(function, param);
    check(call, *param, &P::solution_type, &P::mass_normalization, &P::kappa);
    const bool full = param->solution_type == QUDA_MAT_SOLUTION || param->solution_type == QUDA_MATDAG_MAT_SOLUTION;
    if (!full && !preconditioned(param->solution_type))
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.solution_type = %s; allowed: QUDA_MAT_SOLUTION, QUDA_MATPC_SOLUTION, "
                "QUDA_MATDAG_MAT_SOLUTION, QUDA_MATPCDAG_MATPC_SOLUTION, which say here only whether fields are full",
                function, value_text(param->solution_type).c_str()));
    if (!full) check(call, *param, &P::matpc_type);
    if (param->mass_normalization != QUDA_KAPPA_NORMALIZATION && param->kappa == 0)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.kappa = 0 with mass_normalization = %s; allowed: a number "
                "other than 0",
                function, value_text(param->mass_normalization).c_str()));
    const int parity = full ? -1 : parity_of(static_cast<MatPC>(param->matpc_type));
    Application application = prepare_operator(call, *param);
    application.dirac.kappa = param->kappa;
    add_fields(function, application, *param, "h_out", h_out, parity, "h_in", h_in, parity);
    return application;
  }

  /// The fields in one of the library's.
  ColorSpinorParam native(const std::vector<ColorSpinorField> &host, const GaugeField &links)
  {
    ColorSpinorParam field = host[0].param();
    field.rhs = static_cast<int>(host.size());
    field.precision = links.precision();
    field.order = DiracOrder::native;
    field.basis = GammaBasis::degrand_rossi;
    field.location = Location::device;
    return field;
  }

  /// apply(dirac, out, in) on the library's fields; what it returns are its operations on this rank.
  template <class Apply> void carry_out(Application &call, QudaInvertParam &param, const Apply &apply)
  {
    call.timer.start();
    const VerbosityScope printing(
        is_unset(param, &QudaInvertParam::verbosity) ? verbosity() : static_cast<Verbosity>(param.verbosity));
    if (log_prints(Verbosity::debug)) printQudaInvertParam(&param);
    const GaugeField &links = call.links->precise();
    Communicator &communicator = links.lattice().communicator();
    std::optional<ColorSpinorField> in, out;
    std::unique_ptr<Dirac> dirac;
    {
      const PhaseScope phase(Phase::init);
      in.emplace(native(call.h_in, links));
      out.emplace(native(call.h_out, links));
      dirac = make_dirac(call.dirac, *call.links, {links.precision(), links.reconstruct()});
    }
    {
      const PhaseScope phase(Phase::h2d);
      for (std::size_t n = 0; n < call.h_in.size(); n++) in->columns(static_cast<int>(n), 1) = call.h_in[n];
      in->mark_written();
    }
    double flops;
    {
      const PhaseScope phase(Phase::compute);
      flops = apply(*dirac, *out, *in);
    }
    {
      const PhaseScope phase(Phase::d2h);
      for (std::size_t n = 0; n < call.h_out.size(); n++) call.h_out[n] = out->columns(static_cast<int>(n), 1);
    }
    double seconds = call.timer.seconds();
    {
      const PhaseScope phase(Phase::comms);
      communicator.max(&seconds, 1);
    }
    param.secs = seconds;
    param.gflops = 1e-9 * flops * communicator.size();
  }

  void carry_out_hop(Application &call, QudaInvertParam &param)
  {
    carry_out(call, param, [&](const Dirac &dirac, ColorSpinorField &out, const ColorSpinorField &in) {
      dirac.dslash(out, in, call.dagger);
      return dirac.dslash_flops(in.rhs());
    });
  }

  double matrix_factor(const QudaInvertParam &param)
  {
    const double k = 1 / (2 * param.kappa);
    switch (param.mass_normalization) {
    case QUDA_MASS_NORMALIZATION:
      return preconditioned(param.solution_type) ? k * k : k;
    case QUDA_ASYMMETRIC_MASS_NORMALIZATION:
      return k;
    default:
      return 1;
    }
  }

  std::unique_ptr<LinearOperator> matrix_of(const Dirac &dirac, const QudaInvertParam &param)
  {
    return preconditioned(param.solution_type) ? dirac.schur(static_cast<MatPC>(param.matpc_type)) : dirac.full();
  }

  double times(const LinearOperator &matrix, double factor, ColorSpinorField &out, const ColorSpinorField &in,
               bool dagger)
  {
    matrix.apply({.out = out, .in = in, .dagger = dagger, .b = factor});
    return matrix.flops_done();
  }

} // namespace

} // namespace quda

extern "C" {

void dslashQuda(void *h_out, void *h_in, QudaInvertParam *inv_param, QudaParity parity)
{
  quda::guard_collective(
      __func__, [&](quda::Call &call) { return quda::prepare_hop(call, h_out, h_in, inv_param, parity); },
      [&](quda::Application &call) { quda::carry_out_hop(call, *inv_param); });
}

void dslashMultiSrcQuda(void **_hp_out, void **_hp_in, QudaInvertParam *param, QudaParity parity)
{
  quda::guard_collective(
      __func__, [&](quda::Call &call) { return quda::prepare_hops(call, _hp_out, _hp_in, param, parity); },
      [&](quda::Application &call) { quda::carry_out_hop(call, *param); });
}

void MatQuda(void *h_out, void *h_in, QudaInvertParam *inv_param)
{
  quda::guard_collective(
      __func__, [&](quda::Call &call) { return quda::prepare_matrix(call, h_out, h_in, inv_param); },
      [&](quda::Application &call) {
        using namespace quda;
        carry_out(call, *inv_param, [&](const Dirac &dirac, ColorSpinorField &out, const ColorSpinorField &in) {
          return times(*matrix_of(dirac, *inv_param), matrix_factor(*inv_param), out, in, call.dagger);
        });
      });
}

void MatDagMatQuda(void *h_out, void *h_in, QudaInvertParam *inv_param)
{
  quda::guard_collective(
      __func__, [&](quda::Call &call) { return quda::prepare_matrix(call, h_out, h_in, inv_param); },
      [&](quda::Application &call) {
        using namespace quda;
        carry_out(call, *inv_param, [&](const Dirac &dirac, ColorSpinorField &out, const ColorSpinorField &in) {
          const auto matrix = matrix_of(dirac, *inv_param);
          const double n = matrix_factor(*inv_param);
          return call.dagger ? times(NormalError(*matrix), n * n, out, in, false)
                             : times(Normal(*matrix), n * n, out, in, false);
        });
      });
}

} // extern "C"
