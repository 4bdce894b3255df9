#pragma once
/// Operators inside domains (fields/domains.h) with Dirichlet conditions at their edges: a Dirac operator in which the
/// links from one domain to another are zero. Terms at a site stay the same. On one parity, too, it is
/// the M_pc of this operator, not a part of the whole M_pc. No message is sent.
/// Fields : made by here() from native fields of the whole operator, whose memory they share.
/// Lifetime: the links, clover term and fields of the whole operator must outlive it, and not be written meanwhile.

#include <memory>

#include "dirac/dirac_system.h"
#include "fields/domains.h"

namespace quda
{

class Dirichlet
{
public:
  /// whole: in any storage. Errors: as Domains::check().
  Dirichlet(const Dirac &whole, const Domains &domains, LinkStorage storage, const DiracSystemForm &form);

  const LinearOperator &system() const { return *system_; }
  /// The same numbers as a field inside domains. The field must be whole.
  ColorSpinorField here(const ColorSpinorField &of_whole) const;

private:
  std::shared_ptr<const Lattice> closed_;
  std::unique_ptr<DiracSystem> system_;
};

} // namespace quda
