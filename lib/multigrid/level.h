#pragma once
/// Level of a hierarchy: an operator with its smoother, the transfer to the next coarser level, and the solver of its
/// own system for the finer level (multigrid.h). Collective over its lattice's communicator.

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

  /// Replaces the operator. smoothing: storage of the smoother's operator. random: some field on all sites, for
  /// estimates.
  void set_operator(std::unique_ptr<Dirac> dirac, LinkStorage smoothing, const ColorSpinorField &random);
  /// Sets the next level, which must outlive this, and the transfer to it.
  void set_transfer(std::unique_ptr<Transfer> P, Level &next);
  const Transfer &transfer() const { return *P_; }
  bool has_transfer() const { return P_ != nullptr; }

  /// Vectors for this level's P, on all sites, in the operator's precision, before they are made orthonormal.
  std::unique_ptr<ColorSpinorField> vectors;

  /// Brings the vectors nearer to the kernel by `steps` steps of the set-up's method, and to norm 1.
  void relax(int steps);
  /// Makes the vectors from the first ones by the form's filter.
  void filter();
  /// Brings the vectors nearer to the kernel by this level's cycle.
  void bootstrap();
  /// Makes the vectors from the right singular vectors of M_pc with the smallest values, as the form says.
  void take_low_modes();

  /// Finds the low modes that the last level's solver removes from a system, if the form asks for them. keep: the
  /// present modes are used for the present operator.
  void deflate(bool keep);

  /// Makes solver and smoothers anew from the present form, for the same operator.
  void renew_methods();

  /// z near M_pc^-1 r or, with dagger, M_pc^-dag r, through the next level; fields of the operator's precision and
  /// lattice, on its parity.
  void cycle(ColorSpinorField &z, const ColorSpinorField &r, bool dagger = false);
  /// The same for M on all sites: the steps around M_pc, and a cycle.
  void cycle_of_full(ColorSpinorField &z, const ColorSpinorField &r, bool dagger = false);
  /// x near M^-1 b, or M^-dag b, on all sites, as the level's form says. On a gathered level the first copy solves.
  void solve(ColorSpinorField &x, const ColorSpinorField &b, bool dagger = false);

  double flops_done() const;
  LevelReport report() const;
  double setup_seconds = 0;
  int products = 0; // number that the operator's pieces were made with

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

  /// The methods for M_pc, or for its adjoint.
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
  /// The methods of that side, made when first used.
  Side &side(bool dagger);
  std::unique_ptr<Side> make_side(bool dagger);
  void forget_sides();
  const LinearOperator &system(const Side &of) const { return of.adjoint ? *of.adjoint : *schur_; }
  /// Finds the modes of M_pc^dag M_pc that the form asks for.
  void find_modes(DeflationSpace &modes);
  void normalise();
  /// Whether smoother and solver work on M, not on M_pc.
  bool whole() const { return form_.whole(number_); }
  DiracSystemForm system_form(bool dagger) const;
  /// The part of a field on all sites that the level works on.
  ColorSpinorField here(const ColorSpinorField &field) const;
  /// prepare() and reconstruct() of dirac/dirac.h for M_pc; copies for M.
  void prepare(ColorSpinorField &c, const ColorSpinorField &b, bool dagger) const;
  void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, bool dagger) const;
  void solve_here(ColorSpinorField &x, const ColorSpinorField &b, bool dagger);
  /// Whether the finer level's cycle solves this level's system with a preconditioner.
  bool recursive() const { return form_.levels[static_cast<std::size_t>(number_) - 1].recursive; }

  const MultigridForm &form_;
  const int number_;
  std::unique_ptr<Dirac> dirac_;
  LinkStorage smoothing_ {};
  Precision sloppy_ = Precision::single;    // of fields that the smoother multiplies
  std::unique_ptr<LinearOperator> schur_;   // M_pc, or M
  std::unique_ptr<ColorSpinorField> start_; // for estimates on M_pc
  std::unique_ptr<Side> sides_[2];          // of M_pc and of its adjoint
  std::unique_ptr<Transfer> P_;
  Level *next_ = nullptr;
  const Gathering *gathering_ = nullptr; // of its own grid
  DeflationSpace low_modes_;             // of the last level
  Scratch scratch_;
  Timer timer_;                                      // in cycles and solves, without coarser levels
  Timer in_smoothers_, in_operators_, in_transfers_; // parts of that
  long long solves_ = 0, iterations_ = 0;            // the latter of sides that no longer exist
  double flops_ = 0;
};

} // namespace quda
