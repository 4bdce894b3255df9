#include "interface/host_gauge.h"

#include "core/built.h"
#include "interface/finite.h"
#include "interface/params/param_table.h"

namespace quda
{

void check_built(const char *function, const char *name, QudaPrecision precision)
{
  if (precision != QUDA_DOUBLE_PRECISION && precision != QUDA_SINGLE_PRECISION)
    fail(ErrorKind::unsupported, text("%s: %s = %s; allowed: QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION", function,
                                      name, value_text(precision).c_str()));
  if (!(QUDA_PRECISION & precision))
    fail(ErrorKind::not_built, text("%s: %s = %s is not in this build (QUDA_PRECISION = %d)", function, name,
                                    value_text(precision).c_str(), QUDA_PRECISION));
}

void check_built(const char *function, const char *name, QudaReconstructType reconstruct)
{
  const std::string value = value_text(reconstruct);
  if (reconstruct != QUDA_RECONSTRUCT_NO && reconstruct != QUDA_RECONSTRUCT_12)
    fail(ErrorKind::unsupported,
         text("%s: %s = %s; allowed: QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12", function, name, value.c_str()));
  if (!(QUDA_RECONSTRUCT & (reconstruct == QUDA_RECONSTRUCT_NO ? 4 : 2)))
    fail(ErrorKind::not_built, text("%s: %s = %s is not in this build (QUDA_RECONSTRUCT = %d)", function, name,
                                    value.c_str(), QUDA_RECONSTRUCT));
}

Precision kept_in(const char *function, const char *name, QudaPrecision precision)
{
  if (precision == QUDA_HALF_PRECISION && built(Precision::half)) return next_better(Precision::half);
  check_built(function, name, precision);
  return static_cast<Precision>(precision);
}

ResidentLinks &links_of(Session &session, const char *function, QudaLinkType type, const char *also)
{
  if (ResidentLinks *links = session.links(static_cast<LinkType>(type))) return *links;
  fail(ErrorKind::bad_argument,
       text("%s: type = %s; allowed: QUDA_WILSON_LINKS, QUDA_ASQTAD_FAT_LINKS, QUDA_ASQTAD_LONG_LINKS, "
            "QUDA_SMEARED_LINKS%s",
            function, value_text(type).c_str(), also));
}

void check_lattice(Checks &checks, const QudaGaugeParam &param)
{
  check(checks, param, &QudaGaugeParam::X);
  const int *S = checks.session.lattice(param.X)->S();
  checks.same("the cut into lanes (QUDA_LANE_SPLIT)", ((S[0] * 100 + S[1]) * 100 + S[2]) * 100 + S[3]);
}

/// Checks common to load and save.
void check_host_gauge(Checks &checks, const QudaGaugeParam &param)
{
  using P = QudaGaugeParam;
  const char *function = checks.function;
  check_lattice(checks, param);
  check(checks, param, &P::location, &P::type, &P::gauge_order, &P::t_boundary, &P::cpu_prec, &P::gauge_fix);
  links_of(checks.session, function, param.type);
  if (param.type == QUDA_WILSON_LINKS)
    check(checks, param, &P::anisotropy);
  else if (!is_unset(param, &P::anisotropy) && param.anisotropy != 1)
    fail(ErrorKind::bad_argument, text("%s: QudaGaugeParam.anisotropy = %g; allowed with type = %s: 1", function,
                                       param.anisotropy, value_text(param.type).c_str()));
  if (param.type == QUDA_ASQTAD_LONG_LINKS) check(checks, param, &P::tadpole_coeff, &P::scale);
}

void refuse_staggered_phases(Checks &checks, const QudaGaugeParam &param)
{
  check(checks, param, &QudaGaugeParam::staggered_phase_applied);
  if (param.staggered_phase_applied)
    refuse(checks.function, "QudaGaugeParam.staggered_phase_applied", "1", "0, links without staggered phases",
           ErrorKind::unsupported);
}

void check_phases(Checks &checks, const QudaGaugeParam &param)
{
  using P = QudaGaugeParam;
  check(checks, param, &P::staggered_phase_type, &P::staggered_phase_applied, &P::i_mu);
}

void check_phases_stored(const char *function, const QudaGaugeParam &param, const char *name,
                         QudaReconstructType reconstruct)
{
  if (param.staggered_phase_applied && reconstruct != QUDA_RECONSTRUCT_NO)
    fail(ErrorKind::bad_argument, text("%s: %s = %s; allowed with staggered_phase_applied = 1: QUDA_RECONSTRUCT_NO",
                                       function, name, value_text(reconstruct).c_str()));
}

void check_like_resident(const char *function, const GaugeField &described, const GaugeField &resident)
{
  const auto found = difference(described, resident);
  if (!found) return;
  const std::string &name = found->name;
  fail(ErrorKind::bad_argument, text("%s: QudaGaugeParam.%s = %s; allowed: the resident field's, %s", function,
                                     name == "link_type" ? "type"
                                     : name == "tadpole" ? "tadpole_coeff"
                                                         : name.c_str(),
                                     found->a.c_str(), found->b.c_str()));
}

/// The field that the structure describes, in native order.
GaugeFieldParam gauge_param(Checks &checks, const QudaGaugeParam &param)
{
  GaugeFieldParam field;
  field.lattice = checks.session.lattice(param.X);
  field.link_type = static_cast<LinkType>(param.type);
  field.t_boundary = static_cast<TBoundary>(param.t_boundary);
  field.gauge_fix = param.gauge_fix == QUDA_GAUGE_FIXED_YES;
  // numbers that a set does not need may be unset
  if (!is_unset(param, &QudaGaugeParam::anisotropy)) field.anisotropy = param.anisotropy;
  if (!is_unset(param, &QudaGaugeParam::tadpole_coeff)) field.tadpole = param.tadpole_coeff;
  if (!is_unset(param, &QudaGaugeParam::scale) && param.scale != 0) field.scale = param.scale;
  field.phases = {static_cast<StaggeredPhase>(param.staggered_phase_type), param.staggered_phase_applied != 0,
                  param.i_mu};
  return field;
}

namespace
{

