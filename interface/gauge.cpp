/// Gauge fields between the host and the library: load, save, free.
///
/// Links are stored as they come; anisotropy and t_boundary only determine how a third row is rebuilt. Links whose
/// third row differs, beyond rounding, from the one that 12 numbers give are stored whole, with a warning. Links with
/// staggered phases are always stored whole, as are Wilson links by 13 or 9 numbers, which stand for phases. Long
/// links are stored with 13 or 9 numbers if they are, within rounding, one number times unitary matrices, else whole,
/// with a warning; the number is computed from them (QudaGaugeParam.scale is not needed), and if the build has no
/// kernels for 9 or 13 the next better storage is used. With cuda_prec half the links are kept in the next better
/// precision, in which they are measured and solutions judged, and operators are applied on copies in half. ga_pad,
/// which our storage does not use, is checked and ignored. Copies for solvers are described here and made when used. A
/// lattice of one time slice, X[3] = 1, is held as two equal ones; it serves only the Laplace operator in three
/// dimensions and its eigenvectors.

#include "quda.h"

#include "core/built.h"
#include "core/log.h"
#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "interface/host_slices.h"
#include "interface/params/complete_param.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "targets/target.h"

#include <optional>
#include <vector>

namespace quda
{

namespace
{

  bool same_kind(const GaugeFieldParam &a, const GaugeFieldParam &b)
  {
    return a.lattice == b.lattice && a.precision == b.precision && a.reconstruct == b.reconstruct &&
           a.link_type == b.link_type && a.t_boundary == b.t_boundary && a.anisotropy == b.anisotropy &&
           a.tadpole == b.tadpole && a.scale == b.scale && a.gauge_fix == b.gauge_fix;
  }

  /// A lattice of one time slice, held as two equal slices.
  struct TwoSlices {
    QudaGaugeParam param;
    std::vector<char> links[4];
    void *pointers[4] {};

    TwoSlices(const char *function, const QudaGaugeParam &one)
        : param(one)
    {
      const auto refuse = [&](const char *member, const std::string &value, const char *allowed) {
        fail(ErrorKind::unsupported,
             text("%s: QudaGaugeParam.%s = %s with X[3] = 1; allowed: %s", function, member, value.c_str(), allowed));
      };
      if (one.type != QUDA_WILSON_LINKS && one.type != QUDA_SMEARED_LINKS)
        refuse("type", value_text(one.type), "QUDA_WILSON_LINKS, QUDA_SMEARED_LINKS");
      if (one.gauge_order != QUDA_QDP_GAUGE_ORDER)
        refuse("gauge_order", value_text(one.gauge_order), "QUDA_QDP_GAUGE_ORDER");
      if (one.use_resident_gauge) refuse("use_resident_gauge", "1", "0");
      param.X[3] = 2;
    }

    /// Fills it from the host; param must have been checked.
    void *fill(const char *function, void *h_gauge)
    {
      check_not_null(function, "h_gauge", h_gauge);
      if (default_communicator()->extent(3) > 1)
        fail(ErrorKind::unsupported, text("%s: QudaGaugeParam.X[3] = 1 on %d ranks in time; allowed: 1", function,
                                          default_communicator()->extent(3)));
      const std::size_t bytes =
          static_cast<std::size_t>(param.X[0]) * param.X[1] * param.X[2] * 2 * 18 * param.cpu_prec;
      for (int mu = 0; mu < 4; mu++) {
        const char *const one = static_cast<char **>(h_gauge)[mu];
        check_not_null(function, text("h_gauge[%d]", mu).c_str(), one);
        links[mu].resize(bytes);
        to_two_slices(links[mu].data(), one, bytes);
        pointers[mu] = links[mu].data();
      }
      return pointers;
    }
  };

  /// A checked load.
  struct GaugeLoadJob {
    const char *function;
    QudaGaugeParam *param;
    ResidentLinks *links;
    GaugeFieldParam field;
    std::optional<GaugeField> host;         // absent: the resident Wilson links
    std::unique_ptr<GaugeField> fresh;      // absent: the numbers go to the resident field
    Reconstruct packed = Reconstruct::none; // storage of the loaded links, if they permit it
    LinkStorage wishes[n_link_copies];
    std::unique_ptr<TwoSlices> slices {}; // replaces the host's one slice: host and param refer to it

