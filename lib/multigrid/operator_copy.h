#pragma once
/// Copy of a finest operator's links and clover term: a hierarchy outlives the fields that hosts load, and has its own
/// lanes and precision.

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
  /// Copies the fields written since the last call. Returns the factor from C of that call's clover term 1 + C to the
  /// present C, 1 without a term; none for other links, or if the term is no multiple. Collective.
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
