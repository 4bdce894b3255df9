/// A field of link matrices: four directions of 3 x 3 complex numbers a site. Owns data and computes nothing.
///
/// Orders : native    (target's memory; lib/core/view.h, FieldView) double, single or half, reconstruct 18, 12 or 8;
///          QDP       four arrays of (parity, x_cb, row, column) complex;
///          MILC      one array of (parity, x_cb, mu, row, column) complex;
///          CPS       one array of (parity, x_cb, mu, column, row) complex, links times the anisotropy. Foreign orders
///                    hold all 18 reals.
/// Momenta: link type momentum, reconstruct 10 in all orders: traceless anti-Hermitian matrices by A_01, A_02, A_12
///          (complex), Im A_00, Im A_11, Im A_22 and an unused real in the place of row and column.
/// Border : native fields may store R_d more sites around each block (an extended field; lattice.h).
/// Memory : allocate and zero come from the pools (device_pool() for Location::device, pinned_pool() for host) and go
///          back with the field; reference wraps the caller's. Fresh memory is left as the pool gives it; no kernel
///          uses what was not written. Fields with padding lanes start at zero.
/// Copies : `a = b` writes b's links into a's memory, whatever their locations, orders, precisions and reconstructs;
///          it never changes what a is. Metadata that must agree: check_same_links().
/// Tag    : a number, new for every field and after every mark_written(), never used twice in a process. Whoever
///          writes through view() calls mark_written(); a copy made from a field keeps its source's tag beside itself
///          and is stale when they differ.
/// Collective: copies, while their kernels are tuned. Errors: bad_argument and unsupported, naming the parameter and
/// its value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/types.h"
#include "core/view.h"
#include "fields/create.h"
#include "fields/lattice.h"
#include "fields/memory.h"

namespace quda
{

struct GaugeFieldParam {
  std::shared_ptr<const Lattice> lattice;
  Precision precision = Precision::double_;
  GaugeOrder order = GaugeOrder::native;
  Location location = Location::device;
  Reconstruct reconstruct = Reconstruct::none;
  LinkType link_type = LinkType::su3;
  TBoundary t_boundary = TBoundary::periodic;
  double anisotropy = 1; // links carry it already: reconstruction needs it
  double tadpole = 1;
  double scale = 1;
  bool gauge_fix = false;
  int R[4] = {0, 0, 0, 0}; // border, native order alone
  Create create = Create::allocate;
  void *data[4] = {nullptr, nullptr, nullptr, nullptr}; // reference: [mu] for QDP, [0] otherwise
};

class GaugeField
{
public:
  /// `where` names the memory in a leak report.
  explicit GaugeField(const GaugeFieldParam &param, SourceLocation where = SourceLocation::current());
  GaugeField(GaugeField &&other) noexcept;
  ~GaugeField();
  GaugeField(const GaugeField &) = delete;
  /// Copies the links, from temporaries too: there is no assignment that exchanges memory (see swap).
  GaugeField &operator=(const GaugeField &from);
  friend void swap(GaugeField &a, GaugeField &b) noexcept;

  /// What the field is, as a parameter for another one like it: create = allocate, data null.
  GaugeFieldParam param() const;

  const Lattice &lattice() const { return *param_.lattice; }
  const std::shared_ptr<const Lattice> &shared_lattice() const { return param_.lattice; }
  Precision precision() const { return param_.precision; }
  GaugeOrder order() const { return param_.order; }
  Location location() const { return param_.location; }
  Reconstruct reconstruct() const { return param_.reconstruct; }
  LinkType link_type() const { return param_.link_type; }
  TBoundary t_boundary() const { return param_.t_boundary; }
  double anisotropy() const { return param_.anisotropy; }
  double tadpole() const { return param_.tadpole; }
  double scale() const { return param_.scale; }
  bool gauge_fix() const { return param_.gauge_fix; }
  const int *R() const { return param_.R; }
  /// Of a link, as stored.
  int reals() const { return static_cast<int>(param_.reconstruct); }
  bool extended() const;
  bool native() const { return param_.order == GaugeOrder::native; }
  bool owns_memory() const { return memory_.owned(); }
  /// First real (of direction mu in QDP order).
  void *data(int mu = 0) const { return param_.data[mu]; }
  /// Of all arrays together, padding included.
  std::size_t bytes() const { return bytes_; }

  /// For kernels; native fields alone.
  GaugeView view() const;

  std::uint64_t tag() const { return tag_; }
  void mark_written();

private:
  GaugeFieldParam param_; // create as asked for; data set
  FieldView field_ {};    // native order
  std::size_t bytes_ = 0;
  FieldMemory memory_;
  std::uint64_t tag_ = 0;
};

/// What keeps two fields from being copies of each other, with either's value.
struct LinkDifference {
  std::string name, a, b;
};

/// The first of extents, ranks, link type, gauge fixing, boundary condition, anisotropy and tadpole that differs.
std::optional<LinkDifference> difference(const GaugeField &a, const GaugeField &b);
/// Throws if there is one.
void check_same_links(const GaugeField &to, const GaugeField &from);

/// Writes from's links into to, reordered and converted; to is marked as written. Both of one shape
/// (check_same_links); borders are not filled. Defined with the operations (lib/ops/copy).
void copy(GaugeField &to, const GaugeField &from);

} // namespace quda
