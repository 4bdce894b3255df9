/// A field of link matrices: four directions of colors x colors complex numbers a site.
///
/// Orders : native    double, single or half; reconstruct 18, 12 or 8;
///          QDP       four arrays of (parity, x_cb, row, column) complex;
///          MILC      one array of (parity, x_cb, mu, row, column) complex;
///          CPS       one array of (parity, x_cb, mu, column, row) complex, links times the anisotropy. Foreign orders
///                    hold all reals, in double or single precision.
/// Momenta: link type momentum, reconstruct 10 in all orders: traceless anti-Hermitian matrices by A_01, A_02, A_12
///          (complex), Im A_00, Im A_11, Im A_22 and an unused real in the place of row and column.
/// Border : native fields may store R_d more sites around each block (an extended field; lattice.h).
/// Copies rebuild and compress links; the metadata that must agree: check_same_links(). Memory, tags: field.h.
#pragma once

#include "fields/field.h"

namespace quda
{

/// What the links are.
struct LinkKind {
  GaugeOrder order = GaugeOrder::native;
  Reconstruct reconstruct = Reconstruct::none;
  LinkType link_type = LinkType::su3;
  int colors = 3;
  TBoundary t_boundary = TBoundary::periodic;
  double anisotropy = 1; // links carry it already: reconstruction needs it
  double tadpole = 1;
  double scale = 1;
  bool gauge_fix = false;
  int R[4] = {0, 0, 0, 0}; // border, native order alone
};

struct GaugeFieldParam : FieldParam, LinkKind {
  void *data[4] = {nullptr, nullptr, nullptr, nullptr}; // reference: [mu] for QDP, [0] otherwise
};

class GaugeField : public Field
{
public:
  /// `where` names the memory in a leak report.
  explicit GaugeField(const GaugeFieldParam &param, SourceLocation where = SourceLocation::current());
  GaugeField(GaugeField &&other) noexcept = default;
  /// Copies the links, from temporaries too: there is no assignment that exchanges memory (see swap).
  GaugeField &operator=(const GaugeField &from);

  /// What the field is, as a parameter for another one like it: create = allocate, data null.
  GaugeFieldParam param() const { return {site_param(), kind_}; }

  GaugeOrder order() const { return kind_.order; }
  Reconstruct reconstruct() const { return kind_.reconstruct; }
  LinkType link_type() const { return kind_.link_type; }
  int colors() const { return kind_.colors; }
  TBoundary t_boundary() const { return kind_.t_boundary; }
  double anisotropy() const { return kind_.anisotropy; }
  double tadpole() const { return kind_.tadpole; }
  double scale() const { return kind_.scale; }
  bool gauge_fix() const { return kind_.gauge_fix; }
  const int *R() const { return kind_.R; }
  bool extended() const;

  /// For kernels; native fields alone.
  GaugeView view() const;

private:
  LinkKind kind_;
};

/// The first of extents, ranks, link type, colors, gauge fixing, boundary condition, anisotropy and tadpole that
/// differs.
std::optional<Difference> difference(const GaugeField &a, const GaugeField &b);
/// Throws in the name of `function` if there is one.
void check_same_links(const char *function, const GaugeField &to, const GaugeField &from);

/// Writes from's links into to, reordered and converted; to is marked as written. Both of one shape
/// (check_same_links); borders are not filled. Defined with the operations (lib/ops/copy).
void copy(GaugeField &to, const GaugeField &from);

} // namespace quda
