#pragma once
/// Large fields, which some ranks may have no memory for.

#include <memory>
#include <optional>
#include <utility>

#include "comms/found_together.h"
#include "fields/color_spinor_field.h"

namespace quda
{

/// What is said of a lattice of which groups of ranks have copies, on which they do the same work.
struct Copies {
  std::shared_ptr<Communicator> all; // these ranks
  int generation;                    // 1: copies of one grid; 2: of grids below a copy, which have copies in turn
};
inline const char key_of_copies = 0; // its address
/// Null: the ranks of its communicator have it once.
inline const Copies *copies_of(const Lattice &lattice)
{
  return static_cast<const Copies *>(lattice.kept(&key_of_copies, 0).get());
}

/// From now on `lattice` is one of those that go together with another, or of its copies, each of whose ranks have a
/// communicator of their own.
inline void go_together(const Lattice &lattice, const Lattice &like)
{
  const Copies *const of = copies_of(like);
  const bool parts = &lattice.communicator() != &like.communicator();
  if (of || parts)
    lattice.kept(&key_of_copies, 0) = std::make_shared<Copies>(
        Copies {of ? of->all : like.shared_communicator(), (of ? of->generation : 0) + (parts ? 1 : 0)});
}

/// While it lives, the ranks of this copy of a lattice alone do what is done on lattices with copies.
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

  /// Null: all work.
  static Communicator *ranks() { return now_.ranks; }
  /// Of the copy; 0: all work. What is kept for later work is kept for each generation: what a copy has made while it
  /// worked alone is not there on others, nor when all work together.
  static int generation() { return now_.generation; }

private:
  struct AtWork {
    Communicator *ranks;
    int generation;
  };
  inline static AtWork now_ {nullptr, 0};
  const AtWork before_;
};

/// The ranks that go on with what is done on a lattice, or none does: those of its communicator, or all that have copies,
/// or those of them that are at work.
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
