#pragma once
/// Parameters of the Dirac operators: one structure per kind, all of them in DiracParam. Objects that they refer to
/// must outlive the operators made from them.

#include <complex>
#include <optional>
#include <variant>
#include <vector>

#include "core/types.h"
#include "dirac/dirac.h"

namespace quda
{

class CloverSet;
class LinkSet;

/// Spins and layers of the fields of a kind.
struct SpinorShape {
  int spins = 4, fifth = 1, flavours = 1;
  bool alternating = false; // fields/color_spinor_field.h
};

struct WilsonFermions {
  double kappa = 0;
  SpinorShape spinors() const { return {}; }
};

struct CloverFermions {
  double kappa = 0;
  const CloverSet *clover = nullptr;
  SpinorShape spinors() const { return {}; }
};

/// Clover fermions with a Hasenbusch twist, on the parity of matpc (dirac_hasenbusch.h).
struct HasenbuschFermions {
  double kappa = 0;
  const CloverSet *clover = nullptr;
  double mu = 0;
  MatPC matpc = MatPC::even_even; // the form that the full M belongs to
  SpinorShape spinors() const { return {}; }
};

/// The twist of A = T + i mu gamma5 for one flavour, A = T + i mu gamma5 tau3 - epsilon tau1 for two; T is 1 or the
/// clover term. mu and epsilon are 2 kappa times those of hosts (dirac_twisted.h).
struct TwistParam {
  double mu = 0, epsilon = 0;
  double rho = 0;             // added to mu in an asymmetric even-odd form where A is not inverted
  int flavours = 1;           // or 2
  bool inverse_first = false; // dslash() with dagger: D^dag A^-dag, else A^-dag D^dag

  /// A^dag A = T^2 + this, for one flavour.
  double square() const { return mu * mu - epsilon * epsilon; }
};

struct TwistedFermions {
  double kappa = 0;
  TwistParam twist {};
  const CloverSet *clover = nullptr; // null: T = 1
  SpinorShape spinors() const { return {.flavours = twist.flavours}; }
};

struct StaggeredFermions {
  double mass = 0;
  const LinkSet *long_links = nullptr;         // of improved fermions, besides the fat links
  Reconstruct long_copies = Reconstruct::none; // of the copies in precisions lower than the set's
  SpinorShape spinors() const { return {.spins = 1}; }
};

struct LaplaceVectors {
  double kappa = 0;
  int omitted = -1; // direction that is left out; none: < 0 or > 3
  SpinorShape spinors() const { return {.spins = 1}; }
};

struct CovariantShift {
  int direction = 0; // 0 to 3 from ahead, 4 to 7 from behind
  int spins = 4;     // or 1
  SpinorShape spinors() const { return {.spins = spins}; }
};

/// The term that the exact one-flavour action adds to Moebius fermions of equal b and c (dirac_domain_wall.h).
struct OneFlavourTerm {
  bool plus = true; // the chirality that has it
  double shift = 0, mq1 = 0, mq2 = 0, mq3 = 0;
};

/// Moebius fermions: m5 with its sign (4 + m5 is Wilson's diagonal); b and c of each layer (dirac_domain_wall.h).
struct MoebiusFermions {
  double mass = 0, m5 = 0;
  std::vector<std::complex<double>> b, c;
  std::optional<OneFlavourTerm> term {};
  SpinorShape spinors() const { return {.fifth = static_cast<int>(b.size())}; }
};

/// Shamir fermions, b = 1 and c = 0, in a checkerboard of five dimensions.
struct DomainWallFermions {
  double mass = 0, m5 = 0;
  int layers = 0; // even
  SpinorShape spinors() const { return {.fifth = layers, .alternating = true}; }
};

using DiracParam = std::variant<WilsonFermions, CloverFermions, HasenbuschFermions, TwistedFermions, StaggeredFermions,
                                LaplaceVectors, CovariantShift, MoebiusFermions, DomainWallFermions>;

} // namespace quda
