#pragma once
/// Discretisations of the Dirac operator. A Dirac gives operators on full fields and on one parity, and the steps
/// before and after a solve on one parity.
///
/// With D_to the hop onto the sites of parity t from the others, o, and A the part of M that stays at its site (1 for
/// Wilson fermions):
///   M = A - kappa D
///   M_pc, symmetric  : 1 - kappa^2 A_t^-1 D_to A_o^-1 D_ot        asymmetric : A_t - kappa^2 D_to A_o^-1 D_ot
/// and for staggered fermions M = 2 m - D, M_pc = 4 m^2 - D_to D_ot, in what follows 2 m for A and 1 for kappa.
/// The mass is not normalised here. With dagger all of it is the adjoint: M_pc^dag is the exact adjoint.
/// Fields     : as in linear_operator.h; DeGrand-Rossi basis.

#include <memory>
#include <optional>

#include "dirac/linear_operator.h"

namespace quda
{

class Domains;
struct LinkStorage;

enum class MatPC : int { even_even = 0, odd_odd = 1, even_even_asymmetric = 2, odd_odd_asymmetric = 3 };

/// The parity whose sites remain.
constexpr int parity_of(MatPC matpc) { return static_cast<int>(matpc) % 2; }
constexpr bool symmetric(MatPC matpc) { return matpc == MatPC::even_even || matpc == MatPC::odd_odd; }

class Dirac
{
public:
  virtual ~Dirac() = default;
  Dirac(const Dirac &) = delete;
  Dirac &operator=(const Dirac &) = delete;

  /// Shape of a field on all sites (parity -1) or on the sites of one parity.
  virtual ColorSpinorParam shape(int parity, int rhs) const = 0;
  /// Precision of the fields, and reconstruct of the links if the operator has links.
  virtual LinkStorage storage() const = 0;
  /// The same operator on the same links, in another storage. Errors: unsupported for kinds that cannot.
  virtual std::unique_ptr<Dirac> clone(LinkStorage storage) const = 0;
  /// The same operator inside domains, on their closed lattice: links between domains are zero (dirichlet.h).
  /// even_odd: for forms on one parity. Errors: unsupported for kinds that cannot.
  virtual std::unique_ptr<Dirac> inside(const Domains &domains, LinkStorage storage, bool even_odd) const = 0;

  /// M on all sites. Operators refer to their Dirac.
  virtual std::unique_ptr<LinearOperator> full() const = 0;
  /// M_pc.
  virtual std::unique_ptr<LinearOperator> schur(MatPC) const = 0;

  /// out = D in for Wilson fermions, A^-1 D in if there is an A: out on its parity, in on the other, or both full.
  virtual void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const = 0;
  /// Flops of dslash() on this rank, onto one parity.
  virtual double dslash_flops(int rhs) const = 0;

  /// c, on one parity, such that M_pc x_t = c follows from M x = b: b_t + kappa D_to A_o^-1 b_o, times A_t^-1 if
  /// symmetric. c may be that half of b. With dagger and symmetric A_t^-1 is not in c but in x_t: the unknown of
  /// M_pc^dag is then A_t x_t.
  virtual void prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC, bool dagger) const = 0;
  /// Turns x_t, a first guess of the solution on that parity, into a guess for the unknown of M_pc.
  virtual void prepare_guess(ColorSpinorField &x_t, MatPC, bool dagger) const = 0;
  /// Turns r_t, the residual of M_pc, into the residual of M, which is zero on the other parity: A_t r_t if symmetric,
  /// unchanged with dagger, r_t / (2 m) for staggered fermions.
  virtual void residual_of_full(ColorSpinorField &r_t, MatPC, bool dagger) const = 0;
  /// Completes x, which holds the solution of M_pc on its parity: the other half becomes
  /// A_o^-1 (b_o + kappa D_ot x_t). Staggered fermions: 2 m b_t + D_to b_o in prepare(); the mass must not be 0 here.
  virtual void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC, bool dagger) const = 0;

  /// Full fields that give the gradient of M, or of M_pc with matpc, between l and r, by Wilson's hop D: returns f in
  ///   Re l^dag dM r = f Re left^dag dD right + terms of A,
  /// f = -kappa or -kappa^2. On entry they hold l and r (with matpc on its parity). On return, with B the factor of the
  /// hop, left = l, right = B r, with r_o = A_o^-1 D_ot B r_t, l_o = A_o^-dag B^dag D_ot^dag l_t and, where symmetric,
  /// l_t = A_t^-dag l_t; so A of symmetric forms must not change with the links. Errors: unsupported for kinds with
  /// another hop. Collective.
  virtual double gradient_pair(ColorSpinorField &left, ColorSpinorField &right, std::optional<MatPC> matpc) const = 0;

protected:
  Dirac() = default;
};

} // namespace quda
