#include "ops/launch.h"

#include <algorithm>

#include "core/error.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  constexpr int most_threads = 1024; // of a GPU's block

  /// With the lane split, which determines the sites of a thread's registers.
  KeyText with_split(const KeyText &aux, const Lattice &lattice)
  {
    if (lattice.lanes() == 1) return aux;
    const int *S = lattice.S();
    return key_text(aux.s, ",S=", S[0], ".", S[1], ".", S[2], ".", S[3]);
  }

} // namespace

TunableSites::TunableSites(const SiteLaunch &what)
    : Tunable(what.lattice.shared_communicator(), what.extent[0], std::max(what.extent[1], 1U),
              std::max(what.extent[2], 1U), volume_text(what.lattice).s, what.name,
              with_split(what.aux, what.lattice).s)
    , what_(what)
{
}

std::vector<MemorySpan> TunableSites::in_place() const
{
  if (what_.in_place.bytes == 0) return {};
  return {what_.in_place};
}

void TunableSites::read_written() const
{
  if (what_.written.bytes > 0) target().read(what_.written.data, what_.written.bytes);
}

std::vector<MemorySpan> TunableSites::written_between() const
{
  std::vector<MemorySpan> spans;
  for (const MemorySpan &span : {what_.in_place, what_.written})
    if (span.bytes > 0) spans.push_back(span);
  return spans;
}

TuneParam TunableSites::default_param() const
{
  TuneParam tp = Tunable::default_param();
  constexpr int ahead = 3072; // bytes
  if (bytes() <= what_.asks_beyond) tp.prefetch = 0;
  if (tp.prefetch > 0 && what_.prefetch_bytes > 0) tp.prefetch = std::clamp(ahead / what_.prefetch_bytes, 1, 12);
  if (target().lanes() == 1 && what_.together > 1)
    tp.block[0] = std::max(tp.block[0] / what_.together, std::clamp(most_threads / what_.together, 1, 4));
  return tp;
}

/// A block that holds an axis whole has few points of the first one.
std::vector<TuneParam> TunableSites::candidates() const
{
  if (target().lanes() > 1 || what_.together == 1) return Tunable::candidates();
  std::vector<TuneParam> params;
  TuneParam tp = default_param();
  for (const int x : {tp.block[0], 4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512}) {
    tp.block[0] = x;
    if (x * what_.together <= most_threads && (params.empty() || x != params[0].block[0])) params.push_back(tp);
  }
  return params;
}

void TunableSites::clear_sums() const
{
  for (ExactLimbs &sum : what_.sums) sum = {};
}

KeyText volume_text(const Lattice &lattice)
{
  return key_text(lattice.X(0), "x", lattice.X(1), "x", lattice.X(2), "x", lattice.X(3));
}

long long link_bytes(const GaugeField &links)
{
  return 4 * links.lattice().volume() * links.reals() * bytes_of(links.precision());
}

void check_border(const char *function, const GaugeField &links, int depth)
{
  for (int d = 0; d < 4; d++)
    if (links.lattice().cut(d) && links.R()[d] < depth)
      fail(ErrorKind::internal,
           text("%s: direction %d is cut between ranks, the links have a border of %d there; %d is needed", function, d,
                links.R()[d], depth));
}

} // namespace quda
