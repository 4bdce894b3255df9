#pragma once
/// Operators inside of domains (fields/domains.h) with Dirichlet conditions at their edges: those of a Dirac operator
/// whose links that lead from one domain to another are zero. What stays at a site is what it was. On one parity too it
/// is the operator of that, not a part of M_pc. No message is sent.
/// Fields : here() of native fields of the whole operator's, which they share their memory with.
/// Lifetime: the links, clover term and fields of the whole operator must outlive it, and not be written meanwhile.

#include <memory>

#include "dirac/dirac_system.h"
#include "fields/domains.h"

namespace quda
{

class Dirichlet
{
public:
  /// whole: of any storage. Errors: as Domains::check().
  Dirichlet(const Dirac &whole, const Domains &domains, LinkStorage storage, const DiracSystemForm &form);

  const LinearOperator &system() const { return *system_; }
  /// The same numbers, inside of domains. The field must be whole.
  ColorSpinorField here(const ColorSpinorField &of_whole) const;

private:
  std::shared_ptr<const Lattice> closed_;
  std::unique_ptr<DiracSystem> system_;
};

} // namespace quda
