#pragma once

/// Multigrid hierarchies that hosts hold by a handle, as preconditioners of solves (QudaInvertParam.preconditioner).
///
/// Kept       : what a hierarchy was made for: the operator's constants, links and clover term.
/// Stale      : a solve of another operator of the same kind on the same links and clover term is warned of, once, and
///              preconditioned; on others, which no updateMultigridQuda() followed, it is refused. Links with the same
///              numbers as before are the same ones, loaded again.
/// Errors     : bad_argument and unsupported, naming function, argument or member, value and what is allowed.

#include "quda.h"

#include "interface/quark_job.h"
#include "multigrid/multigrid.h"

#include <cstdint>
#include <memory>

namespace quda
{

/// What a hierarchy was made for.
struct MultigridSource {
  /// Constants of an operator, by which a change is noticed.
  struct Constants {
    std::size_t kind = 0; // number in DiracParam
    bool clover = false;
    double kappa = 0, mu = 0, epsilon = 0, rho = 0, shift = 0, mass = 0;
    int flavours = 1;
    bool improved = false; // has long links
    bool operator==(const Constants &) const = default;
    bool same_kind(const Constants &other) const
    {
      return kind == other.kind && clover == other.clover && flavours == other.flavours && improved == other.improved;
    }
  };
  Constants constants {};
  std::uint64_t links = 0, clover = 0, long_links = 0; // tags
  std::uint64_t digest = 0, long_digest = 0;           // of the links' numbers on this rank
};

MultigridSource::Constants constants_of(const DiracParam &dirac);

struct HeldMultigrid {
  std::unique_ptr<Multigrid> hierarchy; // null: an update of it failed
  MultigridSource made_for {};
  MultigridSource::Constants warned {}; // of a solve of these
  std::vector<LevelReport> before {};   // a solve
  std::vector<LevelReport> solve {};    // what the last one did on each level
};

/// The hierarchy of a handle; refuses what is none. name: of the argument or member.
HeldMultigrid &held_multigrid(const char *function, const char *name, void *handle);

/// Checks that a solve can be preconditioned by the hierarchy of param.preconditioner; how: the solve.
HeldMultigrid &multigrid_of(Checks &checks, const QudaInvertParam &param, const QuarkJob &job, const DiracSolve &how);

/// Has the solve preconditioned by it, unless it is stale. Collective.
void precondition(const char *function, HeldMultigrid &held, const QuarkJob &job, DiracSolve &how);
/// After the solve: where its time went. That of all levels is said where the solve is verbose, else that of those whose
/// own verbosity is QUDA_SUMMARIZE or more.
void tell_levels(HeldMultigrid &held);

} // namespace quda
