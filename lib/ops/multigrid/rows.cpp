#include "ops/multigrid/rows.h"

#include <cstddef>

#include "core/error.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  int colors_of(const Lattice &lattice, int rows) { return (rows + lattice.lanes() - 1) / lattice.lanes(); }

  void check(const char *function, const ColorSpinorField &field, int rows)
  {
    if (!has_rows(field, rows))
      fail(ErrorKind::internal, text("%s: a native field of one spin and %d colors on %s is no vector of %d rows",
                                     function, field.colors(), field.lattice().description().c_str(), rows));
  }

  bool fixed(const ColorSpinorField &field) { return bytes_of(field.precision()) < bytes_of(Precision::single); }

  ColorSpinorField in_single(const ColorSpinorField &field)
  {
    ColorSpinorParam param = field.param();
    param.precision = Precision::single;
    return ColorSpinorField(param);
  }

  /// move(number in memory, number of the array, place of the imaginary part) for all numbers of a field, padding rows
  /// with null. real: type of a stored number.
  template <class real, class Move> void for_numbers(const ColorSpinorField &field, int rows, real *memory, Move &&move)
  {
    const FieldView &f = field.layout();
    const int lanes = field.lattice().lanes(), stored = field.colors() * lanes;
    std::size_t n = 0;
    for (int half = 0; half < field.parities(); half++)
      for (unsigned site = 0; site < f.lattice.volume_cb; site++)
        for (int i = 0; i < field.inner(); i++) {
          for (int r = 0; r < stored; r++) {
            const int lane = r % lanes, color = r / lanes;
            real &re = memory[real_offset(f, half, site, lane, i, 2 * color)];
            real &im = memory[real_offset(f, half, site, lane, i, 2 * color + 1)];
            move(re, im, r < rows ? static_cast<std::ptrdiff_t>(n) + r : -1);
          }
          n += static_cast<std::size_t>(rows);
        }
  }

  template <class real> void read(const ColorSpinorField &field, int rows, RowArray &numbers)
  {
    std::vector<real> memory(field.bytes() / sizeof(real));
    target().copy(memory.data(), field.data(), field.bytes());
    for_numbers(field, rows, memory.data(), [&](real re, real im, std::ptrdiff_t n) {
      if (n >= 0) numbers[static_cast<std::size_t>(n)] = {re, im};
    });
  }

  template <class real> void write(ColorSpinorField &field, int rows, const RowArray &numbers)
  {
    std::vector<real> memory(field.bytes() / sizeof(real));
    if (!field.whole()) target().copy(memory.data(), field.data(), field.bytes()); // the gaps between the columns
    for_numbers(field, rows, memory.data(), [&](real &re, real &im, std::ptrdiff_t n) {
      const std::complex<double> number = n >= 0 ? numbers[static_cast<std::size_t>(n)] : 0;
      re = static_cast<real>(number.real());
      im = static_cast<real>(number.imag());
    });
    target().copy(field.data(), memory.data(), field.bytes());
    field.mark_written();
  }

} // namespace

ColorSpinorParam row_shape(std::shared_ptr<const Lattice> lattice, int rows, Precision precision, int rhs, int parity)
{
  if (!lattice) fail(ErrorKind::internal, "row_shape: no lattice");
  if (lattice->max_width() > 1 && !lattice->lanes_are_rows())
    fail(ErrorKind::internal, text("row_shape: lanes of %s are sites", lattice->description().c_str()));
  if (rows < 1) fail(ErrorKind::internal, text("row_shape: rows = %d", rows));
  ColorSpinorParam param;
  param.spins = 1;
  param.colors = colors_of(*lattice, rows);
  param.lattice = std::move(lattice);
  param.precision = precision;
  param.rhs = rhs;
  param.subset = parity < 0 ? SiteSubset::full : SiteSubset::parity;
  param.parity = parity < 0 ? 0 : parity;
  return param;
}

bool has_rows(const ColorSpinorField &field, int rows)
{
  const Lattice &lattice = field.lattice();
  return field.native() && field.spins() == 1 && field.layers() == 1 &&
         (lattice.max_width() == 1 || lattice.lanes_are_rows()) && field.colors() == colors_of(lattice, rows);
}

RowArray to_host(const ColorSpinorField &field, int rows)
{
  check("to_host", field, rows);
  if (fixed(field)) {
    ColorSpinorField wide = in_single(field);
    copy(wide, field);
    return to_host(wide, rows);
  }
  RowArray numbers(static_cast<std::size_t>(field.sites()) * field.rhs() * rows);
  if (field.precision() == Precision::double_)
    read<double>(field, rows, numbers);
  else
    read<float>(field, rows, numbers);
  return numbers;
}

void from_host(ColorSpinorField &field, int rows, const RowArray &numbers)
{
  check("from_host", field, rows);
  if (numbers.size() != static_cast<std::size_t>(field.sites()) * field.rhs() * rows)
    fail(ErrorKind::internal, text("from_host: %zu numbers for %lld sites, %d right-hand sides and %d rows",
                                   numbers.size(), field.sites(), field.rhs(), rows));
  if (fixed(field)) {
    ColorSpinorField wide = in_single(field);
    from_host(wide, rows, numbers);
    copy(field, wide);
  } else if (field.precision() == Precision::double_)
    write<double>(field, rows, numbers);
  else
    write<float>(field, rows, numbers);
}

} // namespace quda
