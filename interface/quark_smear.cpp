/// Spatial smearing of quark fields.
///
///   performWuppertalnStep     : n times psi <- (psi + alpha sum_i [hops]) / (1 + 6 alpha)
///   performGaussianSmearNStep : n times psi <- psi + (omega^2 / 4 n) (sum_i [hops] - 6 psi)
///   performFermionSmearQuda   : one of these
/// hops of direction i, x y z: U_i(x) psi(x + i) + U_i(x - i)^dag psi(x - i), with the smeared links if there are any.
///   performTwoLinkGaussianSmearNStep :
///                 n times psi <- psi + (width^2 / 16 n) (sum_i [hops] - 2 d psi) for colour vectors, in place; hops to
///                 x +- 2 i over products T_i of two links, d = 3 directions or 4 (laplace3D). T stays resident until
///                 the links are written, or delete_2link says otherwise. t0 >= 0 with d = 3: the other time slices
///                 stay unchanged
///   computeTwoLinkQuda        : T_mu(x) = U_mu(x) U_mu(x + mu) for links of the host, or the resident ones
/// dslash_type determines the number of spins. cuda_prec is that of the links or a lower one.

#include "quda.h"

#include "core/profile.h"
#include "interface/application.h"
#include "interface/quark_job.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "ops/links/two_link.h"
#include "ops/smear/quark.h"
#include "targets/target.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace quda
{

namespace
{

  QuarkJob prepare_smearing(Checks &checks, void *h_out, const void *h_in, const QudaInvertParam *param)
  {
    check_struct(checks.function, param);
    const bool smeared = checks.session.smeared.loaded();
    checks.same("whether smeared links are resident", smeared);
    QuarkJob quarks = link_job(checks, *param, smeared ? checks.session.smeared : checks.session.wilson);
    add_fields(checks.function, quarks, *param, {"h_out", h_out, -1}, {"h_in", h_in, -1});
    return quarks;
  }

  void check_steps(Checks &checks, int n, const char *name, double weight)
  {
    if (n < 0) refuse(checks.function, "n_steps", n, "0 or more");
    check_number(checks.function, name, weight);
    checks.same("n_steps", n);
    checks.same(name, weight);
  }

  void check_wuppertal(const char *function, const char *name, double alpha)
  {
    if (1 + 6 * alpha == 0)
      fail(ErrorKind::bad_argument, text("%s: %s = %g; allowed: anything but -1/6", function, name, alpha));
  }

  /// links: called for when the fields are loaded.
  void carry_out_smearing(QuarkJob &job, QudaInvertParam &param, const QuarkSmearing &smearing,
                          const std::function<const GaugeField &()> &links)
  {
    carry_out(job, param, [&](const Dirac &, ColorSpinorField &out, const ColorSpinorField &in) {
      smear_quarks(out, in, links(), smearing);
      return smearing.flops(in);
    });
  }
  void carry_out_smearing(QuarkJob &job, QudaInvertParam &param, const QuarkSmearing &smearing)
  {
    carry_out_smearing(job, param, smearing, [&]() -> const GaugeField & { return job.links->copy(job.storage); });
  }

  // ---- with products of two links ----

  /// Whether there are products of these links, and the links have not been written since.
  bool two_links_are_resident(Session &session, const LinkSet &links)
  {
    return session.two_link.loaded() && session.two_link_from == links.precise().tag();
  }

  /// Restores all time slices of a host field except t0, of the whole lattice. The memory is any that the target
  /// can reach.
  class OtherSlices
  {
  public:
    OtherSlices(void *field, const ColorSpinorField &shape, int t0)
        : field_(static_cast<char *>(field))
    {
      const Lattice &lattice = shape.lattice();
      const std::size_t site = static_cast<std::size_t>(shape.reals()) * bytes_of(shape.precision());
      slice_ = site * (lattice.volume_cb() / lattice.X(3));
      slices_ = lattice.X(3);
      kept_slice_ = t0 - static_cast<int>(lattice.origin()[3]);
      before_.resize(2 * slices_ * slice_);
      target().copy(before_.data(), field_, before_.size());
    }
    void restore() const
    {
      for (int k = 0; k < 2 * slices_; k++)
        if (k % slices_ != kept_slice_) target().copy(field_ + k * slice_, before_.data() + k * slice_, slice_);
    }

  private:
    char *field_;
    std::size_t slice_;
    int slices_, kept_slice_;
    std::vector<char> before_;
  };

  /// The resident products of these links, made if there are none.
  const LinkSet &resident_two_link(Session &session, const LinkSet &links)
  {
    ResidentLinks &products = session.two_link;
    if (!two_links_are_resident(session, links)) {
      products.load(std::make_unique<GaugeField>(two_link(links)));
      session.two_link_from = links.precise().tag();
    }
    return products.set("two_link");
  }

  void carry_out_two_link(Session &session, QuarkJob &job, void *field, QudaQuarkSmearParam &param)
  {
    QudaInvertParam &quark = *param.inv_param;
    std::optional<OtherSlices> others;
    if (param.t0 >= 0) others.emplace(field, job.h_in[0], param.t0);
    if (param.compute_2link) session.two_link.free();
    if (param.n_steps > 0)
      carry_out_smearing(
          job, quark, QuarkSmearing::two_link(param.n_steps, param.width, quark.laplace3D),
          [&]() -> const GaugeField & {
            return resident_two_link(session, *job.links).copy({job.storage.precision, Reconstruct::none});
          });
    if (others) others->restore();
    if (param.delete_2link) session.two_link.free();
    param.secs = quark.secs;
    param.gflops = quark.gflops;
  }

  Job<> two_link_smearing(Checks &checks, void *field, QudaQuarkSmearParam *param)
  {
    using P = QudaQuarkSmearParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::n_steps, &P::width, &P::compute_2link, &P::delete_2link, &P::t0);
    check_not_null(function, "smear_param->inv_param", param->inv_param);
    check_struct(function, param->inv_param);
    QudaInvertParam quark = *param->inv_param;
    quark.dslash_type = QUDA_ASQTAD_DSLASH; // whatever the host has there, fields are of one spin
    check(checks, quark, &QudaInvertParam::laplace3D);
    if (quark.laplace3D != 3 && quark.laplace3D != 4)
      refuse(function, "QudaInvertParam.laplace3D", quark.laplace3D, "3 (space) or 4 (space and time)");
    QuarkJob quarks = link_job(checks, quark, checks.session.wilson);
    if (param->n_steps > 0 && !param->compute_2link)
      checks.same("whether products of two links are resident", two_links_are_resident(checks.session, *quarks.links));
    const Lattice &lattice = quarks.links->precise().lattice();
    if (param->t0 >= 0 && quark.laplace3D == 4)
      fail(ErrorKind::bad_argument,
           text("%s: QudaQuarkSmearParam.t0 = %d with laplace3D = 4; allowed: a negative one", function, param->t0));
    if (param->t0 >= lattice.global_X()[3])
      fail(ErrorKind::bad_argument,
           text("%s: QudaQuarkSmearParam.t0 = %d; allowed: below the lattice's %lld time slices", function, param->t0,
                lattice.global_X()[3]));
    add_fields(function, quarks, quark, {"h_in", field, -1}, {"h_in", field, -1});
    return {std::move(quarks),
            [=](Session &session, QuarkJob &job) { carry_out_two_link(session, job, field, *param); }};
  }

  struct TwoLinkJob {
    LinkSource links;
    GaugeField out;
  };

  TwoLinkJob prepare_products(Checks &checks, void *twolink, void *inlink, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::cuda_prec, &P::gauge_order, &P::cpu_prec);
    QudaGaugeParam given = *param;
    given.use_resident_gauge = inlink == nullptr;
    given.make_resident_gauge = 0;
    checks.same("whether inlink is null", inlink == nullptr);
    LinkSource links = link_source(checks, "inlink", inlink, given, param->cuda_prec, "QudaGaugeParam.cuda_prec");
    GaugeField out = host_links_like(checks, "twolink", twolink, given, matrices_of(links.field));
    return {std::move(links), std::move(out)};
  }

  void carry_out_products(TwoLinkJob &job)
  {
    LinkSet own;
    if (job.links.host) own.load(job.links.load());
    std::optional<GaugeField> products;
    {
      const PhaseScope phase(Phase::compute);
      products.emplace(two_link(job.links.host ? own : job.links.wilson.set(job.links.function)));
    }
    const PhaseScope phase(Phase::d2h);
    job.out = *products;
  }

} // namespace

