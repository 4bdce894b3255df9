#pragma once
/// Products of row fields with matrix fields (rows.h):
///
///   out_j(s) = a x_j(s) + (b sum_l M_l(s) in_j(source(s, l)) + c y_j(s))   for each right-hand side j, l from a list
///
/// A leg reads all rows of its source or some; its matrix has columns only for these.
/// Used by the operators of coarse grids (legs: the neighbours and the site itself) and transfers (legs: the sites of
/// an aggregate, or the one parent). Sums follow the order of the list, so the bits do not depend on threads, ranks or
/// the other right-hand sides.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "fields/color_spinor_field.h"
#include "ops/halo/message_buffer.h"

namespace quda
{

/// Rows from `begin` to before `end`.
struct RowRun {
  int begin, end;
};

/// The rows of its source that each leg reads, out of `rows` of the input: runs that ascend and do not touch.
struct LegRows {
  int rows = 0;
  std::vector<std::vector<RowRun>> of_leg;
};

/// For each site of the output's lattice and each leg the site of the input, and its rows to read. Tables are
/// made on the host and kept in the target's memory.
class Legs
{
public:
  /// Writes the source's coordinates on the input's lattice, counted from the rank's first site: they wrap around in
  /// directions that are not cut between ranks; one of them may lie one site beyond a cut face.
  using Source = std::function<void(int leg, const int x[4], int source[4])>;

  Legs(std::shared_ptr<const Lattice> out, std::shared_ptr<const Lattice> in, int legs, const Source &source);
  /// The nine legs of a coarse operator: 0 to 3 x + mu, 4 to 7 x - mu, 8 x itself.
  static Legs neighbours(const std::shared_ptr<const Lattice> &lattice);
  /// As many of them, from 0 on, as `rows` lists; only these rows are read.
  static Legs neighbours(const std::shared_ptr<const Lattice> &lattice, const LegRows &rows);
  /// A single one of them.
  static Legs single(const std::shared_ptr<const Lattice> &lattice, int neighbour);

  const std::shared_ptr<const Lattice> &out() const { return out_; }
  const std::shared_ptr<const Lattice> &in() const { return in_; }
  int count() const { return count_; }

  /// Columns of all matrices of one site for an input of `rows` rows; first column of a leg, and its number.
  int columns(int rows) const { return first_column(count_, rows); }
  int first_column(int leg, int rows) const { return reads_.rows ? first_[static_cast<std::size_t>(leg)] : leg * rows; }
  int columns(int leg, int rows) const { return first_column(leg + 1, rows) - first_column(leg, rows); }
  /// Number of input rows for a matrix field with `columns` columns.
  int rows_for(int columns) const { return reads_.rows ? reads_.rows : columns / count_; }

  /// [leg][parity][site] of LegSource.
  const void *sources() const { return sources_.device(); }
  /// A list of legs in the target's memory, kept.
  const int *list(std::span<const int> legs) const;
  /// The runs of rows of all legs (kernels/multigrid/row_product_call.h), kept.
  const void *runs(int rows) const;
  /// Whether a leg of the list reads beyond the rank's face in direction d, up or down.
  bool leaves(std::span<const int> legs, int d, int up) const;

private:
  Legs(std::shared_ptr<const Lattice> out, std::shared_ptr<const Lattice> in, int legs, const Source &source,
       const LegRows &reads);

  std::shared_ptr<const Lattice> out_, in_;
  int count_;
  LegRows reads_;                     // rows = 0: all
  std::vector<int> first_;            // first column of each leg, and the end
  std::vector<unsigned char> leaves_; // for each leg: bit 2 d + up
  DeviceBuffer sources_;
  mutable std::map<std::vector<int>, DeviceBuffer> lists_;
  mutable std::map<int, DeviceBuffer> runs_;
};

/// The matrices of a product, and their signs.
struct RowProduct {
  const ColorSpinorField &matrices; // on the output's lattice, on all sites or those of out
  const Legs &legs;
  std::span<const int> list; // of legs
  int flip_out = 0;          // rows from here on change sign before they are added; 0: none
  int flip_in = 0;           // rows of in from here on count with the other sign
};

/// a x + (b sum + c y), without the terms whose fields are null; each of them may be out, y may be in if out is on
/// the same sites.
struct RowEnd {
  const ColorSpinorField *x = nullptr, *y = nullptr;
  double a = 1, b = 1, c = 1;
};

/// in and out are on all sites or on those of one parity: the other parity of in counts as zero. in shares
/// nothing with out. Precisions (matrices, vectors): double, double; single, single; half, single.
/// Collective over the lattice if a leg leaves the rank. Errors: internal for fields that do not fit.
void row_product(ColorSpinorField &out, const ColorSpinorField &in, const RowProduct &product, const RowEnd &end = {});

} // namespace quda
