/// Smearing of quark fields in space.
///
///   performWuppertalnStep     : n times psi <- (psi + alpha sum_i [hops]) / (1 + 6 alpha)
///   performGaussianSmearNStep : n times psi <- psi + (omega^2 / 4 n) (sum_i [hops] - 6 psi)
///   performFermionSmearQuda   : one of these
/// hops of direction i, x y z: U_i(x) psi(x + i) + U_i(x - i)^dag psi(x - i), of the smeared links where there are any.
///   performTwoLinkGaussianSmearNStep :
///                 n times psi <- psi + (width^2 / 16 n) (sum_i [hops] - 2 d psi) of colour vectors, in place; hops
///                 to x +- 2 i over products T_i of two links, d = 3 directions or 4 (laplace3D). T stays resident
///                 until the links are written, or delete_2link says otherwise. t0 >= 0 with d = 3: the other time
///                 slices keep what they hold
///   computeTwoLinkQuda        : T_mu(x) = U_mu(x) U_mu(x + mu) of links of the host, or of the resident ones
/// dslash_type tells how many spins the fields have. cuda_prec is that of the links or a lower one.

#include "quda.h"

#include "core/profile.h"
#include "interface/quark_call.h"
#include "interface/host_gauge.h"
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

  QuarkCall prepare_smearing(Call &call, void *h_out, const void *h_in, const QudaInvertParam *param)
  {
    check_struct(call.function, param);
    const bool smeared = resident_links(LinkType::smeared)->loaded();
    call.same("whether smeared links are resident", smeared);
    QuarkCall quarks = link_call(call, *param, *resident_links(smeared ? LinkType::smeared : LinkType::su3));
    add_fields(call.function, quarks, *param, "h_out", h_out, -1, "h_in", h_in, -1);
    return quarks;
  }

  void check_steps(Call &call, int n, const char *name, double weight)
  {
    if (n < 0) fail(ErrorKind::bad_argument, text("%s: n_steps = %d; allowed: 0 or more", call.function, n));
    check_number(call.function, name, weight);
    call.same("n_steps", n);
    call.same(name, weight);
  }

  void check_wuppertal(const char *function, const char *name, double alpha)
  {
    if (1 + 6 * alpha == 0)
      fail(ErrorKind::bad_argument, text("%s: %s = %g; allowed: anything but -1/6", function, name, alpha));
  }

  /// links: asked for when fields are in.
  void carry_out_smearing(QuarkCall &call, QudaInvertParam &param, const QuarkSmearing &smearing,
                          const std::function<const GaugeField &()> &links)
  {
    carry_out(call, param, [&](const Dirac &, ColorSpinorField &out, const ColorSpinorField &in) {
      smear_quarks(out, in, links(), smearing);
      return smearing.flops(in);
    });
  }
  void carry_out_smearing(QuarkCall &call, QudaInvertParam &param, const QuarkSmearing &smearing)
  {
    carry_out_smearing(call, param, smearing, [&]() -> const GaugeField & { return call.links->copy(call.storage); });
  }

  // ---- with products of two links ----

  std::uint64_t two_links_made_from = 0; // tag of the links

  /// Whether there are products of these links, which have not been written since.
  bool two_links_are_resident(const LinkSet &links)
  {
    return resident_links(LinkType::twolink)->loaded() && two_links_made_from == links.precise().tag();
  }

  QuarkCall prepare_two_link(Call &call, void *field, const QudaQuarkSmearParam *param)
  {
    using P = QudaQuarkSmearParam;
    const char *function = call.function;
    check_struct(function, param);
    check(call, *param, &P::n_steps, &P::width, &P::compute_2link, &P::delete_2link, &P::t0);
    check_not_null(function, "smear_param->inv_param", param->inv_param);
    const QudaInvertParam &quark = *param->inv_param;
    check_struct(function, &quark);
    check(call, quark, &QudaInvertParam::laplace3D);
    if (quark.laplace3D != 3 && quark.laplace3D != 4)
      fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.laplace3D = %d; allowed: 3 (space) or 4 (space and time)",
                                         function, quark.laplace3D));
    QuarkCall quarks = link_call(call, quark, *resident_links(LinkType::su3));
    check_color_vectors(function, quarks, quark);
    if (param->n_steps > 0 && !param->compute_2link)
      call.same("whether products of two links are resident", two_links_are_resident(*quarks.links));
    const Lattice &lattice = quarks.links->precise().lattice();
    if (param->t0 >= 0 && quark.laplace3D == 4)
      fail(ErrorKind::bad_argument,
           text("%s: QudaQuarkSmearParam.t0 = %d with laplace3D = 4; allowed: a negative one", function, param->t0));
    if (param->t0 >= lattice.global_X()[3])
      fail(ErrorKind::bad_argument,
           text("%s: QudaQuarkSmearParam.t0 = %d; allowed: below the lattice's %lld time slices", function, param->t0,
                lattice.global_X()[3]));
    add_fields(function, quarks, quark, "h_in", field, -1, "h_in", field, -1);
    return quarks;
  }

  /// Brings back all time slices of a field of the host but t0, of the whole lattice. The memory is any that the target
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

  /// The products of these links that are resident, made where there are none.
  const LinkSet &resident_two_link(const LinkSet &links)
  {
    ResidentLinks &products = *resident_links(LinkType::twolink);
    if (!two_links_are_resident(links)) {
      products.load(std::make_unique<GaugeField>(two_link(links)));
      two_links_made_from = links.precise().tag();
    }
    return products.set("two_link");
  }

  void carry_out_two_link(QuarkCall &call, void *field, QudaQuarkSmearParam &param)
  {
    QudaInvertParam &quark = *param.inv_param;
    std::optional<OtherSlices> others;
    if (param.t0 >= 0) others.emplace(field, call.h_in[0], param.t0);
    if (param.compute_2link) resident_links(LinkType::twolink)->free();
    if (param.n_steps > 0)
      carry_out_smearing(call, quark, QuarkSmearing::two_link(param.n_steps, param.width, quark.laplace3D),
                         [&]() -> const GaugeField & {
                           return resident_two_link(*call.links).copy({call.storage.precision, Reconstruct::none});
                         });
    if (others) others->restore();
    if (param.delete_2link) resident_links(LinkType::twolink)->free();
    param.secs = quark.secs;
    param.gflops = quark.gflops;
  }

  struct TwoLinkOfHost {
    LinkSource links;
    GaugeField out;
  };

  TwoLinkOfHost prepare_products(Call &call, void *twolink, void *inlink, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = call.function;
    check_struct(function, param);
    check(call, *param, &P::cuda_prec, &P::gauge_order, &P::cpu_prec);
    QudaGaugeParam given = *param;
    given.use_resident_gauge = inlink == nullptr;
    given.make_resident_gauge = 0;
    call.same("whether inlink is null", inlink == nullptr);
    LinkSource links = link_source(call, "inlink", inlink, given, param->cuda_prec, "QudaGaugeParam.cuda_prec");
    GaugeField out = host_links_like(function, "twolink", twolink, given, matrices_of(links.field));
    return {std::move(links), std::move(out)};
  }

  void carry_out_products(TwoLinkOfHost &call)
  {
    LinkSet own;
    if (call.links.host) own.load(call.links.load());
    std::optional<GaugeField> products;
    {
      const PhaseScope phase(Phase::compute);
      products.emplace(two_link(call.links.host ? own : resident_links(LinkType::su3)->set(call.links.function)));
    }
    const PhaseScope phase(Phase::d2h);
    call.out = *products;
  }

} // namespace

} // namespace quda

