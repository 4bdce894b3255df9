#pragma once

/// Multigrid hierarchies that hosts hold by handle, as preconditioners of solves (QudaInvertParam.preconditioner).
///
/// Kept       : the origin of a hierarchy: the operator's constants, links and clover term.
/// Stale      : a solve with another operator of the same kind on the same links and clover term is preconditioned,
///              with one warning; on other links, without updateMultigridQuda(), it is refused. Links that were loaded
///              again with the same numbers count as the same.
/// Errors     : bad_argument and unsupported, with function, argument or member, value and the allowed values.

#include "quda.h"

#include "interface/quark_job.h"
#include "multigrid/multigrid.h"

#include <cstdint>
#include <memory>

namespace quda
{

/// Origin of a hierarchy.
struct MultigridSource {
  /// Constants of an operator, which reveal a change.
  struct Constants {
    std::size_t kind = 0; // number in DiracParam
    bool clover = false;
    double kappa = 0, mu = 0, epsilon = 0, rho = 0, shift = 0, mass = 0;
    int flavours = 1;
    bool improved = false; // whether it has long links
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
  std::unique_ptr<Multigrid> hierarchy; // null: an update failed
  MultigridSource made_for {};
  MultigridSource::Constants warned {}; // of the operator that a warning was given for
  std::vector<LevelReport> before {};   // reports before a solve
  std::vector<LevelReport> solve {};    // each level's report on the last solve
};

/// The hierarchy of a handle; refuses invalid ones. name: of the argument or member.
HeldMultigrid &held_multigrid(Session &session, const char *function, const char *name, void *handle);
void free_multigrid(Session &session, const char *function, const char *name, void *handle);

/// Checks that the hierarchy of param.preconditioner fits the solve `how`.
HeldMultigrid &multigrid_of(Checks &checks, const QudaInvertParam &param, const QuarkJob &job, const DiracSolve &how);

/// Makes the hierarchy the solve's preconditioner, unless it is stale. Collective.
void precondition(const char *function, HeldMultigrid &held, const QuarkJob &job, DiracSolve &how);
/// Prints after a solve how its time was spent: on all levels if the solve is verbose, else on those with their own
/// verbosity QUDA_SUMMARIZE or more.
void tell_levels(HeldMultigrid &held);

} // namespace quda
