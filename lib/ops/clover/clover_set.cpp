#include "ops/clover/clover_set.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "ops/clover/term.h"

namespace quda
{

const CloverSet::Forms &CloverSet::term() const
{
  if (!loaded()) fail(ErrorKind::internal, "CloverSet: nothing is loaded");
  return term_;
}

const CloverField &CloverSet::Forms::copy(Precision precision) const
{
  if (precise->precision() == precision) return *precise;
  auto copy =
      std::find_if(copies.begin(), copies.end(), [&](const Copy &one) { return one.field->precision() == precision; });
  if (copy == copies.end()) {
    CloverParam param = precise->param();
    param.precision = precision;
    auto made = std::make_unique<CloverField>(param);
    *made = *precise; // before it counts as one of the copies: this build may not have such a conversion
    copies.push_back({std::move(made), precise->tag()});
    return *copies.back().field;
  }
  if (copy->made_from != precise->tag()) {
    *copy->field = *precise;
    copy->made_from = precise->tag();
  }
  return *copy->field;
}

const CloverField &CloverSet::inverse(Precision precision) const
{
  const CloverField &of = *term().precise;
  if (!inverse_.precise) {
    auto made = std::make_unique<CloverField>(of.param());
    const CloverDeterminants found = clover_inverse(made.get(), of);
    if (found.not_positive > 0)
      throw FoundTogether(
          ErrorKind::bad_argument,
          text("the clover term is not positive definite in %lld of %lld chiral blocks: it has no inverse that could "
               "be used; a smaller clover_coeff makes it so",
               found.not_positive, found.blocks));
    inverse_.precise = std::move(made);
  }
  return inverse_.copy(precision);
}

void CloverSet::load(std::unique_ptr<CloverField> term, std::unique_ptr<CloverField> inverse)
{
  const auto take = [](Forms &forms, std::unique_ptr<CloverField> precise) {
    if (!precise || forms.copies.empty() || precise->shared_lattice() != forms.copies[0].field->shared_lattice())
      forms.copies.clear();
    forms.precise = std::move(precise);
  };
  take(term_, std::move(term));
  take(inverse_, std::move(inverse));
}

} // namespace quda
