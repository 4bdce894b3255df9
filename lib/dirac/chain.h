#pragma once
/// Operators as sums of products, and the walk that applies them.
///
/// A chain is a list of terms, each a factor and steps: the hop to the sites of the other parity, or a diagonal, a
/// matrix that stays at its site, or its inverse. M_pc = A_t - kappa^2 D_to A_o^-1 D_ot is
///   {{1, {A}}, {-kappa^2, {hop, A^-1, hop}}}
/// with the steps in the order in which they are applied; the adjoint has the lists backwards and each step's adjoint.
/// The meaning of a chain, without any fused kernel, is
///   for each term: v = in; for each step: v = step v
///   out = a x + b (sum of factor_n v_n) + c y
/// The walk gives the same numbers in fewer passes: from each step on it asks the kind of operator for the longest
/// kernel, a hop with the diagonal after it, or a hop with the other terms and their last diagonals.

#include <vector>

#include "dirac/linear_operator.h"

namespace quda
{

/// A factor of a product.
struct Step {
  int diagonal = -1; // the kind's number of the diagonal; < 0: the hop
  bool inverse = false;
  bool dagger = false;
  bool is_hop() const { return diagonal < 0; }
};
using Steps = std::vector<Step>; // the first is applied first

struct Term {
  double factor;
  Steps steps;
};
/// Terms of which only the last one hops; at most two terms that do not hop precede it.
using Chain = std::vector<Term>;

Steps operator+(Steps first, const Steps &then);
Steps adjoint(const Steps &steps);
Chain adjoint(Chain chain);

/// Diagonals that a hop applies in its kernel: to its sum, and to the fields x and y of its epilogue.
struct Beside {
  const Step *sum = nullptr, *x = nullptr, *y = nullptr;
};

/// Cost of a step per site: flops per entry of a spinor, and reals that are read besides spinors.
struct StepCost {
  double flops = 0, reals = 0;
};

/// Shapes, hop and diagonals of an operator, from which the walk applies its chains.
class ChainParts
{
public:
  virtual ~ChainParts() = default;

  /// Shape of a field on all sites (parity -1) or on the sites of one parity.
  virtual ColorSpinorParam shape(int parity, int rhs) const = 0;
  virtual StepCost cost(const Step &step) const = 0;
  /// out = a [x] x + b [sum] D in + c [y] y and sums; [.] is the diagonal in `beside`, if any. The kind fuses them.
  virtual void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &beside,
                   const Epilogue &end, Sums *sums) const = 0;
  /// Whether the kind applies these diagonals, one at least, in the kernel of a hop.
  virtual bool fuses(const Beside &) const { return false; }
  /// out = step * in; out may be in.
  virtual void diagonal(ColorSpinorField &, const ColorSpinorField &, const Step &) const {}

  /// Scratch field; numbers 0 to 4 belong to the walk.
  ColorSpinorField scratch(int number, const ColorSpinorParam &shape) const { return scratch_(number, shape); }
  static constexpr int first_scratch = 5;

private:
  Scratch scratch_;
};

/// Fields that the terms begin on: terms with an even number of hops on the sites of the result, the others on the
/// sites of the other parity. For full fields both are one field.
struct Sources {
  const ColorSpinorField &here, &other;
};

/// out = a x + b C in + c y and sums, C the chain; x, y and sums only if in_one_kernel() says so. out may be the field
/// that terms without a hop begin on.
void apply_chain(const ChainParts &parts, const Chain &chain, ColorSpinorField &out, const Sources &in,
                 const Epilogue &end = {}, Sums *sums = nullptr);
/// Whether the last kernel of the product applies the epilogue, too.
bool in_one_kernel(const ChainParts &parts, const Chain &chain, const Epilogue &end, const ColorSpinorField &here);

/// A chain as an operator; or two chains, one for the even and one for the odd sites of full fields.
class ChainOperator : public LinearOperator
{
public:
  /// parity: parity of the fields, -1 for full ones.
  ChainOperator(const ChainParts &parts, int parity, const Chain &chain, Symmetry symmetry = Symmetry::general)
      : parts_(parts)
      , parity_(parity)
      , symmetry_(symmetry)
      , chains_ {chain}
      , adjoints_ {adjoint(chain)}
  {
  }
  ChainOperator(const ChainParts &parts, const Chain &even, const Chain &odd)
      : parts_(parts)
      , parity_(-1)
      , symmetry_(Symmetry::general)
      , chains_ {even, odd}
      , adjoints_ {adjoint(even), adjoint(odd)}
  {
  }
  ColorSpinorParam shape(int rhs) const override { return parts_.shape(parity_, rhs); }
  Symmetry symmetry() const override { return symmetry_; }
  double flops(int rhs) const override;
  double bytes(int rhs) const override;

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;
  bool fused(const Apply &call, Sums *sums) const override;

private:
  const ChainParts &parts_;
  int parity_;
  Symmetry symmetry_;
  std::vector<Chain> chains_, adjoints_;
};

} // namespace quda
