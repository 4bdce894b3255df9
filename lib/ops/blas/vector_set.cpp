#include "ops/blas/vector_set.h"

#include <memory>

#include "kernels/blas/rotate_call.h"
#include "ops/blas/formula.h"
#include "ops/blas/streams.h"
#include "ops/launch.h"
#include "targets/pool.h"
#include "targets/target.h"

namespace quda
{

QUDA_KERNELS(RotateCall, rotate)
QUDA_KERNEL_TABLE(RotateTile, rotate_tile)

} // namespace quda

namespace quda::blas
{

namespace
{

  constexpr std::size_t alignment = 128;        // of fields
  constexpr std::size_t shift = 13 * alignment; // records of a site in all vectors fall into different sets of a cache
  constexpr double enough = 0.25;               // of |w|^2 remains: orthogonal to rounding

  /// Coefficients of a rotation in the order of its kernel's reads.
  template <class T> std::vector<T> in_tiles(std::span<const Matrix> Q, int groups, int tile)
  {
    const int m = Q[0].rows(), k = Q[0].columns(), tiles = (k + tile - 1) / tile;
    std::vector<T> q;
    q.reserve(static_cast<std::size_t>(2) * groups * tiles * m * tile);
    for (int g = 0; g < groups; g++)
      for (int t = 0; t < tiles; t++)
        for (int i = 0; i < m; i++)
          for (int j = t * tile; j < (t + 1) * tile; j++) {
            const Complex one = j < k ? Q[Q.size() == 1 ? 0 : g](i, j) : 0;
            q.push_back(static_cast<T>(one.real()));
            q.push_back(static_cast<T>(one.imag()));
          }
    return q;
  }

  using Block = std::unique_ptr<void, void (*)(void *)>;

