#include "interface/host_gauge.h"

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

ResidentLinks &links_of(const char *function, QudaLinkType type, const char *also)
{
  if (ResidentLinks *links = resident_links(static_cast<LinkType>(type))) return *links;
  fail(ErrorKind::bad_argument,
       text("%s: type = %s; allowed: QUDA_WILSON_LINKS, QUDA_ASQTAD_FAT_LINKS, QUDA_ASQTAD_LONG_LINKS, "
            "QUDA_SMEARED_LINKS%s",
            function, value_text(type).c_str(), also));
}

void check_lattice(Call &call, const QudaGaugeParam &param)
{
  check(call, param, &QudaGaugeParam::X);
  const int *S = resident_lattice(param.X)->S();
  call.same("the cut into lanes (QUDA_LANE_SPLIT)", ((S[0] * 100 + S[1]) * 100 + S[2]) * 100 + S[3]);
}

/// What load and save read alike.
void check_host_gauge(Call &call, const QudaGaugeParam &param)
{
  using P = QudaGaugeParam;
  const char *function = call.function;
  check_lattice(call, param);
  check(call, param, &P::location, &P::type, &P::gauge_order, &P::t_boundary, &P::cpu_prec, &P::gauge_fix);
  links_of(function, param.type);
  if (param.type == QUDA_WILSON_LINKS)
    check(call, param, &P::anisotropy);
  else if (!is_unset(param, &P::anisotropy) && param.anisotropy != 1)
    fail(ErrorKind::bad_argument, text("%s: QudaGaugeParam.anisotropy = %g; allowed with type = %s: 1", function,
                                       param.anisotropy, value_text(param.type).c_str()));
  if (param.type == QUDA_ASQTAD_LONG_LINKS) check(call, param, &P::tadpole_coeff, &P::scale);
}

void refuse_staggered_phases(Call &call, const QudaGaugeParam &param)
{
  check(call, param, &QudaGaugeParam::staggered_phase_applied);
  if (param.staggered_phase_applied)
    fail(ErrorKind::unsupported,
         text("%s: QudaGaugeParam.staggered_phase_applied = 1; allowed: 0, links without staggered phases",
              call.function));
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

/// The field the structure describes, in native order.
GaugeFieldParam gauge_param(const QudaGaugeParam &param)
{
  GaugeFieldParam field;
  field.lattice = resident_lattice(param.X);
  field.link_type = static_cast<LinkType>(param.type);
  field.t_boundary = static_cast<TBoundary>(param.t_boundary);
  field.gauge_fix = param.gauge_fix == QUDA_GAUGE_FIXED_YES;
  // numbers that a set does not need may be unset
  if (!is_unset(param, &QudaGaugeParam::anisotropy)) field.anisotropy = param.anisotropy;
  if (!is_unset(param, &QudaGaugeParam::tadpole_coeff)) field.tadpole = param.tadpole_coeff;
  if (!is_unset(param, &QudaGaugeParam::scale) && param.scale != 0) field.scale = param.scale;
  return field;
}

namespace
{

  /// Points `field` to the host's arrays in the order that param names.
  GaugeField host_field(const char *function, const char *name, void *arrays, const QudaGaugeParam &param,
                        GaugeFieldParam field)
  {
    check_not_null(function, name, arrays);
    field.precision = static_cast<Precision>(param.cpu_prec);
    field.order = static_cast<GaugeOrder>(param.gauge_order);
    field.location = Location::host;
    field.create = Create::reference;
    switch (param.gauge_order) {
    case QUDA_QDP_GAUGE_ORDER:
      for (int mu = 0; mu < 4; mu++) {
        field.data[mu] = static_cast<void **>(arrays)[mu];
        check_not_null(function, text("%s[%d]", name, mu).c_str(), field.data[mu]);
      }
      break;
    case QUDA_MILC_GAUGE_ORDER:
    case QUDA_CPS_WILSON_GAUGE_ORDER:
      field.data[0] = arrays;
      break;
    default:
      fail(ErrorKind::unsupported, text("%s: gauge_order = %s; allowed: QUDA_QDP_GAUGE_ORDER, QUDA_MILC_GAUGE_ORDER, "
                                        "QUDA_CPS_WILSON_GAUGE_ORDER",
                                        function, value_text(param.gauge_order).c_str()));
    }
    return GaugeField(field);
  }

} // namespace

GaugeField host_links(const char *function, const char *name, void *arrays, const QudaGaugeParam &param)
{
  return host_field(function, name, arrays, param, gauge_param(param));
}

GaugeFieldParam momentum_param(const QudaGaugeParam &param)
{
  GaugeFieldParam field;
  field.lattice = resident_lattice(param.X);
  field.link_type = LinkType::momentum;
  field.reconstruct = Reconstruct::r10;
  return field;
}

GaugeField host_momentum(const char *function, const char *name, void *arrays, const QudaGaugeParam &param)
{
  return host_field(function, name, arrays, param, momentum_param(param));
}

void check_finite(const char *function, const char *name, const GaugeField &host)
{
  const bool separate = host.order() == GaugeOrder::qdp;
  const long long reals = host.lattice().volume() * host.reals() * (separate ? 1 : 4);
  const int period = host.link_type() == LinkType::momentum ? host.reals() : 0; // MILC never sets the tenth real
  for (int array = 0; array < (separate ? 4 : 1); array++) {
    const long long found = first_not_finite(host.data(array), reals, host.precision(), period);
    if (found < 0) continue;
    const long long matrix = found / host.reals();
    const int mu = separate ? array : static_cast<int>(matrix % 4);
    int x[4];
    host.lattice().slot_coordinates(separate ? matrix : matrix / 4, x);
    fail(ErrorKind::bad_argument,
         text("%s: %s holds a number that is NaN or infinite: direction %d, site %d %d %d %d of this rank, real "
              "%lld of the matrix; allowed: finite numbers",
              function, name, mu, x[0], x[1], x[2], x[3], found % host.reals()));
  }
}

} // namespace quda