constexpr JobOf<::performTwoLinkGaussianSmearNStep> jobs::performTwoLinkGaussianSmearNStep {
    "performTwoLinkGaussianSmearNStep", two_link_smearing};

} // namespace quda

extern "C" {

void computeTwoLinkQuda(void *twolink, void *inlink, QudaGaugeParam *param)
{
  quda::guard_job(__func__, quda::by<quda::prepare_products, quda::carry_out_products>, twolink, inlink, param);
}

void performWuppertalnStep(void *h_out, void *h_in, QudaInvertParam *param, unsigned int n_steps, double alpha)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Checks &checks) {
        check_steps(checks, static_cast<int>(n_steps), "alpha", alpha);
        check_wuppertal(checks.function, "alpha", alpha);
        return prepare_smearing(checks, h_out, h_in, param);
      },
      [&](QuarkJob &job) {
        carry_out_smearing(job, *param, QuarkSmearing::wuppertal(static_cast<int>(n_steps), alpha));
      });
}

void performGaussianSmearNStep(void *h_out, void *h_in, QudaInvertParam *param, const int n_steps, const double omega)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Checks &checks) {
        check_steps(checks, n_steps, "omega", omega);
        return prepare_smearing(checks, h_out, h_in, param);
      },
      [&](QuarkJob &job) { carry_out_smearing(job, *param, QuarkSmearing::gaussian(n_steps, omega)); });
}

void performFermionSmearQuda(void *h_out, void *h_in, QudaInvertParam *param, const int n_steps, const double coeff,
                             const QudaFermionSmearType smear_type)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Checks &checks) {
        check_argument(checks.function, "smear_type", smear_type);
        checks.same("smear_type", smear_type);
        check_steps(checks, n_steps, "coeff", coeff);
        if (smear_type == QUDA_FERMION_SMEAR_TYPE_WUPPERTAL) check_wuppertal(checks.function, "coeff", coeff);
        return prepare_smearing(checks, h_out, h_in, param);
      },
      [&](QuarkJob &job) {
        carry_out_smearing(job, *param,
                           smear_type == QUDA_FERMION_SMEAR_TYPE_WUPPERTAL ? QuarkSmearing::wuppertal(n_steps, coeff)
                                                                           : QuarkSmearing::gaussian(n_steps, coeff));
      });
}

void performTwoLinkGaussianSmearNStep(void *h_in, QudaQuarkSmearParam *smear_param)
{
  quda::jobs::performTwoLinkGaussianSmearNStep.call(h_in, smear_param);
}

} // extern "C"
