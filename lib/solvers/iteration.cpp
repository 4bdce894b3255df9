#include "solvers/iteration.h"

#include "ops/blas/block.h"

namespace quda
{

void Columns::prepare(const ColorSpinorParam &shape)
{
  const auto fits = [&](const ColorSpinorParam &is) {
    return is.lattice == shape.lattice && is.precision == shape.precision && is.rhs >= shape.rhs &&
           is.rhs < 2 * shape.rhs && is.subset == shape.subset && is.parity == shape.parity &&
           is.spins == shape.spins && is.colors == shape.colors && is.fifth == shape.fifth &&
           is.flavours == shape.flavours;
  };
  part_.reset();
  if (!whole_ || !fits(whole_->param())) whole_ = std::make_unique<ColorSpinorField>(shape);
  if (whole_->rhs() > shape.rhs) part_ = std::make_unique<ColorSpinorField>(whole_->columns(0, shape.rhs));
  now_ = part_ ? part_.get() : whole_.get();
}

void Columns::drop(int i)
{
  const int last = now_->rhs() - 1;
  if (i != last) blas::block::swap(*now_, i, last);
  if (last == 0) return;
  part_ = std::make_unique<ColorSpinorField>(whole_->columns(0, last));
  now_ = part_.get();
}

} // namespace quda
