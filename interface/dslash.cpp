/// Operators applied to quark fields of the host.
///
///   dslashQuda : out = D in, from one parity to the other; no kappa, no normalisation
///   MatQuda    : out = n M in, M = 1 - kappa D, or on one parity out = n M_pc in, M_pc = 1 - kappa^2 D D;
///                n = 1 (kappa), 1 / (2 kappa) (mass; asymmetric mass), for M_pc and mass 1 / (2 kappa)^2
/// D, the hop of the Wilson operator: no factor 1/2, links as loaded; with dagger its adjoint. Wilson alone so far.
/// A parameter structure is checked as far as the call reads it. secs is the time of the slowest rank; gflops the 1e-9
/// operations of all ranks, a count.

#include "quda.h"

#include "core/log.h"
#include "core/profile.h"
#include "core/timer.h"
#include "dirac/dirac_wilson.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

#include <optional>

namespace quda
{

namespace
{

  constexpr double hop_flops = 1320, sum_flops = 48; // a site

  template <class Enum> std::string value_text(Enum value)
  {
    return params::enumerator_text(params::enum_table<Enum>(), value);
  }

  /// A checked application, about to be carried out.
  struct Application {
    const GaugeField *links;
    ColorSpinorField h_out, h_in;
    bool dagger;
    Timer timer;
  };

  ColorSpinorParam host_spinor(const QudaInvertParam &param, const GaugeField &links, int parity, const void *data)
  {
    ColorSpinorParam field;
    field.lattice = links.shared_lattice();
    field.precision = static_cast<Precision>(param.cpu_prec);
    field.order = DiracOrder::dirac;
    field.basis = static_cast<GammaBasis>(param.gamma_basis);
    field.location = Location::host;
    field.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
    field.parity = parity < 0 ? 0 : parity;
    field.create = Create::reference;
    field.data = const_cast<void *>(data);
    return field;
  }

