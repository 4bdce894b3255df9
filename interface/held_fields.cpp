/// Fields of matrices that the host holds through a handle.
///
///   createGaugeFieldQuda          : a field of the library, of cpu_prec and reconstruct 18, with the host's numbers
///                                   or zeros
///   saveGaugeFieldQuda            : its numbers to the host's array
///   destroyGaugeFieldQuda         : frees it; null: nothing
///   copyExtendedResidentGaugeQuda : the resident links into a field with four matrices per site
///
/// The library keeps borders by itself, so a handle refers only to the sites of the rank. Fields with one matrix per
/// site take host arrays (parity, x_cb, row, column); QDP and MILC order are then the same.

#include "quda.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

#include <optional>

namespace quda
{

HeldField &held(Session &session, const char *function, const char *name, void *handle)
{
  if (HeldField *const field = session.held.find(handle)) return *field;
  fail(ErrorKind::bad_argument, text("%s: %s = %p; allowed: a handle of createGaugeFieldQuda() that has not been freed",
                                     function, name, handle));
}

void free_held(Session &session, const char *function, const char *name, void *handle)
{
  held(session, function, name, handle);
  session.held.free(handle);
}

namespace
{

  constexpr int one_matrix = 1, four_matrices = 4;

  /// A host's array of matrices, or the description of a future one.
  struct HostMatrices {
    std::optional<GaugeField> links;
    std::optional<SiteField> matrices;
  };

  /// Description of the host's array as general matrices.
  QudaGaugeParam described(Checks &checks, const QudaGaugeParam *param)
  {
    check_struct(checks.function, param);
    check_lattice(checks, *param);
    check(checks, *param, &QudaGaugeParam::gauge_order, &QudaGaugeParam::cpu_prec);
    QudaGaugeParam general = *param;
    general.type = QUDA_ASQTAD_FAT_LINKS;
    general.t_boundary = QUDA_PERIODIC_T;
    general.anisotropy = general.tadpole_coeff = 1;
    general.gauge_fix = QUDA_GAUGE_FIXED_NO;
    general.staggered_phase_applied = 0;
    return general;
  }

  SiteFieldParam matrix_param(Checks &checks, const QudaGaugeParam &param)
  {
    SiteFieldParam field;
    field.lattice = checks.session.lattice(param.X);
    field.precision = static_cast<Precision>(param.cpu_prec);
    field.reals = 18;
    return field;
  }

  HostMatrices host_matrices(Checks &checks, const char *name, void *array, const QudaGaugeParam &param, int geometry)
  {
    const char *function = checks.function;
    HostMatrices host;
    if (geometry == four_matrices) {
      host.links.emplace(host_links(checks, name, array, param));
      return host;
    }
    if (param.gauge_order != QUDA_QDP_GAUGE_ORDER && param.gauge_order != QUDA_MILC_GAUGE_ORDER)
      fail(ErrorKind::unsupported, text("%s: gauge_order = %s with one matrix a site; allowed: QUDA_QDP_GAUGE_ORDER, "
                                        "QUDA_MILC_GAUGE_ORDER",
                                        function, value_text(param.gauge_order).c_str()));
    check_not_null(function, name, array);
    SiteFieldParam field = matrix_param(checks, param);
    field.native = false;
    field.location = Location::host;
    field.create = Create::reference;
    field.data = array;
    host.matrices.emplace(field);
    return host;
  }

  struct FieldCreationJob {
    HeldField field;
    HostMatrices host;
  };

  FieldCreationJob prepare_creation(Checks &checks, void *gauge, int geometry, const QudaGaugeParam *param)
  {
    const char *function = checks.function;
    if (geometry != one_matrix && geometry != four_matrices) refuse(function, "geometry", geometry, "1, 4");
    checks.same("geometry", geometry);
    checks.same("whether gauge is null", gauge == nullptr);
    const QudaGaugeParam general = described(checks, param);
    check_built(function, "QudaGaugeParam.cpu_prec", param->cpu_prec);
    FieldCreationJob creation;
    if (gauge) creation.host = host_matrices(checks, "gauge", gauge, general, geometry);
    const Create create = gauge ? Create::allocate : Create::zero;
    if (geometry == four_matrices) {
      GaugeFieldParam field = gauge_param(checks, general);
      field.precision = static_cast<Precision>(param->cpu_prec);
      field.create = create;
      creation.field.links = std::make_unique<GaugeField>(field);
    } else {
      SiteFieldParam field = matrix_param(checks, general);
      field.create = create;
      creation.field.matrices = std::make_unique<SiteField>(field);
    }
    return creation;
  }

