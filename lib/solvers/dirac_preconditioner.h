#pragma once
/// Preconditioners of systems of a Dirac operator: a few steps of a method on the same system, in its own storage,
/// on the whole lattice or inside domains (Schwarz; solvers/preconditioner.h, dirac/dirichlet.h).

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
  int cycles = 1;                        // of the whole preconditioner
  std::optional<LinkStorage> storage {}; // none: that of the iterations
  std::optional<SchwarzForm> schwarz {}; // none: the whole lattice, with communication
};

/// Maker of preconditioners for systems with any of the matrices of one operator.
class PreconditionerSource
{
public:
  virtual ~PreconditionerSource() = default;
  /// A preconditioner for A x = b of this form, on fields of any precision; refers to its source. Errors: unsupported
  /// for a form that the source does not serve.
  virtual std::unique_ptr<Preconditioner> preconditioner(const DiracSystemForm &form) = 0;
};

class DiracPreconditioner final : public Preconditioner
{
public:
  /// A preconditioner for the system that a method solves for A x = b, A the matrix of `dirac` in this form. `dirac`,
  /// its links and clover term must outlive it. Errors: bad_argument if domains or methods do not fit the system.
  DiracPreconditioner(const Dirac &dirac, const DiracSystemForm &form, System system,
                      const DiracPreconditionerForm &how, LinkStorage storage, const ColorSpinorField &b);
  void apply(ColorSpinorField &z, const ColorSpinorField &r) override { top_->apply(z, r); }
  double flops_done() const override { return top_->flops_done(); }

private:
  std::unique_ptr<Dirichlet> domains_;
  std::unique_ptr<DiracSystem> whole_;
  std::unique_ptr<LinearOperator> inside_system_, whole_system_; // normal systems, if the outer method solves one
  std::unique_ptr<InnerIteration> inner_;
  std::unique_ptr<Schwarz> schwarz_;
  Preconditioner *top_;
};

} // namespace quda