extern "C" {

void computeTwoLinkQuda(void *twolink, void *inlink, QudaGaugeParam *param)
{
  quda::guard_collective(
      __func__, [&](quda::Call &call) { return quda::prepare_products(call, twolink, inlink, param); },
      [](quda::TwoLinkOfHost &call) { quda::carry_out_products(call); });
}

void performWuppertalnStep(void *h_out, void *h_in, QudaInvertParam *param, unsigned int n_steps, double alpha)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Call &call) {
        check_steps(call, static_cast<int>(n_steps), "alpha", alpha);
        check_wuppertal(call.function, "alpha", alpha);
        return prepare_smearing(call, h_out, h_in, param);
      },
      [&](QuarkCall &call) {
        carry_out_smearing(call, *param, QuarkSmearing::wuppertal(static_cast<int>(n_steps), alpha));
      });
}

void performGaussianSmearNStep(void *h_out, void *h_in, QudaInvertParam *param, const int n_steps, const double omega)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Call &call) {
        check_steps(call, n_steps, "omega", omega);
        return prepare_smearing(call, h_out, h_in, param);
      },
      [&](QuarkCall &call) { carry_out_smearing(call, *param, QuarkSmearing::gaussian(n_steps, omega)); });
}

void performFermionSmearQuda(void *h_out, void *h_in, QudaInvertParam *param, const int n_steps, const double coeff,
                             const QudaFermionSmearType smear_type)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Call &call) {
        check_argument(call.function, "smear_type", smear_type);
        call.same("smear_type", smear_type);
        check_steps(call, n_steps, "coeff", coeff);
        if (smear_type == QUDA_FERMION_SMEAR_TYPE_WUPPERTAL) check_wuppertal(call.function, "coeff", coeff);
        return prepare_smearing(call, h_out, h_in, param);
      },
      [&](QuarkCall &call) {
        carry_out_smearing(call, *param,
                           smear_type == QUDA_FERMION_SMEAR_TYPE_WUPPERTAL ? QuarkSmearing::wuppertal(n_steps, coeff)
                                                                           : QuarkSmearing::gaussian(n_steps, coeff));
      });
}

void performTwoLinkGaussianSmearNStep(void *h_in, QudaQuarkSmearParam *smear_param)
{
  quda::guard_collective(
      __func__, [&](quda::Call &call) { return quda::prepare_two_link(call, h_in, smear_param); },
      [&](quda::QuarkCall &call) { quda::carry_out_two_link(call, h_in, *smear_param); });
}

} // extern "C"
