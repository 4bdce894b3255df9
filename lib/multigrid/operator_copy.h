#pragma once
/// A finest operator's links and clover term, copied: a hierarchy outlives what hosts load, and has lanes and a precision of
/// its own.

#include <memory>
#include <optional>

#include "dirac/dirac_param.h"
#include "ops/clover/clover_set.h"
#include "ops/links/link_set.h"

namespace quda
{

class OperatorCopy
{
public:
  /// Copies what has been written since the last call. Gives back the factor that takes C of that call's clover term 1 + C
  /// to that of now, 1 where there is none; none on other links, and of a term that is no multiple. Collective.
  std::optional<double> take(const DiracParam &dirac, const LinkSet &links,
                             const std::shared_ptr<const Lattice> &lattice, Precision precision);

  const LinkSet &links() const { return links_; }
  /// Parameters of the operator on the copies.
  const DiracParam &dirac() const { return dirac_; }

private:
  DiracParam dirac_;
  LinkSet links_, long_links_;
  CloverSet clover_;
  std::uint64_t of_links_ = 0, of_clover_ = 0; // tags
};

} // namespace quda