    /// Resident links of this type.
    GaugeField &resident() const { return links->set(function, true).precise(); }
  };

  bool thirteen_or_nine(QudaReconstructType asked)
  {
    return asked == QUDA_RECONSTRUCT_13 || asked == QUDA_RECONSTRUCT_9;
  }

  /// Storage of long links for a requested reconstruct: 13 and 9, as far as they are built, else whole.
  Reconstruct long_storage(QudaReconstructType asked)
  {
    if (asked == QUDA_RECONSTRUCT_9 && built(Reconstruct::r9)) return Reconstruct::r9;
    return thirteen_or_nine(asked) && built(Reconstruct::r13) ? Reconstruct::r13 : Reconstruct::none;
  }

  bool twelve_or_eight(QudaReconstructType asked)
  {
    return asked == QUDA_RECONSTRUCT_12 || asked == QUDA_RECONSTRUCT_8;
  }

  /// Storage of copies for a requested reconstruct: by fewer numbers if links can be rebuilt, else whole. No kernel
  /// computes with eight numbers: twelve.
  Reconstruct stored_as(const QudaGaugeParam &param, QudaReconstructType asked)
  {
    if (param.type == QUDA_ASQTAD_LONG_LINKS) return long_storage(asked);
    const bool rebuilt = param.type == QUDA_WILSON_LINKS && !param.staggered_phase_applied && twelve_or_eight(asked);
    return rebuilt && built(Reconstruct::r12) ? Reconstruct::r12 : Reconstruct::none;
  }

  /// The same for the precise links; refuses impossible requests. Thirteen and nine are for long links, found later, or
  /// else for links with phases.
  Reconstruct precise_as(const char *function, const QudaGaugeParam &param)
  {
    const QudaReconstructType asked = param.reconstruct;
    const bool wilson = param.type == QUDA_WILSON_LINKS;
    const bool whole = (thirteen_or_nine(asked) && (wilson || param.type == QUDA_ASQTAD_LONG_LINKS)) ||
                       (twelve_or_eight(asked) && wilson && param.staggered_phase_applied);
    const QudaReconstructType taken = whole                                   ? QUDA_RECONSTRUCT_NO
                                      : wilson && asked == QUDA_RECONSTRUCT_8 ? QUDA_RECONSTRUCT_12
                                                                              : asked;
    check_built(function, "QudaGaugeParam.reconstruct", taken);
    return static_cast<Reconstruct>(taken);
  }

