#pragma once
/// Base of the operators on the links of a set in one storage, and the members that depend on the class.
/// Links      : looked up in the set at every application, so that links written meanwhile are seen; it is an
///              error if none are loaded any more.

#include <memory>
#include <utility>

#include "dirac/dirac_even_odd.h"
#include "dirac/dirac_param.h"
#include "ops/clover/clover_set.h"
#include "ops/links/link_set.h"

namespace quda
{

class DiracOnLinks : public DiracEvenOdd
{
public:
  ColorSpinorParam shape(int parity, int rhs) const override;
  LinkStorage storage() const override { return storage_; }

protected:
  /// set: must outlive the operator.
  DiracOnLinks(const SpinorShape &spinors, const LinkSet &links, LinkStorage storage)
      : spinors_(spinors)
      , set_(links)
      , storage_(storage)
  {
  }
  const LinkSet &link_set() const { return set_; }
  const GaugeField &links() const { return set_.copy(storage_); }
  Precision precision() const { return storage_.precision; }

private:
  SpinorShape spinors_;
  const LinkSet &set_;
  LinkStorage storage_;
};

/// The clover term of a set inside domains, in one precision: the same memory on their closed lattice. inverse: with
/// the inverse of the term, or of its square + *square.
std::unique_ptr<CloverSet> clover_inside(const CloverSet &set, const Domains &domains, Precision precision,
                                         bool inverse, const double *square);

/// Base of an operator with parameters of type `Of`, one of DiracParam.
template <class Operator, class Of> class DiracOf : public DiracOnLinks
{
public:
  DiracOf(const Of &of, const LinkSet &links, LinkStorage storage)
      : DiracOnLinks(of.spinors(), links, storage)
      , of_(of)
  {
  }

  std::unique_ptr<Dirac> clone(LinkStorage storage) const override
  {
    return std::make_unique<Operator>(of_, link_set(), storage);
  }

  std::unique_ptr<Dirac> inside(const Domains &domains, LinkStorage storage, bool even_odd) const override
  {
    Of of = of_;
    std::unique_ptr<CloverSet> clover;
    if constexpr (requires { of.long_links; })
      if (of.long_links) of.long_links = &of.long_links->inside(domains, 3);
    if constexpr (requires { of.clover; })
      if (of.clover) {
        const double *square = nullptr;
        double value = 0;
        if constexpr (requires { of.twist; }) value = of.twist.square(), square = &value;
        clover = clover_inside(*of.clover, domains, storage.precision, even_odd, square);
        of.clover = clover.get();
      }
    auto made = std::make_unique<Operator>(of, link_set().inside(domains, 1), storage);
    made->clover_inside_ = std::move(clover);
    return made;
  }

protected:
  const Of &of() const { return of_; }

private:
  Of of_;
  std::unique_ptr<CloverSet> clover_inside_; // which of_ then refers to
};

} // namespace quda
