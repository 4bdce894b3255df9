#include "dirac/dirac_system.h"

#include "dirac/gamma5_times.h"

namespace quda
{

DiracSystem::DiracSystem(std::unique_ptr<Dirac> dirac, const DiracSystemForm &form)
    : dirac_(std::move(dirac))
    , matrix_(form.matpc ? dirac_->schur(*form.matpc) : dirac_->full())
    , top_(matrix_.get())
{
  if (form.dagger) {
    adjoint_ = std::make_unique<Adjoint>(*top_);
    top_ = adjoint_.get();
  }
  if (form.gamma5) {
    gamma5_ = std::make_unique<Gamma5Times>(*top_, *form.gamma5);
    top_ = gamma5_.get();
  }
  if (form.weights) {
    weighted_ = std::make_unique<Weighted>(*top_, *form.weights);
    top_ = weighted_.get();
  }
  if (form.normal) {
    normal_ = std::make_unique<Normal>(*top_);
    top_ = normal_.get();
  }
}

} // namespace quda
