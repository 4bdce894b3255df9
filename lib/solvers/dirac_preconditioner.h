#pragma once
/// Preconditioners of systems of a Dirac operator: some steps of a method on the same system, in a storage of its own,
/// with all of the lattice or inside of domains (Schwarz; solvers/preconditioner.h, dirac/dirichlet.h).

#include <memory>
#include <optional>

#include "dirac/dirichlet.h"
#include "ops/links/link_set.h"
#include "solvers/method.h"
#include "solvers/preconditioner.h"

namespace quda
{

struct SchwarzForm {
  bool multiplicative = false; // one colour of domains after the other
  Domains domains {};
};

struct DiracPreconditionerForm {
  Method method = Method::gcr;
  MethodOptions options {};
  int steps = 10;
  int cycles = 1;                        // of all of it
  std::optional<LinkStorage> storage {}; // none: that of the iterations
  std::optional<SchwarzForm> schwarz {}; // none: one domain, messages and all
};

/// What makes preconditioners for systems of one operator, whichever of its matrices that is of.
class PreconditionerSource
{
public:
  virtual ~PreconditionerSource() = default;
  /// For A x = b of this form, in fields of any precision; refers to its source. Errors: unsupported for a form that it
  /// does not serve.
  virtual std::unique_ptr<Preconditioner> preconditioner(const DiracSystemForm &form) = 0;
};

class DiracPreconditioner final : public Preconditioner
{
public:
  /// A preconditioner for what a method sees of A x = b, with A the matrix of `dirac` in this form. `dirac`, its links
  /// and its clover term must outlive it. Errors: bad_argument for domains and methods that do not go with the system.
  DiracPreconditioner(const Dirac &dirac, const DiracSystemForm &form, System system,
                      const DiracPreconditionerForm &how, LinkStorage storage, const ColorSpinorField &b);
  void apply(ColorSpinorField &z, const ColorSpinorField &r) override { top_->apply(z, r); }
  double flops_done() const override { return top_->flops_done(); }

private:
  std::unique_ptr<Dirichlet> domains_;
  std::unique_ptr<DiracSystem> whole_;
  std::unique_ptr<LinearOperator> inside_system_, whole_system_; // normal systems, where the outer method sees such
  std::unique_ptr<InnerIteration> inner_;
  std::unique_ptr<Schwarz> schwarz_;
  Preconditioner *top_;
};

} // namespace quda
