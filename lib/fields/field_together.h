#pragma once
/// Large fields, for which some ranks may lack memory.

#include <memory>
#include <optional>
#include <utility>

#include "comms/found_together.h"
#include "fields/color_spinor_field.h"

namespace quda
{

/// Copies of a lattice: the ranks that hold one each, in groups, and do the same work on it.
struct Copies {
  std::shared_ptr<Communicator> all; // these ranks
  int generation;                    // 1: copies of one grid; 2: of grids below a copy, which have copies in turn
};
inline const char key_of_copies = 0; // its address is the key
/// Null: the ranks of its communicator hold it once.
inline const Copies *copies_of(const Lattice &lattice)
{
  return static_cast<const Copies *>(lattice.kept(&key_of_copies, 0).get());
}

/// From now on `lattice` shares the copies of `like`, or is one of its copies, if its ranks have a communicator of
/// their own.
inline void go_together(const Lattice &lattice, const Lattice &like)
{
  const Copies *const of = copies_of(like);
  const bool parts = &lattice.communicator() != &like.communicator();
  if (of || parts)
    lattice.kept(&key_of_copies, 0) = std::make_shared<Copies>(
        Copies {of ? of->all : like.shared_communicator(), (of ? of->generation : 0) + (parts ? 1 : 0)});
}

/// While it lives, only the ranks of this copy of a lattice do the work on lattices with copies.
class WorkOf
{
public:
  explicit WorkOf(const Lattice &copy)
      : before_(std::exchange(now_, {&copy.communicator(), copies_of(copy)->generation}))
  {
  }
  ~WorkOf() { now_ = before_; }
  WorkOf(const WorkOf &) = delete;
  WorkOf &operator=(const WorkOf &) = delete;

  /// Null: all ranks work.
  static Communicator *ranks() { return now_.ranks; }
  /// Generation of the copy at work; 0: all ranks work. Results are kept for each generation: what a copy has made
  /// while it worked alone exists neither on other copies, nor when all work together.
  static int generation() { return now_.generation; }

private:
  struct AtWork {
    Communicator *ranks;
    int generation;
  };
  inline static AtWork now_ {nullptr, 0};
  const AtWork before_;
};

/// The ranks that must agree before work on a lattice goes on: its communicator's, or all that have copies,
/// or the copy that is at work.
inline Communicator &together_with(const Lattice &lattice)
{
  const Copies *const copies = copies_of(lattice);
  if (!copies) return lattice.communicator();
  return WorkOf::ranks() ? *WorkOf::ranks() : *copies->all;
}

/// A field that all ranks have memory for; else FoundTogether (out_of_memory) on all of them. Collective.
inline ColorSpinorField field_together(const ColorSpinorParam &param)
{
  std::optional<ColorSpinorField> field;
  found_together(together_with(*param.lattice), [&] { field.emplace(param); });
  return std::move(*field);
}

} // namespace quda
