#include "ops/copy/slices.h"

#include "core/error.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  /// The same numbers in an order in which a slice's sites of one parity lie together.
  ColorSpinorField in_host_order(const ColorSpinorField &field)
  {
    ColorSpinorParam param = field.param();
    param.order = DiracOrder::dirac;
    return ColorSpinorField(param);
  }

  /// In a slice the sites with x + y + z even come first, then the others: each half is one block of either field.
  void move(const ColorSpinorField &slices, const ColorSpinorField &field, bool into_slices)
  {
    const Lattice &lattice = field.lattice();
    const int slots = lattice.X(3);
    const std::size_t block = field.bytes() / (2 * static_cast<std::size_t>(slots));
    char *const of_slices = static_cast<char *>(slices.data()), *const of_field = static_cast<char *>(field.data());
    for (int t = 0; t < slots; t++)
      for (int odd = 0; odd < 2; odd++) {
        const int parity = (t + odd) % 2;
        char *const there = of_slices + static_cast<std::size_t>(2 * t + odd) * block;
        char *const here = of_field + static_cast<std::size_t>(parity * slots + t) * block;
        target().copy(into_slices ? there : here, into_slices ? here : there, block);
      }
  }

  void check(const ColorSpinorField &slices, const ColorSpinorField &field)
  {
    const bool fit = field.native() && slices.native() && field.parities() == 2 && field.inner() == 1 &&
                     slices.parities() == 1 && slices.rhs() == field.lattice().X(3) && slices.layers() == 1 &&
                     slices.sites() * slices.rhs() == field.sites() && slices.spins() == field.spins() &&
                     slices.precision() == field.precision();
    if (!fit) fail(ErrorKind::internal, "slices: the fields do not belong to each other");
  }

} // namespace

std::shared_ptr<const Lattice> lattice_of_slices(const Lattice &lattice)
{
  Communicator &all = lattice.communicator();
  const int extent[4] = {all.extent(0), all.extent(1), all.extent(2), 1};
  const int key = (all.coordinate(0) * extent[1] + all.coordinate(1)) * extent[2] + all.coordinate(2);
  const int X[4] = {lattice.X(0), lattice.X(1), lattice.X(2), 2};
  std::shared_ptr<Communicator> group = all.split(all.coordinate(3), key, extent);
  return Lattice::create(X, std::move(group), lattice.max_width());
}

ColorSpinorParam param_of_slices(const ColorSpinorParam &field, std::shared_ptr<const Lattice> slices)
{
  ColorSpinorParam param = field;
  param.rhs = field.lattice->X(3);
  param.lattice = std::move(slices);
  param.subset = SiteSubset::parity;
  param.parity = 0;
  return param;
}

void to_slices(ColorSpinorField &slices, const ColorSpinorField &field)
{
  check(slices, field);
  ColorSpinorField from = in_host_order(field), to = in_host_order(slices);
  copy(from, field);
  move(to, from, true);
  to.mark_written();
  copy(slices, to);
}

void from_slices(ColorSpinorField &field, const ColorSpinorField &slices)
{
  check(slices, field);
  ColorSpinorField from = in_host_order(slices), to = in_host_order(field);
  copy(from, slices);
  move(from, to, false);
  to.mark_written();
  copy(field, to);
}

} // namespace quda