  GaugeLoadJob prepare_load(Checks &checks, void *h_gauge, QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    QudaGaugeParam *const of_host = param;
    std::unique_ptr<TwoSlices> slices;
    if (param->X[3] == 1) {
      slices = std::make_unique<TwoSlices>(function, *param);
      param = &slices->param;
    }
    check_host_gauge(checks, *param);
    if (slices) h_gauge = slices->fill(function, h_gauge);
    check_phases(checks, *param);
    check(checks, *param, &P::cuda_prec, &P::reconstruct, &P::cuda_prec_sloppy, &P::reconstruct_sloppy,
          &P::cuda_prec_refinement_sloppy, &P::reconstruct_refinement_sloppy, &P::cuda_prec_precondition,
          &P::reconstruct_precondition, &P::cuda_prec_eigensolver, &P::reconstruct_eigensolver, &P::ga_pad, &P::overlap,
          &P::use_resident_gauge);
    const Precision precision = kept_in(function, "QudaGaugeParam.cuda_prec", param->cuda_prec);
    const Reconstruct reconstruct = precise_as(function, *param);
    complete_gauge_param(*param);

    GaugeLoadJob load {function,
                       param,
                       &links_of(checks.session, function, param->type),
                       gauge_param(checks, *param),
                       {},
                       {},
                       Reconstruct::none,
                       {},
                       {}};
    load.field.precision = precision;
    load.field.reconstruct = reconstruct;
    if (param->type == QUDA_ASQTAD_LONG_LINKS) load.packed = long_storage(param->reconstruct);
    if (fitted(reconstruct)) {
      load.field.reconstruct = Reconstruct::none;
      load.packed = reconstruct;
    }
    const auto wish = [&](LinkCopy copy, QudaPrecision precision, const char *name, QudaReconstructType asked) {
      if (asked == QUDA_RECONSTRUCT_10)
        refuse(function, name, asked,
               "QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12, QUDA_RECONSTRUCT_8, QUDA_RECONSTRUCT_13, QUDA_RECONSTRUCT_9");
      load.wishes[static_cast<int>(copy)] = {static_cast<Precision>(precision), stored_as(*param, asked)};
    };
    wish(LinkCopy::sloppy, param->cuda_prec_sloppy, "QudaGaugeParam.reconstruct_sloppy", param->reconstruct_sloppy);
    wish(LinkCopy::refinement, param->cuda_prec_refinement_sloppy, "QudaGaugeParam.reconstruct_refinement_sloppy",
         param->reconstruct_refinement_sloppy);
    wish(LinkCopy::precondition, param->cuda_prec_precondition, "QudaGaugeParam.reconstruct_precondition",
         param->reconstruct_precondition);
    wish(LinkCopy::eigensolver, param->cuda_prec_eigensolver, "QudaGaugeParam.reconstruct_eigensolver",
         param->reconstruct_eigensolver);
    for (int d = 0; d < 4; d++)
      if (load.field.lattice->cut(d) && param->overlap > param->X[d])
        fail(ErrorKind::bad_argument, text("%s: QudaGaugeParam.overlap = %d; allowed: 0 to X[%d] = %d", function,
                                           param->overlap, d, param->X[d]));

    if (param->use_resident_gauge) {
      const GaugeField &resident = checks.session.wilson.precise(function);
      if (!same_sites(resident.lattice(), *load.field.lattice))
        fail(ErrorKind::bad_argument,
             text("%s: QudaGaugeParam.X = %d %d %d %d; allowed with use_resident_gauge: the resident field's, %d %d %d "
                  "%d",
                  function, param->X[0], param->X[1], param->X[2], param->X[3], resident.lattice().X(0),
                  resident.lattice().X(1), resident.lattice().X(2), resident.lattice().X(3)));
    } else {
      load.host.emplace(host_links(checks, "h_gauge", h_gauge, *param));
      check_finite(function, "h_gauge", *load.host);
    }
    const bool in_place =
        load.packed == Reconstruct::none && load.links->loaded() && same_kind(load.resident().param(), load.field);
    if (!in_place) load.fresh = std::make_unique<GaugeField>(load.field);
    const bool relabelled = load.field.link_type != LinkType::su3; // staggered sets may be made from Wilson links
    if (param->use_resident_gauge && load.fresh && !relabelled)
      check_like_resident(function, *load.fresh, checks.session.wilson.precise(function));
    if (slices) { // the part that was left open
      *of_host = slices->param;
      of_host->X[3] = 1;
    }
    load.slices = std::move(slices);
    return load;
  }

  /// Copies the resident Wilson links in the form of `like`: precision, storage, and for staggered fields the type.
  void take_resident(GaugeField &to, const GaugeField &wilson)
  {
    GaugeFieldParam param = to.param();
    param.link_type = LinkType::su3;
    param.anisotropy = wilson.anisotropy();
    param.tadpole = wilson.tadpole();
    param.t_boundary = wilson.t_boundary();
    param.gauge_fix = wilson.gauge_fix();
    param.create = Create::reference;
    param.data[0] = to.data();
    GaugeField as_wilson(param);
    as_wilson = wilson;
    to.set_phases(wilson.phases());
  }