  constexpr const char *link_orders = "QUDA_QDP_GAUGE_ORDER, QUDA_QDPJIT_GAUGE_ORDER, QUDA_CPS_WILSON_GAUGE_ORDER, "
                                      "QUDA_MILC_GAUGE_ORDER, QUDA_MILC_SITE_GAUGE_ORDER, QUDA_BQCD_GAUGE_ORDER, "
                                      "QUDA_TIFR_GAUGE_ORDER, QUDA_TIFR_PADDED_GAUGE_ORDER";
  constexpr const char *momentum_orders = "QUDA_QDP_GAUGE_ORDER, QUDA_MILC_GAUGE_ORDER, QUDA_MILC_SITE_GAUGE_ORDER";

  /// Whether the order is one of those listed above.
  bool is_among(QudaGaugeFieldOrder order, bool momentum)
  {
    switch (order) {
    case QUDA_QDP_GAUGE_ORDER:
    case QUDA_MILC_GAUGE_ORDER:
    case QUDA_MILC_SITE_GAUGE_ORDER:
      return true;
    case QUDA_QDPJIT_GAUGE_ORDER:
    case QUDA_CPS_WILSON_GAUGE_ORDER:
    case QUDA_BQCD_GAUGE_ORDER:
    case QUDA_TIFR_GAUGE_ORDER:
    case QUDA_TIFR_PADDED_GAUGE_ORDER:
      return !momentum;
    default:
      return false;
    }
  }

  /// Checks the layout of a site of the host.
  std::size_t check_site(const char *function, const QudaGaugeParam &param, bool momentum)
  {
    const std::size_t real = param.cpu_prec, needed = 4 * (momentum ? 10 : 18) * real;
    const char *const name = momentum ? "mom_offset" : "gauge_offset";
    const std::size_t offset = momentum ? param.mom_offset : param.gauge_offset;
    if (param.site_size < needed || param.site_size % real)
      fail(ErrorKind::bad_argument, text("%s: QudaGaugeParam.site_size = %zu; allowed: a multiple of %zu, %zu or more",
                                         function, param.site_size, real, needed));
    if (offset > param.site_size - needed || offset % real)
      fail(ErrorKind::bad_argument, text("%s: QudaGaugeParam.%s = %zu; allowed: a multiple of %zu, up to site_size - "
                                         "%zu = %zu",
                                         function, name, offset, real, needed, param.site_size - needed));
    return offset;
  }

