#pragma once
/// Discretisations of the Dirac operator. A Dirac gives operators on full fields and on one parity, and what stands
/// around a solution on one parity.
///
/// With D_to the hop onto the sites of parity t from the others, o, and A the part of M that stays at its site (1 for
/// Wilson fermions):
///   M = A - kappa D
///   M_pc, symmetric  : 1 - kappa^2 A_t^-1 D_to A_o^-1 D_ot        asymmetric : A_t - kappa^2 D_to A_o^-1 D_ot
/// and for staggered fermions M = 2 m - D, M_pc = 4 m^2 - D_to D_ot, in what follows 2 m for A and 1 for kappa.
/// No normalisation of the mass enters here. With dagger the adjoint of all of it: M_pc^dag is the exact adjoint.
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

  /// Shape of a field on all sites, parity -1, or on those of one parity.
  virtual ColorSpinorParam shape(int parity, int rhs) const = 0;
  /// The precision of its fields, and the reconstruct of links where it has them.
  virtual LinkStorage storage() const = 0;
  /// The same on what this one stands on, in another storage. Errors: unsupported for kinds that cannot.
  virtual std::unique_ptr<Dirac> clone(LinkStorage storage) const = 0;
  /// The same inside of domains, on their closed lattice, what leads from one to another being zero (dirichlet.h).
  /// even_odd: for forms on one parity. Errors: unsupported for kinds that cannot.
  virtual std::unique_ptr<Dirac> inside(const Domains &domains, LinkStorage storage, bool even_odd) const = 0;

  /// M on all sites. Operators refer to their Dirac.
  virtual std::unique_ptr<LinearOperator> full() const = 0;
  /// M_pc.
  virtual std::unique_ptr<LinearOperator> schur(MatPC) const = 0;

  /// out = D in for Wilson fermions, A^-1 D in where there is an A: out on its parity, in on the other, or both full.
  virtual void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const = 0;
  /// Flops of dslash() on this rank, onto one parity.
  virtual double dslash_flops(int rhs) const = 0;

  /// c, on one parity, so that M_pc x_t = c is what remains of M x = b: b_t + kappa D_to A_o^-1 b_o, with A_t^-1 before
  /// it where symmetric. c may be that half of b. With dagger and symmetric it is not before c, but before x_t: what
  /// M_pc^dag is solved for is then A_t x_t.
  virtual void prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC, bool dagger) const = 0;
  /// x_t, a first guess of the solution on that parity, becomes one of what M_pc is solved for.
  virtual void prepare_guess(ColorSpinorField &x_t, MatPC, bool dagger) const = 0;
  /// r_t, the residual of a system of M_pc, becomes that of M: it on that parity, zero on the other. A_t r_t where
  /// symmetric; with dagger it is so already. Of staggered fermions r_t / (2 m).
  virtual void residual_of_full(ColorSpinorField &r_t, MatPC, bool dagger) const = 0;
  /// x, whose half of the parity that remained is the solution of that, becomes the solution: the other half is
  /// A_o^-1 (b_o + kappa D_ot x_t). Staggered fermions: 2 m b_t + D_to b_o in prepare(); the mass must not be 0 here.
  virtual void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC, bool dagger) const = 0;

  /// Full fields between which Wilson's hop D has the gradient of M, or with matpc of M_pc, between l and r: returns f,
  ///   Re l^dag dM r = f Re left^dag dD right + what comes of A,
  /// f = -kappa or -kappa^2. They hold l and r, with matpc on its parity, and become, where B is what stands before the
  /// hop, left = l, right = B r, with r_o = A_o^-1 D_ot B r_t, l_o = A_o^-dag B^dag D_ot^dag l_t and, where symmetric,
  /// l_t = A_t^-dag l_t; so of symmetric forms A must not change with the links. Errors: unsupported for kinds whose hop
  /// is another. Collective.
  virtual double gradient_pair(ColorSpinorField &left, ColorSpinorField &right, std::optional<MatPC> matpc) const = 0;

protected:
  Dirac() = default;
};

} // namespace quda
