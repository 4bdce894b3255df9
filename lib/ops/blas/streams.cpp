#include "ops/blas/streams.h"

#include <algorithm>

namespace quda::blas
{

StreamView stream_view(const ColorSpinorField &shape, int rhs, int groups, bool flat)
{
  const FieldView &f = shape.layout();
  const bool lanes = f.lattice.width > 1;
  const unsigned layers = static_cast<unsigned>(rhs * shape.layers());
  StreamView view {};
  const bool points_count = lanes && flat; // through inner entries
  view.points = f.lattice.volume_cb * f.lattice.parts * (points_count ? layers : 1);
  view.rows = shape.parities() * (points_count ? 1 : layers);
  view.groups = groups;
  view.layers = points_count ? 1 : layers;
  view.inner_stride = f.inner_stride;
  view.reals = f.reals;
  view.vector = f.vector;
  view.active = std::min(f.lattice.lanes, f.lattice.width);
  return view;
}

StreamView sum_view(const ColorSpinorField &shape, int rhs, int groups, bool flat)
{
  StreamView view = stream_view(shape, rhs, groups, flat);
  const FieldView &f = shape.layout();
  if (f.lattice.width == 1 && shape.spins() == 1 && shape.colors() % max_lanes == 0 && !f.scaled && f.vector == 2) {
    view.points *= max_lanes; // row r of a site is number r % max_lanes of these, and r / max_lanes in its record
    view.reals /= max_lanes;
  }
  return view;
}

StreamField stream_field(const ColorSpinorField &field, int first, bool flat)
{
  const FieldView &f = field.layout();
  const long long skipped = first * field.layers() * f.inner_stride * f.precision;
  return {static_cast<char *>(field.data()) + skipped, f.parity_stride, flat ? f.inner_stride : f.record_stride};
}

long long records_of(const Field &field)
{
  const Lattice &lattice = field.lattice();
  return field.sites() * field.layers() * (lattice.lanes_are_rows() ? lattice.lanes() : 1);
}

} // namespace quda::blas