  /// Points `field` to the host's arrays in the order that param names.
  GaugeField host_field(const char *function, const char *name, void *arrays, const QudaGaugeParam &param,
                        GaugeFieldParam field)
  {
    const bool momentum = field.link_type == LinkType::momentum;
    check_not_null(function, name, arrays);
    if (!is_among(param.gauge_order, momentum))
      fail(ErrorKind::unsupported,
           text("%s: gauge_order = %s; allowed: %s", function, value_text(param.gauge_order).c_str(),
                momentum ? momentum_orders : link_orders));
    field.precision = static_cast<Precision>(param.cpu_prec);
    field.order = static_cast<GaugeOrder>(param.gauge_order);
    field.location = Location::host;
    field.create = Create::reference;
    field.data[0] = arrays;
    if (param.gauge_order == QUDA_MILC_SITE_GAUGE_ORDER) {
      field.data[0] = static_cast<char *>(arrays) + check_site(function, param, momentum);
      field.site_bytes = static_cast<long long>(param.site_size);
    } else if (separate_arrays(field.order)) {
      for (int mu = 0; mu < 4; mu++) {
        field.data[mu] = static_cast<void **>(arrays)[mu];
        check_not_null(function, text("%s[%d]", name, mu).c_str(), field.data[mu]);
      }
    }
    return GaugeField(field);
  }

} // namespace

GaugeField host_links(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param)
{
  return host_field(checks.function, name, arrays, param, gauge_param(checks, param));
}

GaugeField host_links_like(Checks &checks, const char *name, void *array, const QudaGaugeParam &param,
                           const GaugeFieldParam &like)
{
  GaugeFieldParam field = like;
  for (int &R : field.R) R = 0;
  field.reconstruct = Reconstruct::none;
  field.scale = gauge_param(checks, param).scale; // of the array
  return host_field(checks.function, name, array, param, field);
}

GaugeFieldParam momentum_param(Checks &checks, const QudaGaugeParam &param)
{
  GaugeFieldParam field;
  field.lattice = checks.session.lattice(param.X);
  field.link_type = LinkType::momentum;
  field.reconstruct = Reconstruct::r10;
  return field;
}

GaugeField host_momentum(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param)
{
  return host_field(checks.function, name, arrays, param, momentum_param(checks, param));
}

namespace
{

  /// The numbers of one array of the host.
  RealRuns runs_of(const GaugeField &host, int array)
  {
    const Lattice &lattice = host.lattice();
    const long long reals = host.reals(), volume = lattice.volume();
    const FieldView &layout = host.layout();
    const long long xy = static_cast<long long>(lattice.X(0)) * lattice.X(1) / 2 * reals;
    switch (host.order()) {
    case GaugeOrder::milc_site:
      return {host.data(), volume, 4 * reals, layout.record_stride};
    case GaugeOrder::bqcd:
      return {host.data(), 8, volume / 2 * reals, layout.parity_stride};
    case GaugeOrder::tifr_padded: {
      const char *first = static_cast<const char *>(host.data()) + tifr_padding * xy * bytes_of(host.precision());
      return {first, 8LL * lattice.X(3), lattice.X(2) * xy, (lattice.X(2) + 2 * tifr_padding) * xy};
    }
    default:
      const long long all = volume * reals * (separate_arrays(host.order()) ? 1 : 4);
      return {host.data(array), 1, all, all};
    }
  }

  /// Direction, even-odd slot and real of number n in such runs.
  struct Where {
    int mu;
    long long slot;
    int real;
  };

  Where where(const GaugeField &host, int array, long long n)
  {
    const long long reals = host.reals(), volume = host.lattice().volume(), matrix = n / reals;
    const auto real = static_cast<int>(n % reals);
    switch (host.order()) {
    case GaugeOrder::qdp:
      return {array, matrix, real};
    case GaugeOrder::qdpjit: {
      const long long plane = n / volume;
      return {array, n % volume, static_cast<int>(2 * (plane % 9) + plane / 9)};
    }
    case GaugeOrder::tifr:
    case GaugeOrder::tifr_padded:
    case GaugeOrder::bqcd:
      return {static_cast<int>(matrix / volume), matrix % volume, real};
    default:
      return {static_cast<int>(matrix % 4), matrix / 4, real};
    }
  }

} // namespace

void check_finite(const char *function, const char *name, const GaugeField &host)
{
  const int period = host.link_type() == LinkType::momentum ? host.reals() : 0; // MILC never sets the tenth real
  for (int array = 0; array < (separate_arrays(host.order()) ? 4 : 1); array++) {
    const long long found = first_not_finite(runs_of(host, array), host.precision(), period);
    if (found < 0) continue;
    const Where at = where(host, array, found);
    int x[4];
    host.lattice().slot_coordinates(at.slot, x);
    fail(ErrorKind::bad_argument,
         text("%s: %s holds a number that is NaN or infinite: direction %d, site %d %d %d %d of this rank, real "
              "%d of the matrix; allowed: finite numbers",
              function, name, at.mu, x[0], x[1], x[2], x[3], at.real));
  }
}

} // namespace quda
