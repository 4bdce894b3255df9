#pragma once
/// Operators M = s A - h D B with a hop D, a diagonal B before it and a diagonal A, and all their even-odd
/// forms, as chains (chain.h). A kind gives its form, its hop and diagonals, their costs, and which of them share
/// a kernel. With O = D B and R = A^-1:
///   M         : {s, A} {-h, O}
///   M_pc      : {s^2} {-h^2, O R O R} or asymmetric {s^2, A} {-h^2, O R O}, the first factor of a product written last
///   prepare   : {s, R} b_t {h, R O R} b_o or, asymmetric or with dagger, {s} b_t {h, R O} b_o
///   reconstruct : {1 / s, R} b_o {h / s, O R} x_t
/// in the order in which steps are applied; with dagger the steps of each factor O are those of O^dag.

#include "dirac/chain.h"
#include "dirac/dirac.h"

namespace quda
{

class DiracEvenOdd : public Dirac, protected ChainParts
{
public:
  ColorSpinorParam shape(int parity, int rhs) const override = 0;
  LinkStorage storage() const override;
  std::unique_ptr<Dirac> clone(LinkStorage storage) const override;
  std::unique_ptr<Dirac> inside(const Domains &domains, LinkStorage storage, bool even_odd) const override;

  std::unique_ptr<LinearOperator> full() const override;
  std::unique_ptr<LinearOperator> schur(MatPC matpc) const override;
  void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;
  double dslash_flops(int rhs) const override;
  void prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC matpc, bool dagger) const override;
  void prepare_guess(ColorSpinorField &x_t, MatPC matpc, bool dagger) const override;
  void residual_of_full(ColorSpinorField &r_t, MatPC matpc, bool dagger) const override;
  void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC matpc, bool dagger) const override;
  double gradient_pair(ColorSpinorField &left, ColorSpinorField &right, std::optional<MatPC> matpc) const override;

protected:
  /// Numbers of diagonals.
  enum Diagonal {
    local,          // A, which has an inverse
    local_of_full,  // A as it stands in M
    local_of_schur, // A as it stands in asymmetric M_pc; this and the one above are never inverted
    before_hop,     // B
    before_inverse, // B A^-1, if a kind has it in one step
    of_kind         // this and up: a kind's own
  };

  /// Which of s, h, A and B exist; s other than 1 requires A = 1.
  struct Form {
    double site = 1, hop = 1;
    bool has_local = false, has_before = false;
    bool has_before_inverse = false;
    int of_full = local, of_schur = local;  // the numbers of A in M and in asymmetric M_pc
    Symmetry of_pc = Symmetry::general;     // of M_pc
    Symmetry of_matrix = Symmetry::general; // of M on all sites
    bool inverse_first = false;             // dslash() with dagger: D^dag A^-dag, else A^-dag D^dag
  };
  virtual Form form() const = 0;

  Chain chain_of_full() const;
  Chain chain_of_schur(MatPC matpc) const;

private:
  Steps diagonal_steps(int number, bool inverse, bool dagger) const;
  Steps hop_steps(bool dagger) const;
  /// The steps with B A^-1 and its adjoint joined to one, if the kind has that.
  Steps joined(const Steps &steps) const;
};

} // namespace quda