  /// Stores links in the requested form, if they permit it.
  void pack(GaugeLoadJob &load)
  {
    const PhaseScope phase(Phase::compute);
    GaugeFieldParam param = load.fresh->param();
    param.reconstruct = load.packed;
    bool fits = false;
    if (load.links->loaded() && same_kind(load.resident().param(), param)) {
      GaugeField &resident = load.resident();
      write_or_free(
          resident, load.function,
          [&] {
            resident.mark_written();
            fits = store_links(load.function, resident, *load.fresh);
          },
          [&] { load.links->free(); });
      if (fits) load.fresh.reset();
    } else {
      auto packed = std::make_unique<GaugeField>(param);
      fits = store_links(load.function, *packed, *load.fresh);
      if (fits) load.fresh = std::move(packed);
    }
    if (!fits && over_their_unit(load.packed))
      for (LinkStorage &wish : load.wishes) wish.reconstruct = Reconstruct::none;
  }

  void carry_out(Session &session, GaugeLoadJob &load)
  {
    if (log_prints(Verbosity::debug)) printQudaGaugeParam(load.param);
    ResidentLinks &links = *load.links, &wilson = session.wilson;
    const auto fill = [&](GaugeField &to) {
      if (!load.host && &to == &wilson.precise(load.function)) return;
      to.mark_written(); // first: a copy may fail half way
      if (load.host) {
        const PhaseScope phase(Phase::h2d);
        to = *load.host;
      } else {
        const PhaseScope phase(Phase::compute);
        take_resident(to, wilson.precise(load.function));
      }
    };
    if (load.fresh) {
      fill(*load.fresh);
    } else {
      GaugeField &resident = load.resident();
      write_or_free(
          resident, load.function, [&] { fill(resident); }, [&] { links.free(); });
    }
    if (load.packed != Reconstruct::none) pack(load);
    if (!load.host && &wilson != &links) wilson.free();
    links.load(load.fresh ? std::move(load.fresh) : links.release(), load.wishes, load.slices != nullptr);
  }

  struct GaugeSaveJob {
    const GaugeField *from;
    GaugeField host;
  };

  GaugeSaveJob prepare_save(Checks &checks, void *h_gauge, QudaGaugeParam *param)
  {
    const char *function = checks.function;
    check_struct(function, param);
    check_host_gauge(checks, *param);
    if (param->location != QUDA_CPU_FIELD_LOCATION)
      refuse(function, "QudaGaugeParam.location", param->location, "QUDA_CPU_FIELD_LOCATION");
    const GaugeField &from = links_of(checks.session, function, param->type).precise(function);
    GaugeSaveJob save {&from, host_links(checks, "h_gauge", h_gauge, *param)};
    check_like_resident(function, save.host, from);
    return save;
  }

} // namespace

constexpr JobOf<::loadGaugeQuda> jobs::loadGaugeQuda {"loadGaugeQuda", by<prepare_load, carry_out>};

} // namespace quda

extern "C" {

void loadGaugeQuda(void *h_gauge, QudaGaugeParam *param) { quda::jobs::loadGaugeQuda.call(h_gauge, param); }

void saveGaugeQuda(void *h_gauge, QudaGaugeParam *param)
{
  quda::guard_collective(
      __func__, [&](quda::Checks &checks) { return quda::prepare_save(checks, h_gauge, param); },
      [&](quda::GaugeSaveJob &save) {
        const quda::PhaseScope phase(quda::Phase::d2h);
        save.host = *save.from;
      });
}

void freeGaugeQuda(void)
{
  quda::guard(__func__, [](quda::Session &session) { session.free_links(); });
}

void freeUniqueGaugeQuda(QudaLinkType link_type)
{
  const char *function = __func__;
  quda::guard(function, [&](quda::Session &session) {
    quda::check_argument(function, "link_type", link_type);
    if (link_type == QUDA_WILSON_LINKS) session.stout.reset();
    if (link_type == QUDA_TWOLINK_LINKS)
      session.two_link.free();
    else
      quda::links_of(session, function, link_type, ", QUDA_TWOLINK_LINKS").free();
  });
}

void freeGaugeSmearedQuda(void) { freeUniqueGaugeQuda(QUDA_SMEARED_LINKS); }

void freeGaugeTwoLinkQuda(void) { freeUniqueGaugeQuda(QUDA_TWOLINK_LINKS); }

} // extern "C"
