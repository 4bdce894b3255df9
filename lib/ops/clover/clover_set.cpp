#include "ops/clover/clover_set.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "ops/clover/term.h"
#include "ops/copy/redistribute.h"

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
    *made = *precise; // before it counts as one of the copies: this build may lack the conversion
    copies.push_back({std::move(made), precise->tag()});
    return *copies.back().field;
  }
  if (copy->made_from != precise->tag()) {
    *copy->field = *precise;
    copy->made_from = precise->tag();
  }
  return *copy->field;
}

const CloverField &CloverSet::inverse_of(Forms &forms, bool square, double shift, Precision precision) const
{
  const CloverField &of = *term().precise;
  if (!forms.precise || forms.shift != shift) {
    std::unique_ptr<CloverField> squared;
    if (square) {
      squared = std::make_unique<CloverField>(of.param());
      clover_square(*squared, of, shift);
    }
    auto made = std::make_unique<CloverField>(of.param());
    const CloverDeterminants found = clover_inverse(made.get(), squared ? *squared : of);
    if (found.not_positive > 0)
      throw FoundTogether(
          ErrorKind::bad_argument,
          text("the clover term %sis not positive definite in %lld of %lld chiral blocks: it has no inverse that could "
               "be used; a smaller clover_coeff makes it so",
               square ? text("squared, %+g, ", shift).c_str() : "", found.not_positive, found.blocks));
    forms.take(std::move(made));
    forms.shift = shift;
  }
  return forms.copy(precision);
}

const CloverSet &CloverSet::on(const std::shared_ptr<const SubGrids> &grids) const
{
  const CloverField &from = precise();
  OnSubGrid &kept = on_sub_grid_;
  if (!kept.set || kept.grids != grids || kept.made_from != from.tag()) {
    kept = {}; // first: it is larger
    const auto moved = [&](const Forms &forms) -> std::unique_ptr<CloverField> {
      if (!forms.precise) return nullptr;
      return std::make_unique<CloverField>(redistributed(*grids, *forms.precise));
    };
    auto set = std::make_unique<CloverSet>();
    set->load(moved(term_), moved(inverse_));
    if (inverse_square_.precise) set->load_inverse_square(inverse_square_.shift, moved(inverse_square_));
    kept = {std::move(set), grids, from.tag()};
  }
  kept.set->shift = shift;
  return *kept.set;
}

void CloverSet::Forms::take(std::unique_ptr<CloverField> field)
{
  if (!field || copies.empty() || field->shared_lattice() != copies[0].field->shared_lattice()) copies.clear();
  precise = std::move(field);
}

void CloverSet::load(std::unique_ptr<CloverField> term, std::unique_ptr<CloverField> inverse)
{
  term_.take(std::move(term));
  inverse_.take(std::move(inverse));
  inverse_square_.take(nullptr);
  on_sub_grid_ = {};
}

void CloverSet::load_inverse_square(double shift, std::unique_ptr<CloverField> inverse)
{
  inverse_square_.take(std::move(inverse));
  inverse_square_.shift = shift;
  on_sub_grid_ = {};
}

} // namespace quda