  template <class T> Block on_target(const std::vector<T> &numbers)
  {
    Block block(device_pool().get(numbers.size() * sizeof(T)), [](void *p) { device_pool().put(p); });
    target().copy(block.get(), numbers.data(), numbers.size() * sizeof(T));
    return block;
  }

} // namespace

void VectorSet::prepare(const ColorSpinorParam &shape)
{
  const auto fits = [&](ColorSpinorParam is) {
    if (is.rhs < shape.rhs || is.rhs >= 2 * shape.rhs) return false;
    is.rhs = shape.rhs;
    return is.precision == shape.precision && same_shape(is, shape);
  };
  now_.clear();
  reached_ = 0;
  if (all_.empty() || !fits(all_.front().param())) {
    all_.clear();
    memory_ = {};
    std::size_t bytes;
    const LatticeView lattice = native_storage(shape, bytes).lattice;
    const std::size_t apart = (bytes + alignment - 1) / alignment * alignment + shift;
    apart_ = static_cast<long long>(apart);
    const bool padded = lattice.lanes < lattice.parts * lattice.width && !device_pool().poisons();
    memory_ = FieldMemory(static_cast<std::size_t>(size_) * apart, Location::device, padded, SourceLocation::current());
    ColorSpinorParam param = shape;
    param.create = Create::reference;
    for (int k = 0; k < size_; k++) {
      param.data = static_cast<char *>(memory_.get()) + k * apart_;
      all_.emplace_back(param);
    }
  }
  for (const ColorSpinorField &vector : all_) now_.push_back(vector.columns(0, shape.rhs));
}

void VectorSet::view(int first, int count)
{
  now_.clear();
  for (const ColorSpinorField &vector : all_) now_.push_back(vector.columns(first, count));
}

void VectorSet::exchange(int i, int j)
{
  for (int k = 0; k < reached_ && i != j; k++) block::swap(all_[static_cast<std::size_t>(k)], i, j);
}

void VectorSet::drop(int i)
{
  const int last = rhs() - 1;
  exchange(i, last);
  if (last > 0) view(0, last);
}

std::vector<const ColorSpinorField *> VectorSet::list(int count, int first) const
{
  std::vector<const ColorSpinorField *> list;
  for (int k = first; k < first + count; k++) list.push_back(&(*this)[k]);
  return list;
}

Matrix VectorSet::project(const ColorSpinorField &w, int n) const
{
  const ColorSpinorField *const itself[] = {&w};
  const std::vector<Matrix> of_each = block::gram(list(n), itself);
  Matrix h(n, w.rhs());
  for (int j = 0; j < w.rhs(); j++)
    for (int k = 0; k < n; k++) h(k, j) = of_each[static_cast<std::size_t>(j)](k, 0);
  return h;
}

Matrix VectorSet::subtract(ColorSpinorField &w, int n) const
{
  Matrix h = project(w, n), minus(n, w.rhs());
  for (int j = 0; j < w.rhs(); j++)
    for (int k = 0; k < n; k++) minus(k, j) = -h(k, j);
  add(minus, w);
  return h;
}

void VectorSet::add(const Matrix &a, ColorSpinorField &y) const { block::axpy_many(a, list(a.rows()), y); }

Projection VectorSet::orthogonalise(ColorSpinorField &w, int n, std::vector<double> norm2) const
{
  if (norm2.empty()) norm2 = block::norm2(w);
  Projection of_w {Matrix(n, w.rhs()), norm2};
  for (int pass = 0; pass < 2 && n > 0; pass++) {
    // h = V^dag w
    Matrix minus = project(w, n);
    bool any = pass == 0;
    for (int j = 0; j < w.rhs(); j++) {
      const auto rhs = static_cast<std::size_t>(j);
      const bool takes_part = pass == 0 || of_w.norm2[rhs] < enough * norm2[rhs];
      any = any || takes_part;
      for (int k = 0; k < n; k++) {
        if (takes_part) of_w.h(k, j) += minus(k, j);
        minus(k, j) = takes_part ? -minus(k, j) : 0;
      }
    }
    if (!any) break;
    // w -= V h
    add(minus, w);
    of_w.norm2 = block::norm2(w);
  }
  return of_w;
}

int VectorSet::most_rotated() { return most_rotated_vectors; }

void VectorSet::rotate(std::span<const Matrix> Q)
{
  const ColorSpinorField &v = now_.front();
  const auto refuse = [&](const char *what, long long is, const char *allowed, long long number) {
    fail(ErrorKind::bad_argument, text("VectorSet::rotate: %s = %lld; allowed: %s %lld", what, is, allowed, number));
  };
  check_operand("rotate", {"v", &v});
  if (Q.size() != 1 && Q.size() != static_cast<std::size_t>(v.rhs()))
    refuse("matrices", static_cast<long long>(Q.size()), "1 or", v.rhs());
  const int m = Q[0].rows(), k = Q[0].columns(), tile = rotate_tile().vectors;
  for (const Matrix &q : Q)
    if (q.rows() != m || q.columns() != k) refuse("rows of a matrix", q.rows(), "those of the first,", m);
  if (m < 1 || m > size_) refuse("rows", m, "1 to", size_);
  if (k < 1 || k > m) refuse("columns", k, "1 to", m);
  if (m > most_rotated()) refuse("rows", m, "up to", most_rotated());
  const bool wide = v.precision() == Precision::double_;
  const int groups = v.rhs();
  const Block q = wide ? on_target(in_tiles<double>(Q, groups, tile)) : on_target(in_tiles<float>(Q, groups, tile));
  RotateCall call {};
  call.shape = stream_view(v, 1, groups, false);
  call.first = stream_field(v, 0, false);
  call.apart = apart_ / bytes_of(v.precision());
  call.vectors = m;
  call.kept = k;
  call.q = q.get();
  const unsigned tiles = static_cast<unsigned>((m + tile - 1) / tile);
  const long long numbers = records_of(v) * groups * (v.reals() / 2);
  const long long bytes = records_of(v) * groups * v.record_bytes();
  launch({.name = "rotate",
          .lattice = v.lattice(),
          .extent = {call.shape.points, tiles, call.shape.rows * call.shape.groups},
          .aux = key_text("prec=", bytes_of(v.precision()), ",Ns=", v.spins(), ",Nc=", v.colors(), ",layers=",
                          v.layers(), ",parities=", v.parities(), ",groups=", groups, ",vectors=", m, "to", k),
          .flops = 8LL * m * k * numbers,
          .bytes = (m + k) * bytes,
          .prefetch = true,
          .together = static_cast<int>(tiles),
          .in_place = {v.data(), static_cast<std::size_t>(k - 1) * static_cast<std::size_t>(apart_) + v.bytes()}},
         rotate_kernels().find("rotate", bytes_of(v.precision())), call);
  for (int j = 0; j < k; j++) now_[static_cast<std::size_t>(j)].mark_written();
}

} // namespace quda::blas
