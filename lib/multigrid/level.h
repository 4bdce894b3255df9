#pragma once
/// A level of a hierarchy: an operator with its smoother, the transfer to the next coarser level, and how its own system
/// is solved for the finer one (multigrid.h). Collective over its lattice's communicator.

#include <memory>

#include "core/timer.h"
#include "dirac/dirac.h"
#include "multigrid/multigrid.h"
#include "multigrid/transfer.h"
#include "solvers/deflation.h"
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
  /// Parity of the sites that it works on; -1: all sites, for an operator without forms on one parity.
  int parity() const { return whole() ? -1 : parity_of(form_.matpc); }

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
  /// Makes them of the first ones by the form's filter.
  void filter();
  /// Brings them nearer by this level's cycle.
  void bootstrap();
  /// Makes them of the right singular vectors of M_pc with the smallest values, as the form says.
  void take_low_modes();

  /// Finds the low modes that the last level's solver takes from a system, where the form asks for them. keep: those that
  /// there are serve the operator that there is now.
  void deflate(bool keep);

  /// Solver and smoothers anew, as the form has them now, for the same operator.
  void renew_methods();

  /// z near to M_pc^-1 r, or, with dagger, to M_pc^-dag r, by way of the next level; fields of the operator's precision
  /// and lattice on its parity.
  void cycle(ColorSpinorField &z, const ColorSpinorField &r, bool dagger = false);
  /// The same of M on all sites: M_pc around a cycle.
  void cycle_of_full(ColorSpinorField &z, const ColorSpinorField &r, bool dagger = false);
  /// x near to M^-1 b, or M^-dag b, on all sites, as the form of the level says. Of a gathered level the first copy solves.
  void solve(ColorSpinorField &x, const ColorSpinorField &b, bool dagger = false);

  double flops_done() const;
  LevelReport report() const;
  double setup_seconds = 0;
  int products = 0; // by which the operator's pieces were made

private:
  class Cycle final : public Preconditioner
  {
  public:
    Cycle(Level &level, bool dagger)
        : level_(level)
        , dagger_(dagger)
    {
    }
    void apply(ColorSpinorField &z, const ColorSpinorField &r) override { level_.cycle(z, r, dagger_); }

  private:
    Level &level_;
    const bool dagger_;
  };

  /// What works on M_pc, or on its adjoint.
  struct Side {
    std::unique_ptr<LinearOperator> adjoint;            // null: M_pc itself
    std::unique_ptr<DiracPreconditioner> before, after; // smoothers
    std::unique_ptr<Cycle> cycle;
    std::unique_ptr<InnerIteration> solver;
    double flops_done() const
    {
      return (solver ? solver->flops_done() : 0) + (before ? before->flops_done() : 0) +
             (after ? after->flops_done() : 0);
    }
  };
  /// Made when it is asked for.
  Side &side(bool dagger);
  std::unique_ptr<Side> make_side(bool dagger);
  void forget_sides();
  const LinearOperator &system(const Side &of) const { return of.adjoint ? *of.adjoint : *schur_; }
  /// Modes that the form asks for, of M_pc^dag M_pc.
  void find_modes(DeflationSpace &modes);
  void normalise();
  /// Whether smoother and solver are those of M and not of M_pc.
  bool whole() const { return form_.whole(number_); }
  DiracSystemForm system_form(bool dagger) const;
  /// What a field on all sites has on those that the level works on.
  ColorSpinorField here(const ColorSpinorField &field) const;
  /// The same of dirac/dirac.h around a solution of M_pc, and nothing but copies around one of M.
  void prepare(ColorSpinorField &c, const ColorSpinorField &b, bool dagger) const;
  void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, bool dagger) const;
  void solve_here(ColorSpinorField &x, const ColorSpinorField &b, bool dagger);
  /// Whether the finer level's cycle solves this one's system with a preconditioner.
  bool recursive() const { return form_.levels[static_cast<std::size_t>(number_) - 1].recursive; }

  const MultigridForm &form_;
  const int number_;
  std::unique_ptr<Dirac> dirac_;
  LinkStorage smoothing_ {};
  Precision sloppy_ = Precision::single;    // of fields that the smoother's matrices multiply
  std::unique_ptr<LinearOperator> schur_;   // M_pc, or M
  std::unique_ptr<ColorSpinorField> start_; // one of M_pc, for what is estimated of it
  std::unique_ptr<Side> sides_[2];          // of M_pc and of its adjoint
  std::unique_ptr<Transfer> P_;
  Level *next_ = nullptr;
  const Gathering *gathering_ = nullptr; // of its own grid
  DeflationSpace low_modes_;             // of the last level
  Scratch scratch_;
  Timer timer_;                                      // of cycles and solves, without those of coarser levels
  Timer in_smoothers_, in_operators_, in_transfers_; // parts of that
  long long solves_ = 0, iterations_ = 0;            // the latter of sides that are gone
  double flops_ = 0;
};

} // namespace quda
