#pragma once
/// A level of a hierarchy: an operator with its smoother, the transfer to the next coarser level, and how its own system
/// is solved for the finer one (multigrid.h). Collective over its lattice's communicator.

#include <memory>

#include "core/timer.h"
#include "dirac/dirac.h"
#include "multigrid/multigrid.h"
#include "multigrid/transfer.h"
#include "solvers/krylov_solver.h"

namespace quda
{

class Level
{
public:
  /// The form must outlive it.
  Level(const MultigridForm &form, int number)
      : form_(form)
      , number_(number)
  {
  }

  const MultigridLevel &how() const { return form_.levels[static_cast<std::size_t>(number_)]; }
  int number() const { return number_; }
  bool last() const { return static_cast<std::size_t>(number_) + 1 == form_.levels.size(); }
  const Dirac &dirac() const { return *dirac_; }
  const Lattice &lattice() const { return *shape(-1, 1).lattice; }
  ColorSpinorParam shape(int parity, int rhs) const { return dirac_->shape(parity, rhs); }
  int parity() const { return parity_of(form_.matpc); }

  /// Takes the place of the operator before. smoothing: how that of the smoother is stored. random: some field on all
  /// sites, for what is estimated.
  void set_operator(std::unique_ptr<Dirac> dirac, LinkStorage smoothing, const ColorSpinorField &random);
  /// The next level, which must outlive this, and what leads there.
  void set_transfer(std::unique_ptr<Transfer> P, Level &next);
  const Transfer &transfer() const { return *P_; }
  bool has_transfer() const { return P_ != nullptr; }

  /// Vectors of this level's P, on all sites, of the operator's precision; before P was made of them.
  std::unique_ptr<ColorSpinorField> vectors;

  /// Brings vectors nearer to the kernel, as the form of the set-up says, by so many steps, and to the norm 1.
  void relax(int steps);
  /// The same by this level's cycle.
  void bootstrap();

  /// z near to M_pc^-1 r, by way of the next level; fields of the operator's precision and lattice on its parity.
  void cycle(ColorSpinorField &z, const ColorSpinorField &r);
  /// The same of M on all sites: M_pc around a cycle.
  void cycle_of_full(ColorSpinorField &z, const ColorSpinorField &r);
  /// x near to M^-1 b on all sites, as the form of the level says.
  void solve(ColorSpinorField &x, const ColorSpinorField &b);

  double flops_done() const;
  LevelReport report() const;
  double setup_seconds = 0;

private:
  void normalise();
  /// Whether the finer level's cycle solves this one's system with a preconditioner.
  bool recursive() const { return form_.levels[static_cast<std::size_t>(number_) - 1].recursive; }

  class Cycle final : public Preconditioner
  {
  public:
    explicit Cycle(Level &level)
        : level_(level)
    {
    }
    void apply(ColorSpinorField &z, const ColorSpinorField &r) override { level_.cycle(z, r); }

  private:
    Level &level_;
  };

  const MultigridForm &form_;
  const int number_;
  std::unique_ptr<Dirac> dirac_;
  LinkStorage smoothing_ {};
  std::unique_ptr<LinearOperator> schur_;
  std::unique_ptr<DiracPreconditioner> before_, after_; // smoothers
  std::unique_ptr<Transfer> P_;
  Level *next_ = nullptr;
  Cycle cycle_ {*this};
  std::unique_ptr<InnerIteration> solver_;
  Scratch scratch_;
  Timer timer_; // of cycles and solves, without those of coarser levels
  long long solves_ = 0;
  double flops_ = 0;
};

} // namespace quda