  /// parity: of either field, -1 for both parities.
  Application prepare(Call &call, void *h_out, int parity_out, const void *h_in, int parity_in,
                      const QudaInvertParam &param)
  {
    using P = QudaInvertParam;
    const char *function = call.function;
    check_not_null(function, "h_out", h_out);
    check_not_null(function, "h_in", h_in);
    check(call, param, &P::input_location, &P::output_location, &P::dslash_type, &P::dagger, &P::cpu_prec,
          &P::cuda_prec, &P::dirac_order, &P::gamma_basis, &P::distance_pc_alpha0);
    if (!is_unset(param, &P::verbosity)) check(function, param, &P::verbosity);
    if (param.dslash_type != QUDA_WILSON_DSLASH)
      fail(ErrorKind::unsupported, text("%s: QudaInvertParam.dslash_type = %s; allowed: QUDA_WILSON_DSLASH", function,
                                        value_text(param.dslash_type).c_str()));
    if (param.dirac_order != QUDA_DIRAC_ORDER)
      fail(ErrorKind::unsupported, text("%s: QudaInvertParam.dirac_order = %s; allowed: QUDA_DIRAC_ORDER", function,
                                        value_text(param.dirac_order).c_str()));
    if (param.distance_pc_alpha0 != 0 && param.distance_pc_t0 >= 0)
      fail(ErrorKind::unsupported,
           text("%s: QudaInvertParam.distance_pc_alpha0 = %g with distance_pc_t0 = %d; allowed: distance_pc_alpha0 = 0 "
                "or distance_pc_t0 = -1",
                function, param.distance_pc_alpha0, param.distance_pc_t0));
    const GaugeField &links = resident_links(LinkType::su3)->precise(function);
    if (static_cast<int>(links.precision()) != param.cuda_prec)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.cuda_prec = %s; allowed: that of the resident gauge field, %s", function,
                value_text(param.cuda_prec).c_str(),
                value_text(static_cast<QudaPrecision>(links.precision())).c_str()));
    return {&links,
            ColorSpinorField(host_spinor(param, links, parity_out, h_out)),
            ColorSpinorField(host_spinor(param, links, parity_in, h_in)),
            param.dagger == QUDA_DAG_YES,
            {}};
  }

  ColorSpinorParam native(const ColorSpinorField &host, const GaugeField &links)
  {
    ColorSpinorParam field = host.param();
    field.precision = links.precision();
    field.order = DiracOrder::native;
    field.basis = GammaBasis::degrand_rossi;
    field.location = Location::device;
    return field;
  }

  /// apply(out, in) on the library's fields. flops: of this rank.
  template <class Apply> void carry_out(Application &call, QudaInvertParam &param, double flops, const Apply &apply)
  {
    call.timer.start();
    const VerbosityScope printing(
        is_unset(param, &QudaInvertParam::verbosity) ? verbosity() : static_cast<Verbosity>(param.verbosity));
    if (log_prints(Verbosity::debug)) printQudaInvertParam(&param);
    Communicator &communicator = call.links->lattice().communicator();
    std::optional<ColorSpinorField> in, out;
    {
      const PhaseScope phase(Phase::init);
      in.emplace(native(call.h_in, *call.links));
      out.emplace(native(call.h_out, *call.links));
    }
    {
      const PhaseScope phase(Phase::h2d);
      *in = call.h_in;
    }
    {
      const PhaseScope phase(Phase::compute);
      apply(*out, *in);
    }
    {
      const PhaseScope phase(Phase::d2h);
      call.h_out = *out;
    }
    double seconds = call.timer.seconds();
    {
      const PhaseScope phase(Phase::comms);
      communicator.max(&seconds, 1);
    }
    param.secs = seconds;
    param.gflops = 1e-9 * flops * communicator.size();
  }

  double matrix_factor(const QudaInvertParam &param, bool preconditioned)
  {
    const double k = 1 / (2 * param.kappa);
    switch (param.mass_normalization) {
    case QUDA_MASS_NORMALIZATION:
      return preconditioned ? k * k : k;
    case QUDA_ASYMMETRIC_MASS_NORMALIZATION:
      return k;
    default:
      return 1;
    }
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
    if (preconditioned(param->solution_type)) check(call, *param, &P::matpc_type);
    if (param->mass_normalization != QUDA_KAPPA_NORMALIZATION && param->kappa == 0)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.kappa = 0 with mass_normalization = %s; allowed: a number "
                "other than 0",
                function, value_text(param->mass_normalization).c_str()));
    const bool full = param->solution_type == QUDA_MAT_SOLUTION || param->solution_type == QUDA_MATDAG_MAT_SOLUTION;
    if (!full && !preconditioned(param->solution_type))
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.solution_type = %s; allowed: QUDA_MAT_SOLUTION, QUDA_MATPC_SOLUTION, "
                "QUDA_MATDAG_MAT_SOLUTION, QUDA_MATPCDAG_MATPC_SOLUTION (the last two only say which fields these are)",
                function, value_text(param->solution_type).c_str()));
    if (!full && param->matpc_type != QUDA_MATPC_EVEN_EVEN && param->matpc_type != QUDA_MATPC_ODD_ODD)
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.matpc_type = %s is not valid for QUDA_WILSON_DSLASH; allowed: "
                "QUDA_MATPC_EVEN_EVEN, QUDA_MATPC_ODD_ODD",
                function, value_text(param->matpc_type).c_str()));
    const int parity = full ? -1 : param->matpc_type == QUDA_MATPC_ODD_ODD ? 1 : 0;
    return prepare(call, h_out, parity, h_in, parity, *param);
  }

} // namespace

} // namespace quda

extern "C" {

void dslashQuda(void *h_out, void *h_in, QudaInvertParam *inv_param, QudaParity parity)
{
  quda::guard_collective(
      __func__,
      [&](quda::Call &call) {
        quda::check_struct(call.function, inv_param);
        quda::check_argument(call.function, "parity", parity);
        call.same("parity", parity);
        const int to = parity == QUDA_ODD_PARITY ? 1 : 0;
        return quda::prepare(call, h_out, to, h_in, 1 - to, *inv_param);
      },
      [&](quda::Application &call) {
        const double flops = quda::hop_flops * call.h_out.sites();
        quda::carry_out(call, *inv_param, flops, [&](quda::ColorSpinorField &out, const quda::ColorSpinorField &in) {
          quda::DiracWilson(*call.links, 0).dslash(out, in, call.dagger);
        });
      });
}

void MatQuda(void *h_out, void *h_in, QudaInvertParam *inv_param)
{
  quda::guard_collective(
      __func__, [&](quda::Call &call) { return quda::prepare_matrix(call, h_out, h_in, inv_param); },
      [&](quda::Application &call) {
        const bool pc = quda::preconditioned(inv_param->solution_type);
        const double flops = ((pc ? 2 : 1) * quda::hop_flops + quda::sum_flops) * call.h_out.sites();
        const double factor = quda::matrix_factor(*inv_param, pc);
        quda::carry_out(call, *inv_param, flops, [&](quda::ColorSpinorField &out, const quda::ColorSpinorField &in) {
          const quda::DiracWilson matrix(*call.links, inv_param->kappa);
          if (pc)
            matrix.mpc(out, in, call.dagger, factor);
          else
            matrix.m(out, in, call.dagger, factor);
        });
      });
}

} // extern "C"
