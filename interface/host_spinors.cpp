#include "interface/host_spinors.h"

#include "core/error.h"
#include "interface/host_gauge.h"
#include "interface/params/param_table.h"

#include <string>

namespace quda
{

bool one_spin(QudaDslashType type)
{
  return type == QUDA_STAGGERED_DSLASH || type == QUDA_ASQTAD_DSLASH || type == QUDA_LAPLACE_DSLASH;
}

void check_host_spinors(const char *function, const QudaInvertParam &param, const int *X, int most)
{
  if (param.dirac_order != QUDA_DIRAC_ORDER)
    refuse(function, "QudaInvertParam.dirac_order", param.dirac_order, "QUDA_DIRAC_ORDER", ErrorKind::unsupported);
  check_built(function, "QudaInvertParam.cpu_prec", param.cpu_prec);
  check_not_null(function, "X", X);
  const std::string up_to = most < std::numeric_limits<int>::max() ? text("2 to %d", most) : "2 or greater";
  for (int d = 0; d < 4; d++)
    if (X[d] < 2 || X[d] > most || X[d] % 2 != 0)
      fail(ErrorKind::bad_argument,
           text("%s: X[%d] = %d; allowed: an even number, %s", function, d, X[d], up_to.c_str()));
}

ColorSpinorField host_spinors(const QudaInvertParam &param, std::shared_ptr<const Lattice> lattice, int spins,
                              const void *data)
{
  ColorSpinorParam field;
  field.lattice = std::move(lattice);
  field.spins = spins;
  field.precision = static_cast<Precision>(param.cpu_prec);
  field.order = DiracOrder::dirac;
  if (spins == 4) field.basis = static_cast<GammaBasis>(param.gamma_basis);
  field.location = Location::host;
  field.create = Create::reference;
  field.data = const_cast<void *>(data);
  return ColorSpinorField(field);
}

ColorSpinorParam native_block(std::span<const ColorSpinorField> host, Precision precision)
{
  ColorSpinorParam field = host[0].param();
  field.rhs = static_cast<int>(host.size());
  field.precision = precision;
  field.order = DiracOrder::native;
  field.basis = GammaBasis::degrand_rossi;
  field.location = Location::device;
  return field;
}

void load_block(ColorSpinorField &block, std::span<const ColorSpinorField> host)
{
  for (std::size_t n = 0; n < host.size(); n++) block.columns(static_cast<int>(n), 1) = host[n];
  block.mark_written();
}

void save_block(std::vector<ColorSpinorField> &host, const ColorSpinorField &block)
{
  for (std::size_t n = 0; n < host.size(); n++) host[n] = block.columns(static_cast<int>(n), 1);
}

} // namespace quda
