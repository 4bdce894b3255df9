/// What MILC makes mesons of: shifts, spin-taste operators, smearing and contractions of colour vectors. Each function
/// is one of quda.h with the parameters that MILC means; fields and links are in MILC order, links carry the phases.
///
/// Links stay resident from one call to the next, as Wilson links. They are loaded again where the call asks for it,
/// where they come by another pointer or in another precision, and where something else has become or changed the
/// resident links since: a call never works on links of other functions. A null pointer stands for the resident links,
/// whoever has loaded them; spin-taste operators that carry nothing along need none.

#include "quda.h"
#include "quda_milc_interface.h"

#include "interface/jobs.h"
#include "interface/milc_site.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/dirac/spin_taste.h"

#include "core/profile.h"
#include "core/timer.h"

namespace quda
{

namespace
{

  bool links_are_loaded(const Session &session, const void *links, QudaPrecision precision)
  {
    if (!session.wilson.loaded()) return false;
    const GaugeField &resident = session.wilson.precise("");
    if (bytes_of(resident.precision()) != static_cast<int>(precision)) return false;
    return !links || (links == session.milc_vectors.from && resident.tag() == session.milc_vectors.tag);
  }

  void load_links(Session &session, const char *function, const void *links, QudaGaugeParam &param)
  {
    step(function, jobs::loadGaugeQuda, const_cast<void *>(links), &param);
    session.milc_vectors = {links, session.wilson.precise("").tag()};
    session.milc.links = false; // those of a trajectory were elsewhere
  }

  /// A call on colour vectors.
  struct MilcQuarkJob {
    QudaGaugeParam links;
    QudaInvertParam quarks;
    bool load;
  };

  QudaPrecision precision_of(int n) { return n == 1 ? QUDA_SINGLE_PRECISION : QUDA_DOUBLE_PRECISION; }

  QudaInvertParam color_vectors(int external_precision, int quda_precision)
  {
    QudaInvertParam param = default_param<QudaInvertParam>();
    param.dslash_type = QUDA_STAGGERED_DSLASH;
    param.dirac_order = QUDA_DIRAC_ORDER;
    param.cpu_prec = precision_of(external_precision);
    param.cuda_prec = precision_of(quda_precision);
    return param;
  }

  MilcQuarkJob milc_quarks(Checks &checks, int external_precision, int quda_precision, const char *name,
                           const void *links, bool reload)
  {
    const char *function = checks.function;
    check_range(function, "external_precision", external_precision, 1, 2);
    check_range(function, "quda_precision", quda_precision, 1, 2);
    checks.same("quda_precision", quda_precision);
    MilcQuarkJob quarks {milc_param(checks, external_precision), color_vectors(external_precision, quda_precision),
                         false};
    const QudaPrecision precision = quarks.quarks.cuda_prec;
    quarks.links.cuda_prec = quarks.links.cuda_prec_sloppy = quarks.links.cuda_prec_precondition = precision;
    quarks.load = reload || !links_are_loaded(checks.session, links, precision);
    if (quarks.load && !links)
      fail(ErrorKind::bad_argument,
           text("%s: %s = null%s; allowed: null where links of quda_precision are resident and not to be loaded anew",
                function, name, reload ? ", to be loaded anew" : ""));
    checks.same("whether links are to be loaded", quarks.load);
    return quarks;
  }

  /// Checked, links in place, then the job that make(Checks &, QudaInvertParam &) gives.
  template <class Check, class Make> void on_links(const char *function, int external_precision, int quda_precision,
                                                   const char *name, const void *links, bool reload, Check &&check,
                                                   Make &&make)
  {
    guard_collective(
        function,
        [&](Checks &checks) {
          check(checks);
          return milc_quarks(checks, external_precision, quda_precision, name, links, reload);
        },
        [&](Session &session, MilcQuarkJob &quarks) {
          if (quarks.load) load_links(session, function, links, quarks.links);
          step(function, make, quarks.quarks);
        });
  }

  // ---- what carries nothing along needs no links ----

  struct LocalOperatorJob {
    ColorSpinorField out, in;
  };

  ColorSpinorField host_vectors(Checks &checks, const QudaGaugeParam &lattice, const void *data)
  {
    ColorSpinorParam param;
    param.lattice = checks.session.lattice(lattice.X);
    param.spins = 1;
    param.precision = static_cast<Precision>(lattice.cpu_prec);
    param.order = DiracOrder::dirac;
    param.location = Location::host;
    param.create = Create::reference;
    param.data = const_cast<void *>(data);
    return ColorSpinorField(param);
  }

  void apply_local(LocalOperatorJob &job, int spin)
  {
    ColorSpinorParam param = job.in.param();
    param.order = DiracOrder::native;
    param.location = Location::device;
    ColorSpinorField psi(param);
    {
      const PhaseScope phase(Phase::h2d);
      psi = job.in;
    }
    {
      const PhaseScope phase(Phase::compute);
      spin_taste(psi, psi, nullptr, spin, spin);
    }
    const PhaseScope phase(Phase::d2h);
    job.out = psi;
  }

} // namespace

} // namespace quda

