/// A field of link matrices: four directions of colors x colors complex numbers a site.
///
/// Orders : native    double, single or half; reconstruct 18, 12, 8, 13 or 9;
///          QDP       four arrays of (parity, x_cb, row, column) complex;
///          MILC      one array of (parity, x_cb, mu, row, column) complex;
///          MILC site as MILC, with site_bytes from a site to the next, the size of a structure that holds more;
///                    the caller's memory only;
///          CPS       one array of (parity, x_cb, mu, column, row) complex, links times the anisotropy;
///          QDPJIT    four arrays of (re and im, row, column, parity, x_cb);
///          TIFR      one array of (mu, parity, x_cb, column, row) complex, links times the scale;
///          TIFR padded  the same with two more layers on either side in z;
///          BQCD      one array of (mu, parity, x_cb, column, row) complex, with room behind each parity for a border.
///          Foreign orders hold all reals, in double or single precision; gaps are neither read nor
///          changed.
/// Momenta: link type momentum, reconstruct 10 in native, QDP, MILC and MILC site order: traceless anti-Hermitian
///          matrices by A_01, A_02, A_12 (complex), Im A_00, Im A_11, Im A_22 and an unused real in the place of row
///          and column.
/// Phases : whether links carry staggered phases is recorded by the code that puts them on
///          (ops/gauge/staggered_phase.h); a copy inherits it. Links of reconstruct 12 and 8 cannot carry them.
/// Long   : links of three steps may have reconstruct 13 or 9, which hold multiples of unitary matrices, whatever
///          phases they carry, over a positive number that all links of all ranks share (device/long_links.h).
/// Half   : integers; SU(3) links, and those of reconstruct 13 and 9, count in 1 / 32767; links of other types, which
///          may be larger than 1, in unit / 32767.
/// Unit   : in half precision the largest real number of all ranks; in reconstruct 13 and 9, in every precision, the
///          number that links are multiples of; copies find both. Else 1.
/// Border : native fields may store R_d more sites around each block (an extended field; lattice.h).
/// Copies rebuild and compress links; the metadata that must agree: check_same_links(). Memory, tags: field.h.
#pragma once

#include "fields/field.h"

namespace quda
{

/// Conventions of staggered phases.
enum class StaggeredPhase : int { none = 0, milc = 1, chroma = 2, tifr = 3 };

/// Staggered phases of a field: convention, whether the links carry them, and the imaginary chemical potential
/// that goes with them.
struct Phases {
  StaggeredPhase type = StaggeredPhase::none;
  bool applied = false;
  double i_mu = 0;
};

/// Whether links are stored in units of a common factor, by two rows or eight numbers and a phase.
constexpr bool over_their_unit(Reconstruct r) { return r == Reconstruct::r13 || r == Reconstruct::r9; }
/// Whether not all links can be stored so; compress() tells.
constexpr bool fitted(Reconstruct r) { return r == Reconstruct::r12 || over_their_unit(r); }

/// Whether each direction has an array of its own.
constexpr bool separate_arrays(GaugeOrder order) { return order == GaugeOrder::qdp || order == GaugeOrder::qdpjit; }

/// Layers in z before the first and after the last in TIFR padded order.
constexpr int tifr_padding = 2;

/// Kind of the links.
struct LinkKind {
  GaugeOrder order = GaugeOrder::native;
  Reconstruct reconstruct = Reconstruct::none;
  LinkType link_type = LinkType::su3;
  int colors = 3;
  TBoundary t_boundary = TBoundary::periodic;
  double anisotropy = 1; // already in the links; reconstruction needs it
  double tadpole = 1;
  double scale = 1;
  bool gauge_fix = false;
  Phases phases {};
  long long site_bytes = 0; // MILC site order: bytes from a site to the next
  int R[4] = {0, 0, 0, 0};  // border, native order only
  double unit = 1;          // unit of the stored numbers
};

struct GaugeFieldParam : FieldParam, LinkKind {
  void *data[4] = {nullptr, nullptr, nullptr, nullptr}; // reference: [mu] for QDP and QDPJIT, [0] otherwise
};

class GaugeField : public Field
{
public:
  /// `where` names the memory in a leak report.
  explicit GaugeField(const GaugeFieldParam &param, SourceLocation where = SourceLocation::current());
  GaugeField(GaugeField &&other) noexcept = default;
  /// Copies the links, from temporaries too: there is no assignment that exchanges memory (see swap).
  GaugeField &operator=(const GaugeField &from);

  /// Parameters of the field, to make another one like it: create = allocate, data null.
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
  const Phases &phases() const { return kind_.phases; }
  /// For code that applies or removes phases, or copies links.
  void set_phases(const Phases &phases) { kind_.phases = phases; }
  const int *R() const { return kind_.R; }
  double unit() const { return kind_.unit; }
  /// For code that writes all links of a field with a unit.
  void set_unit(double unit) { kind_.unit = unit; }
  bool extended() const;

  /// For kernels; native fields only.
  GaugeView view() const;

private:
  LinkKind kind_;
};

/// The first of extents, ranks, link type, colors, gauge fixing, boundary condition, anisotropy and tadpole that
/// differs.
std::optional<Difference> difference(const GaugeField &a, const GaugeField &b);
/// Throws in the name of `function` if there is one.
void check_same_links(const char *function, const GaugeField &to, const GaugeField &from);

/// Writes from's links into to, reordered and converted; to is marked as written. Both have one shape
/// (check_same_links); borders are not filled. Collective if to is of half precision and its links not of SU(3).
/// Defined with the operations (lib/ops/copy).
void copy(GaugeField &to, const GaugeField &from);
/// The same into links of reconstruct 12, 13 or 9. False, with meaningless numbers in to, if reconstruction does not
/// give back from's links within rounding: for 12 another third row; for 13 and 9 links that are not all of one number
/// times unitary matrices. Collective.
bool compress(GaugeField &to, const GaugeField &from);

/// The largest difference between two fields of one shape, over all ranks: of one real, and its global site.
struct LinkDifference {
  double by;
  int direction, x[4];
};
/// Collective; goes through the host's memory.
LinkDifference largest_difference(const GaugeField &a, const GaugeField &b);

} // namespace quda