  void *create(Session &session, FieldCreationJob &creation)
  {
    const PhaseScope phase(Phase::h2d);
    if (creation.host.links) *creation.field.links = *creation.host.links;
    if (creation.host.matrices) *creation.field.matrices = *creation.host.matrices;
    return session.held.keep(std::make_shared<HeldField>(std::move(creation.field)));
  }

  struct FieldSavingJob {
    const HeldField *field;
    HostMatrices host;
  };

  FieldSavingJob prepare_saving(Checks &checks, void *gauge, void *handle, const QudaGaugeParam *param)
  {
    const char *function = checks.function;
    const HeldField &field = held(checks.session, function, "inGauge", handle);
    const QudaGaugeParam general = described(checks, param);
    FieldSavingJob saving {&field,
                           host_matrices(checks, "outGauge", gauge, general, field.links ? four_matrices : one_matrix)};
    checks.same("the matrices a site", field.links ? four_matrices : one_matrix);
    if (field.links)
      check_like_resident(function, *saving.host.links, *field.links);
    else
      check_same_numbers(function, *saving.host.matrices, *field.matrices);
    return saving;
  }

  void save(FieldSavingJob &saving)
  {
    const PhaseScope phase(Phase::d2h);
    if (saving.host.links) *saving.host.links = *saving.field->links;
    if (saving.host.matrices) *saving.host.matrices = *saving.field->matrices;
  }

  struct LinkCopyJob {
    GaugeField &to;
    const GaugeField &links;
  };

  LinkCopyJob prepare_copy(Checks &checks, void *resident_gauge)
  {
    const char *function = checks.function;
    const HeldField &field = held(checks.session, function, "resident_gauge", resident_gauge);
    const GaugeField &links = checks.session.wilson.precise(function);
    if (!field.links)
      fail(ErrorKind::bad_argument,
           text("%s: resident_gauge is a field of one matrix a site; allowed: of four", function));
    if (!same_sites(field.links->lattice(), links.lattice()))
      fail(ErrorKind::bad_argument,
           text("%s: resident_gauge is a field on another lattice than the resident links'", function));
    checks.same("the precision of resident_gauge", field.links->precision());
    checks.same("the storage of the resident links", links.reconstruct());
    return {*field.links, links};
  }

  void copy_resident(LinkCopyJob &job)
  {
    const PhaseScope phase(Phase::compute);
    GaugeFieldParam as_links = job.links.param(); // what a copy compares, over the memory of the field
    as_links.precision = job.to.precision();
    as_links.reconstruct = Reconstruct::none;
    as_links.create = Create::reference;
    as_links.data[0] = job.to.data();
    GaugeField view(as_links);
    view = job.links;
    job.to.set_phases(job.links.phases());
    job.to.mark_written();
  }

} // namespace

constexpr JobOf<::createGaugeFieldQuda> jobs::createGaugeFieldQuda {"createGaugeFieldQuda",
                                                                    by<prepare_creation, create>};
constexpr JobOf<::saveGaugeFieldQuda> jobs::saveGaugeFieldQuda {"saveGaugeFieldQuda", by<prepare_saving, save>};
constexpr JobOf<::copyExtendedResidentGaugeQuda> jobs::copyExtendedResidentGaugeQuda {"copyExtendedResidentGaugeQuda",
                                                                                      by<prepare_copy, copy_resident>};

} // namespace quda

extern "C" {

void *createGaugeFieldQuda(void *gauge, int geometry, QudaGaugeParam *param)
{
  return quda::jobs::createGaugeFieldQuda.call(gauge, geometry, param);
}

void saveGaugeFieldQuda(void *outGauge, void *inGauge, QudaGaugeParam *param)
{
  quda::jobs::saveGaugeFieldQuda.call(outGauge, inGauge, param);
}

void destroyGaugeFieldQuda(void *gauge)
{
  const char *function = __func__;
  quda::guard(function, [&](quda::Session &session) {
    if (gauge) quda::free_held(session, function, "gauge", gauge);
  });
}

void copyExtendedResidentGaugeQuda(void *resident_gauge)
{
  quda::jobs::copyExtendedResidentGaugeQuda.call(resident_gauge);
}

} // extern "C"
