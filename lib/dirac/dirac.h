#pragma once
/// Discretisations of the Dirac operator. A Dirac is one of them with its parameters, on the links of a set in one
/// storage; it gives operators on full fields and on one parity, and what stands around a solution on one parity.
///
/// With D_to the hop onto the sites of parity t from the others, o, and A the part of M that stays at its site (1 for
/// Wilson fermions):
///   M = A - kappa D
///   M_pc, symmetric  : 1 - kappa^2 A_t^-1 D_to A_o^-1 D_ot        asymmetric : A_t - kappa^2 D_to A_o^-1 D_ot
/// and for staggered fermions M = 2 m - D, M_pc = 4 m^2 - D_to D_ot, in what follows 2 m for A and 1 for kappa.
/// No normalisation of the mass enters here. With dagger the adjoint of all of it: M_pc^dag is the exact adjoint.
/// Links      : asked of the set at every application. Links that were written meanwhile are seen; where
///              none are loaded any more, it is an error.
/// Fields     : as in linear_operator.h; DeGrand-Rossi basis.

#include <memory>

#include "dirac/linear_operator.h"
#include "ops/clover/clover_set.h"
#include "ops/links/link_set.h"

namespace quda
{

enum class DiracKind : int {
  wilson = 0,
  clover = 1,
  clover_hasenbusch_twist = 2,
  domain_wall = 3,
  domain_wall_4d = 4,
  mobius = 5,
  mobius_eofa = 6,
  staggered = 7,
  asqtad = 8,
  twisted_mass = 9,
  twisted_clover = 10,
  laplace = 11,
  covdev = 12
};

enum class MatPC : int { even_even = 0, odd_odd = 1, even_even_asymmetric = 2, odd_odd_asymmetric = 3 };

/// The parity whose sites remain.
constexpr int parity_of(MatPC matpc) { return static_cast<int>(matpc) % 2; }
constexpr bool symmetric(MatPC matpc) { return matpc == MatPC::even_even || matpc == MatPC::odd_odd; }

/// Of one flavour A = T + i mu gamma5, of two T + i mu gamma5 tau3 - epsilon tau1, T = 1 or the clover term: mu and
/// epsilon are 2 kappa times those of hosts (dirac_twisted.h). Of the Hasenbusch twist mu is the host's
/// (dirac_hasenbusch.h).
struct TwistParam {
  double mu = 0, epsilon = 0;
  double rho = 0;             // added to mu where A stands by itself in an asymmetric even-odd form
  int flavours = 1;           // or 2
  bool inverse_first = false; // dslash() with dagger: D^dag A^-dag, else A^-dag D^dag

  /// A^dag A = T^2 + this, where there is one flavour.
  double square() const { return mu * mu - epsilon * epsilon; }
};

/// What tells one operator of a kind from another.
struct DiracParam {
  DiracKind kind = DiracKind::wilson;
  double kappa = 0;
  const CloverSet *clover = nullptr;           // of kinds that have a clover term; must outlive the Dirac
  int omitted = -1;                            // direction that Laplace's operator leaves out; none: < 0 or > 3
  int shift = 0;                               // of the covariant shift: 0 to 3 from ahead, 4 to 7 from behind
  int spins = 4;                               // of what is shifted: 4 or 1
  double mass = 0;                             // of staggered kinds
  const LinkSet *long_links = nullptr;         // of kind asqtad, beside the fat links; must outlive the Dirac
  Reconstruct long_copies = Reconstruct::none; // of those in precisions lower than that of the set
  TwistParam twist {};                         // of twisted kinds
  MatPC matpc = MatPC::even_even;              // of the Hasenbusch twist, whose full M it is part of
};

/// Spins and layers of the fields of a kind.
struct SpinorShape {
  int spins = 4, fifth = 1, flavours = 1;
};

class Dirac
{
public:
  virtual ~Dirac() = default;
  Dirac(const Dirac &) = delete;
  Dirac &operator=(const Dirac &) = delete;

  const DiracParam &param() const { return param_; }
  LinkStorage storage() const { return storage_; }
  const LinkSet &link_set() const { return set_; }
  /// The same on the same links in another storage.
  virtual std::unique_ptr<Dirac> clone(LinkStorage storage) const = 0;

  /// Of a field on all sites, parity -1, or on those of one parity.
  ColorSpinorParam shape(int parity, int rhs) const;

  /// M on all sites. Operators refer to their Dirac.
  virtual std::unique_ptr<LinearOperator> full() const = 0;
  /// M_pc.
  virtual std::unique_ptr<LinearOperator> schur(MatPC) const = 0;

  /// out = D in for Wilson fermions, A^-1 D in where there is an A: out on its parity, in on the other, or both full.
  virtual void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const = 0;
  /// Of that on this rank, onto one parity.
  virtual double dslash_flops(int rhs) const = 0;

  /// c, on one parity, so that M_pc x_t = c is what remains of M x = b: b_t + kappa D_to A_o^-1 b_o, with A_t^-1 before
  /// it where symmetric. c may be that half of b. With dagger and symmetric it is not before c, but before x_t: what
  /// M_pc^dag is solved for is then A_t x_t.
  virtual void prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC, bool dagger) const = 0;
  /// x_t, a first guess of the solution on that parity, becomes one of what M_pc is solved for.
  virtual void prepare_guess(ColorSpinorField &x_t, MatPC, bool dagger) const = 0;
  /// x, whose half of the parity that remained is the solution of that, becomes the solution: the other half is
  /// A_o^-1 (b_o + kappa D_ot x_t). Staggered fermions: 2 m b_t + D_to b_o in prepare(); the mass must not be 0 here.
  virtual void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC, bool dagger) const = 0;

protected:
  Dirac(const DiracParam &param, const LinkSet &links, LinkStorage storage)
      : param_(param)
      , set_(links)
      , storage_(storage)
  {
  }
  virtual SpinorShape spinor_shape() const = 0;
  const GaugeField &links() const { return set_.copy(storage_); }

private:
  DiracParam param_;
  const LinkSet &set_;
  LinkStorage storage_;
};

/// What each class of operators gives by its type; its constructor is that of Dirac. Operator::spinors() says the spins
/// and layers of its fields.
template <class Operator, class Base> class DiracOf : public Base
{
public:
  using Base::Base;
  std::unique_ptr<Dirac> clone(LinkStorage storage) const override
  {
    return std::make_unique<Operator>(this->param(), this->link_set(), storage);
  }

protected:
  SpinorShape spinor_shape() const override { return Operator::spinors(this->param()); }
};

} // namespace quda
