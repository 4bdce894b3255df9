/// Contractions of quark fields of the host, site by site.
///
///   contractQuda : OPEN x^dag_a y_b, DR x^dag Gamma_G y, STAGGERED x^dag y, spins in the DeGrand-Rossi basis
/// Computed in the host's precision; cuda_prec is not read. A call is of its rank alone: its lattice knows no other
/// rank, so that neither tuning nor copies wait for one.

#include "quda.h"
#include "quda_ext.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/params/param_table.h"
#include "ops/contract/sitewise.h"

#include <optional>

namespace quda
{

namespace
{

  /// What cType may be.
  struct Type {
    int value;
    const char *name;
    Contraction contraction;
  };
  constexpr Type types[] = {
      {QUDA_CONTRACT_TYPE_OPEN, "QUDA_CONTRACT_TYPE_OPEN", Contraction::open},
      {QUDA_CONTRACT_TYPE_DR, "QUDA_CONTRACT_TYPE_DR", Contraction::bilinears},
      {QUDA_CONTRACT_TYPE_DR_CORRECTED, "QUDA_CONTRACT_TYPE_DR_CORRECTED", Contraction::corrected_bilinears},
      {QUDA_CONTRACT_TYPE_STAGGERED, "QUDA_CONTRACT_TYPE_STAGGERED", Contraction::staggered}};

  const Type &type_of(const char *function, QudaContractType cType)
  {
    std::string allowed;
    for (const Type &type : types) {
      if (type.value == static_cast<int>(cType)) return type;
      allowed += text("%s%s (%d)", allowed.empty() ? "" : ", ", type.name, type.value);
    }
    bool known = false; // QUDA's contractFTQuda has it, or nobody
    for (const auto &other : params::enum_table<QudaContractType>().enumerators) known = known || other.value == cType;
    fail(known ? ErrorKind::unsupported : ErrorKind::bad_argument,
         text("%s: cType = %s; allowed: %s", function, value_text(cType).c_str(), allowed.c_str()));
  }

  bool one_spin(QudaDslashType type)
  {
    return type == QUDA_STAGGERED_DSLASH || type == QUDA_ASQTAD_DSLASH || type == QUDA_LAPLACE_DSLASH;
  }

  /// The fields' spins follow from dslash_type; a contraction of other fields would read beyond them.
  void check_spins(const char *function, const Type &type, const QudaInvertParam &param)
  {
    const bool staggered = type.contraction == Contraction::staggered;
    if (staggered == one_spin(param.dslash_type)) return;
    const char *one = "QUDA_STAGGERED_DSLASH, QUDA_ASQTAD_DSLASH, QUDA_LAPLACE_DSLASH";
    fail(ErrorKind::bad_argument,
         text("%s: QudaInvertParam.dslash_type = %s, of fields with %s, with cType = %s; allowed: %s%s", function,
              value_text(param.dslash_type).c_str(), staggered ? "four spins" : "one spin", type.name,
              staggered ? "" : "any but ", one));
  }

  void check_extents(const char *function, const int *X)
  {
    check_not_null(function, "X", X);
    for (int d = 0; d < 4; d++)
      if (X[d] < 2 || X[d] % 2 != 0)
        fail(ErrorKind::bad_argument, text("%s: X[%d] = %d; allowed: an even number, 2 or greater", function, d, X[d]));
  }

  ColorSpinorParam host_field(const QudaInvertParam &param, const int *X, int spins, const void *data)
  {
    ColorSpinorParam field;
    field.lattice = Lattice::create(X, make_single_communicator());
    field.spins = spins;
    field.precision = static_cast<Precision>(param.cpu_prec);
    field.order = DiracOrder::dirac;
    if (spins == 4) field.basis = static_cast<GammaBasis>(param.gamma_basis);
    field.location = Location::host;
    field.create = Create::reference;
    field.data = const_cast<void *>(data);
    return field;
  }

  /// A checked contraction, about to be carried out.
  struct HostContraction {
    Contraction type;
    ColorSpinorField x, y;
    SiteField result;
  };

  HostContraction prepare(const char *function, const void *x, const void *y, void *result, QudaContractType cType,
                          const QudaInvertParam *param, const int *X)
  {
    using P = QudaInvertParam;
    check_not_null(function, "x", x);
    check_not_null(function, "y", y);
    check_not_null(function, "result", result);
    const Type &type = type_of(function, cType);
    check_struct(function, param);
    check(function, *param, &P::dslash_type, &P::cpu_prec, &P::dirac_order);
    check_spins(function, type, *param);
    const int spins = type.contraction == Contraction::staggered ? 1 : 4;
    if (spins == 4) check(function, *param, &P::gamma_basis);
    if (param->dirac_order != QUDA_DIRAC_ORDER)
      fail(ErrorKind::unsupported, text("%s: QudaInvertParam.dirac_order = %s; allowed: QUDA_DIRAC_ORDER", function,
                                        value_text(param->dirac_order).c_str()));
    check_built(function, "QudaInvertParam.cpu_prec", param->cpu_prec);
    check_extents(function, X);

    ColorSpinorParam field = host_field(*param, X, spins, x);
    ColorSpinorField h_x(field);
    field.data = const_cast<void *>(y);
    ColorSpinorField h_y(field);
    SiteFieldParam products = contraction_param(h_x, type.contraction);
    products.create = Create::reference;
    products.data = result;
    return {type.contraction, std::move(h_x), std::move(h_y), SiteField(products)};
  }

  ColorSpinorParam native(const ColorSpinorField &host)
  {
    ColorSpinorParam field = host.param();
    field.order = DiracOrder::native;
    field.basis = GammaBasis::degrand_rossi;
    field.location = Location::device;
    return field;
  }

  void carry_out(HostContraction &call)
  {
    std::optional<ColorSpinorField> x, y;
    std::optional<SiteField> result;
    {
      const PhaseScope phase(Phase::init);
      x.emplace(native(call.x));
      y.emplace(native(call.y));
      result.emplace(contraction_param(*x, call.type));
    }
    {
      const PhaseScope phase(Phase::h2d);
      *x = call.x;
      *y = call.y;
    }
    {
      const PhaseScope phase(Phase::compute);
      contract(*x, *y, *result, call.type);
    }
    const PhaseScope phase(Phase::d2h);
    call.result = *result;
  }

} // namespace

} // namespace quda

extern "C" void contractQuda(const void *x, const void *y, void *result, const QudaContractType cType,
                             QudaInvertParam *param, const int *X)
{
  const char *function = __func__;
  quda::guard(function, [&] {
    std::optional<quda::HostContraction> call;
    {
      const quda::PhaseScope phase(quda::Phase::preamble);
      quda::require_initialised(function);
      call.emplace(quda::prepare(function, x, y, result, cType, param, X));
    }
    quda::carry_out(*call);
  });
}