extern "C" {

void qudaShift(int external_precision, int quda_precision, const void *const links, void *source, void *solution,
               int dir, int sym, int reloadGaugeField)
{
  using namespace quda;
  on_links(
      __func__, external_precision, quda_precision, "links", links, reloadGaugeField != 0,
      [&](Checks &checks) {
        check_not_null(checks.function, "source", source);
        check_not_null(checks.function, "solution", solution);
        check_range(checks.function, "dir", dir, 0, 3);
        check_range(checks.function, "sym", sym, 1, 3);
      },
      [&](Checks &checks, QudaInvertParam &param) {
        return jobs::shiftQuda(checks, solution, source, dir, sym, &param);
      });
}

void qudaSpinTaste(int external_precision, int quda_precision, const void *const links, void *source, void *solution,
                   int spin, int taste, int reloadGaugeField)
{
  using namespace quda;
  const char *function = __func__;
  const auto check_arguments = [&](Checks &checks) {
    check_not_null(function, "source", source);
    check_not_null(function, "solution", solution);
    check_range(function, "spin", spin, 0, 15);
    check_range(function, "taste", taste, 0, 15);
    checks.same("spin", spin);
    checks.same("taste", taste);
  };
  if (spin != taste)
    return on_links(function, external_precision, quda_precision, "links", links, reloadGaugeField != 0,
                    check_arguments, [&](Checks &checks, QudaInvertParam &param) {
                      return jobs::spinTasteQuda(checks, solution, source, spin, taste, &param);
                    });
  guard_collective(
      function,
      [&](Checks &checks) {
        check_arguments(checks);
        check_range(function, "external_precision", external_precision, 1, 2);
        check_range(function, "quda_precision", quda_precision, 1, 2);
        const QudaGaugeParam lattice = milc_param(checks, external_precision);
        return LocalOperatorJob {host_vectors(checks, lattice, solution), host_vectors(checks, lattice, source)};
      },
      [&](Session &session, LocalOperatorJob &job) {
        if (reloadGaugeField) session.milc_vectors = {};
        apply_local(job, spin);
      });
}

void qudaTwoLinkGaussianSmear(int external_precision, int quda_precision, void *gauge, void *source,
                              QudaTwoLinkQuarkSmearArgs_t qsmear_args)
{
  using namespace quda;
  QudaQuarkSmearParam smear;
  on_links(
      __func__, external_precision, quda_precision, "gauge", gauge, qsmear_args.compute_2link != 0,
      [&](Checks &checks) {
        check_not_null(checks.function, "source", source);
        check_range(checks.function, "qsmear_args.laplaceDim", qsmear_args.laplaceDim, 3, 4);
      },
      [&](Checks &checks, QudaInvertParam &param) {
        param.laplace3D = qsmear_args.laplaceDim;
        smear = default_param<QudaQuarkSmearParam>();
        smear.inv_param = &param;
        smear.n_steps = qsmear_args.n_steps;
        smear.width = qsmear_args.width;
        smear.compute_2link = qsmear_args.compute_2link;
        smear.delete_2link = qsmear_args.delete_2link;
        smear.t0 = qsmear_args.t0;
        return jobs::performTwoLinkGaussianSmearNStep(checks, source, &smear);
      });
}

void qudaFreeTwoLink(void)
{
  using namespace quda;
  guard(__func__, [](Session &session) {
    session.milc_vectors = {}; // hosts free the products when links change
    session.two_link.free();
  });
}

void qudaContractFT(int external_precision, QudaContractArgs_t *cont_args, void *const quark1, void *const quark2,
                    double *corr)
{
  using namespace quda;
  const char *function = __func__;
  QudaInvertParam quarks;
  QudaGaugeParam lattice;
  guard_collective(
      function,
      [&](Checks &checks) {
        check_range(function, "external_precision", external_precision, 1, 2);
        check_not_null(function, "cont_args", cont_args);
        check_not_null(function, "quark1", quark1);
        check_not_null(function, "quark2", quark2);
        check_not_null(function, "corr", corr);
        quarks = color_vectors(external_precision, external_precision);
        lattice = milc_param(checks, external_precision);
        void *x = quark1, *y = quark2, *result = corr;
        const QudaContractArgs_t &args = *cont_args;
        return jobs::contractFTQuda(checks, &x, &y, &result, QUDA_CONTRACT_TYPE_STAGGERED_FT_T, &quarks, 1, lattice.X,
                                    args.source_position, args.n_mom, args.mom_modes, args.fft_type);
      },
      [&](Session &session, const Job<> &contraction) {
        Timer timer;
        timer.start();
        contraction();
        QudaContractArgs_t &args = *cont_args;
        args.flops = static_cast<double>(session.lattice(lattice.X)->global_volume()) * (24 + 24.0 * args.n_mom);
        args.dtime = timer.seconds();
      });
}

} // extern "C"
