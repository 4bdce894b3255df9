#include "fields/lattice.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "core/environment.h"
#include "core/error.h"
#include "fields/aggregates.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  constexpr int table_widths[3] = {16, 8, 4};

  // Above this size three one-parity slices across direction 3 count as large; see choose_lane_split.
  constexpr double second_level_cache = 1 << 20;
  constexpr double spinor_bytes = 24 * 4;

  int log2_of(int power) { return __builtin_ctz(static_cast<unsigned>(power)); }

  bool leaves_even(int X, int S) { return X % (2 * S) == 0; }

  // The direction that blocks would be skewed along, or 3: face sites are numbered in pairs along earlier directions.
  int direction_of_skew(const bool cut[4])
  {
    int e = 0;
    while (e < 3 && cut[e]) e++;
    return e;
  }

  // Whether S cuts X[d] into blocks that are even, or skewed along `skew`; skew < 0: even ones only.
  bool admits(const int X[4], const int S[4], int d, int skew)
  {
    return leaves_even(X[d], S[d]) || (skew >= 0 && d > skew && S[skew] == 1 && X[d] % S[d] == 0);
  }

  bool is_large(const int X[4])
  {
    const double slice_cb = 0.5 * X[0] * X[1] * X[2];
    return 3 * slice_cb * spinor_bytes > second_level_cache;
  }

  // Whether blocks of sites lie within one lane.
  bool keeps_blocks(int X, int S, int block) { return X / S % block == 0; }

  // QUDA_LANE_SPLIT, for experiments
  bool split_from_environment(const int X[4], const bool cut[4], const int *block, int lanes, int S[4])
  {
    const auto wish = env_string("QUDA_LANE_SPLIT");
    if (!wish || wish->empty()) return false;
    int end = 0;
    const bool four = std::sscanf(wish->c_str(), "%d %d %d %d %n", &S[0], &S[1], &S[2], &S[3], &end) == 4 &&
                      wish->size() == static_cast<std::size_t>(end);
    bool good = four;
    long long product = 1;
    for (int d = 0; d < 4 && good; d++) {
      good = S[d] >= 1 && S[d] <= lanes && (S[d] & (S[d] - 1)) == 0;
      product *= good ? S[d] : 1;
    }
    if (!good || product > lanes)
      fail(ErrorKind::bad_argument,
           text("QUDA_LANE_SPLIT = \"%s\": four powers of two with a product of at most %d are allowed", wish->c_str(),
                lanes));
    for (int d = 0; d < 4; d++)
      if (!admits(X, S, d, direction_of_skew(cut)))
        fail(ErrorKind::bad_argument, text("QUDA_LANE_SPLIT = \"%s\": S[%d] = %d does not leave X[%d] / S[%d] even, "
                                           "X[%d] = %d; odd ones are allowed behind a direction of S = 1 that is not "
                                           "cut between ranks",
                                           wish->c_str(), d, S[d], d, d, d, X[d]));
    for (int d = 0; d < 4; d++)
      if (block && !(leaves_even(X[d], S[d]) && keeps_blocks(X[d], S[d], block[d]))) return false;
    return true;
  }

  unsigned long long product(const int extent[4])
  {
    unsigned __int128 n = 1;
    for (int d = 0; d < 4; d++) n *= static_cast<unsigned>(extent[d]);
    const unsigned __int128 most = ~0ull;
    return n > most ? ~0ull : static_cast<unsigned long long>(n);
  }

  // Kernels count sites in 32 bits: those of a parity, and on lane targets the stored sites of both parities.
  bool countable(const int extent[4], int lanes)
  {
    const unsigned long long sites = product(extent);
    return (lanes == 1 ? sites / 2 : sites) < (1ull << 32);
  }

  std::string spelled(const int n[4]) { return text("%dx%dx%dx%d", n[0], n[1], n[2], n[3]); }

} // namespace

void choose_lane_split(const int X[4], const bool cut[4], int lanes, int S[4], int whole, const int *block)
{
  // smaller is better; the first difference decides
  using Cost = std::array<int, 7>;
  constexpr int unit = 1 << 20; // of time
  const bool large = is_large(X);
  const auto cost = [&](const int s[4]) {
    int bits[4], used = 1, time = unit, in_cut = 0, above_four = 0, uneven = 0;
    for (int d = 0; d < 4; d++) {
      time += X[d] / s[d] % 2 ? unit / 4 / (X[d] / s[d]) : 0;
      used *= s[d];
      bits[d] = log2_of(s[d]);
      in_cut += cut[d] ? bits[d] : 0;
      above_four += bits[d] > 2 ? bits[d] - 2 : 0;
      uneven += bits[d] * bits[d];
    }
    time *= lanes / used + 2 * std::max(1, lanes / 2 / used);
    if (large) return Cost {time, in_cut, above_four, bits[3], bits[2], uneven, -bits[0]};
    return Cost {time, in_cut, above_four, bits[3], uneven, -bits[2], -bits[1]};
  };

  const int skew = whole < 0 && !block ? direction_of_skew(cut) : -1;
  int s[4];
  const auto goes = [&](int d) {
    return s[d] == 1 || (d != whole && admits(X, s, d, skew) && keeps_blocks(X[d], s[d], block ? block[d] : 1));
  };
  Cost best {};
  bool found = false;
  for (s[0] = 1; s[0] <= lanes && goes(0); s[0] *= 2)
    for (s[1] = 1; s[0] * s[1] <= lanes && goes(1); s[1] *= 2)
      for (s[2] = 1; s[0] * s[1] * s[2] <= lanes && goes(2); s[2] *= 2)
        for (s[3] = 1; s[0] * s[1] * s[2] * s[3] <= lanes && goes(3); s[3] *= 2) {
          const Cost now = cost(s);
          if (found && !(now < best)) continue;
          found = true;
          best = now;
          for (int d = 0; d < 4; d++) S[d] = s[d];
        }
}

Divisor make_divisor(unsigned divisor)
{
  // 2^64 / d cannot be written in 64 bits, but its whole part can: (2^64 - 1) / d, unless d divides 2^64
  if (divisor == 1) return {1, 0};
  const bool power = (divisor & (divisor - 1)) == 0;
  return {divisor, ~0ull / divisor + (power ? 2 : 1)};
}

unsigned stored_index(const LatticeView &view, const int o[4])
{
  unsigned long long full = 0;
  for (int d = 3; d >= 0; d--) full = full * static_cast<unsigned>(view.E[d]) + static_cast<unsigned>(o[d] + view.R[d]);
  return static_cast<unsigned>(full / 2);
}

bool same_sites(const Lattice &a, const Lattice &b)
{
  if (a.lanes_are_rows() != b.lanes_are_rows()) return false;
  for (int d = 0; d < 4; d++)
    if (a.X(d) != b.X(d) || a.global_X()[d] != b.global_X()[d] || a.origin()[d] != b.origin()[d]) return false;
  return true;
}

std::shared_ptr<const Lattice> Lattice::create(const int X[4], std::shared_ptr<Communicator> communicator, int lanes)
{
  return std::shared_ptr<const Lattice>(new Lattice(X, std::move(communicator), lanes, -1));
}

std::shared_ptr<const Lattice> Lattice::sliced(const int X[4], std::shared_ptr<Communicator> communicator,
                                               int direction, int lanes)
{
  if (direction < 0 || direction > 3)
    fail(ErrorKind::bad_argument, text("Lattice: direction = %d; 0 to 3 are allowed", direction));
  return std::shared_ptr<const Lattice>(new Lattice(X, std::move(communicator), lanes, direction));
}

std::shared_ptr<const Lattice> Lattice::blocked(const int X[4], std::shared_ptr<Communicator> communicator,
                                                const int block[4], int lanes)
{
  if (!X) fail(ErrorKind::bad_argument, "Lattice: X is null");
  if (!block) fail(ErrorKind::bad_argument, "Lattice: block is null");
  int coarse[4];
  count_aggregates(X, block, coarse);
  return std::shared_ptr<const Lattice>(new Lattice(X, std::move(communicator), lanes, -1, Lanes::sites, block));
}

std::shared_ptr<const Lattice> Lattice::rows(const int X[4], std::shared_ptr<Communicator> communicator, int lanes)
{
  return std::shared_ptr<const Lattice>(new Lattice(X, std::move(communicator), lanes, -1, Lanes::rows));
}

Lattice::Lattice(const int X[4], std::shared_ptr<Communicator> communicator, int lanes, int sliced, Lanes are,
                 const int *block)
    : communicator_(std::move(communicator))
    , skew_(-1)
    , lanes_(1)
    , max_width_(lanes)
    , lanes_are_rows_(false)
{
  if (!X) fail(ErrorKind::bad_argument, "Lattice: X is null");
  if (!communicator_) fail(ErrorKind::bad_argument, "Lattice: communicator is null");
  if (lanes == 0) lanes = max_width_ = target().lanes();
  if (lanes != 1 && lanes != max_lanes)
    fail(ErrorKind::bad_argument, text("Lattice: lanes = %d; 1 and %d are allowed", lanes, max_lanes));
  for (int d = 0; d < 4; d++) {
    if (X[d] < 2 || X[d] % 2)
      fail(ErrorKind::bad_argument,
           text("Lattice: local extent X[%d] = %d is not allowed: it must be even and at least 2", d, X[d]));
    X_[d] = X[d];
    S_[d] = 1;
  }
  for (int d = 0; d < 4; d++) cut_[d] = sliced < 0 && communicator_->partitioned(d);
  lanes_are_rows_ = are == Lanes::rows && lanes > 1;
  if (lanes > 1 && !lanes_are_rows_ && (sliced >= 0 || !split_from_environment(X_, cut_, block, lanes, S_)))
    choose_lane_split(X_, cut_, lanes, S_, sliced, block);

  for (int d = 0; d < 4; d++) {
    O_[d] = X_[d] / S_[d];
    lanes_ *= S_[d];
    if (O_[d] % 2) skew_ = direction_of_skew(cut_);
  }
  if (lanes_are_rows_) lanes_ = lanes;
  const unsigned long long sites = product(X_);
  if (!countable(O_, lanes))
    fail(ErrorKind::bad_argument,
         text("Lattice: local extents X = %d %d %d %d have %llu sites, too many to count in blocks of %d %d %d %d",
              X_[0], X_[1], X_[2], X_[3], sites, O_[0], O_[1], O_[2], O_[3]));
  volume_ = static_cast<long long>(sites);

  __int128 all = 1;
  for (int d = 0; d < 4; d++) {
    global_X_[d] = static_cast<long long>(X_[d]) * communicator_->extent(d);
    origin_[d] = static_cast<long long>(X_[d]) * communicator_->coordinate(d);
    all *= global_X_[d];
  }
  if (all > INT64_MAX)
    fail(ErrorKind::bad_argument, text("Lattice: local extents X = %d %d %d %d on %d ranks have more than 2^63 sites",
                                       X_[0], X_[1], X_[2], X_[3], communicator_->size()));
  global_volume_ = static_cast<long long>(all);

  number_lanes();
  if (max_width_ > 1) tabulate_shifts();
}

std::shared_ptr<const Lattice> Lattice::closed(const std::shared_ptr<const Lattice> &like,
                                               std::shared_ptr<Communicator> communicator)
{
  if (!like) fail(ErrorKind::bad_argument, "Lattice: like is null");
  if (!communicator) fail(ErrorKind::bad_argument, "Lattice: communicator is null");
  if (std::none_of(like->cut_, like->cut_ + 4, [](bool cut) { return cut; })) return like;
  return std::shared_ptr<const Lattice>(new Lattice(*like, std::move(communicator)));
}

Lattice::Lattice(const Lattice &like, std::shared_ptr<Communicator> communicator)
    : volume_(like.volume_)
    , global_volume_(like.global_volume_)
    , communicator_(std::move(communicator))
    , cut_ {}
    , skew_(like.skew_)
    , lanes_(like.lanes_)
    , max_width_(like.max_width_)
    , lanes_are_rows_(like.lanes_are_rows_)
{
  for (int d = 0; d < 4; d++) {
    X_[d] = like.X_[d];
    global_X_[d] = like.global_X_[d];
    origin_[d] = like.origin_[d];
    S_[d] = like.S_[d];
    O_[d] = like.O_[d];
  }
  number_lanes();
  if (max_width_ > 1) tabulate_shifts();
}

void Lattice::number_lanes()
{
  int place = log2_of(lanes_) - 1;
  for (int b = 0; b < 4; b++)
    for (int d = 0; d < 4; d++) lane_bit_[d][b] = b < log2_of(S_[d]) ? place-- : -1;

  // a move's number has a bit field of log2 S_d bits for each direction, the number of blocks moved along it
  int first = 0;
  for (int d = 0; d < 4; d++) {
    for (int k = 0; k < max_lanes; k++) move_[d][k] = static_cast<unsigned char>((k & (S_[d] - 1)) << first);
    first += log2_of(S_[d]);
  }
}

void Lattice::tabulate_shifts()
{
  const int moves = lanes_are_rows_ ? 1 : lanes_; // rows stay where they are
  for (int t = 0; t < 3; t++) {
    const int width = table_widths[t];
    const int parts = lanes_ > width ? lanes_ / width : 1;
    shift_[t].resize(static_cast<std::size_t>(moves) * parts);
    for (int move = 0; move < moves; move++)
      for (int part = 0; part < parts; part++) {
        LaneShift &shift = shift_[t][move * parts + part];
        int source[max_lanes];
        for (int l = 0; l < max_lanes; l++) source[l] = l; // padding lanes stay what they are
        shift.part = part;
        shift.skewed = 0;
        shift.up = 0;
        for (int l = 0; l < width && part * width + l < lanes_ && !lanes_are_rows_; l++) {
          int s[4], rest = move;
          block_of_lane(part * width + l, s);
          const bool asks_up = ahead(s);
          for (int d = 0; d < 4; d++) {
            s[d] = (s[d] + rest) & (S_[d] - 1);
            rest >>= log2_of(S_[d]);
          }
          const int from = lane_of_block(s);
          if (l && from / width != shift.part)
            fail(ErrorKind::internal, text("Lattice: move %d fills register %d from two", move, part));
          shift.part = from / width;
          source[l] = from % width;
          if (ahead(s) != asks_up) {
            shift.skewed = 1;
            shift.up |= static_cast<unsigned>(asks_up) << source[l];
          }
        }
        shift.identity = !shift.skewed;
        for (int l = 0; l < max_lanes; l++) {
          // four lanes of 64 bits move as eight halves
          shift.index[l] = width > 4 ? source[l] : l < 8 ? 2 * source[l / 2] + l % 2 : l;
          if (shift.index[l] != l) shift.identity = 0;
        }
      }
  }
}

int Lattice::lane_of_block(const int s[4]) const
{
  int lane = 0;
  for (int d = 0; d < 4; d++)
    for (int b = 0; b < 4 && lane_bit_[d][b] >= 0; b++) lane |= (s[d] >> b & 1) << lane_bit_[d][b];
  return lane;
}

void Lattice::block_of_lane(int lane, int s[4]) const
{
  for (int d = 0; d < 4; d++) {
    s[d] = 0;
    for (int b = 0; b < 4 && lane_bit_[d][b] >= 0; b++) s[d] |= (lane >> lane_bit_[d][b] & 1) << b;
  }
}

LatticeView Lattice::view(int width, const int R[4]) const
{
  int table = -1;
  for (int t = 0; t < 3; t++)
    if (table_widths[t] == width) table = t;
  if (max_width_ == 1 ? width != 1 : table < 0)
    fail(ErrorKind::bad_argument, text("Lattice: width = %d; %s allowed on a lattice made for %d lanes", width,
                                       max_width_ == 1 ? "1 is" : "4, 8 and 16 are", max_width_));
  LatticeView v {};
  for (int d = 0; d < 4; d++) {
    const int r = R ? R[d] : 0;
    if (r < 0 || r % 2)
      fail(ErrorKind::bad_argument, text("Lattice: border R[%d] = %d must be even and not negative", d, r));
    if (r && !cut(d))
      fail(ErrorKind::bad_argument,
           text("Lattice: border R[%d] = %d in a direction that is not cut between ranks; 0 is allowed", d, r));
    if (r > X_[d])
      fail(ErrorKind::bad_argument,
           text("Lattice: border R[%d] = %d is deeper than the local extent X[%d] = %d", d, r, d, X_[d]));
    v.X[d] = X_[d];
    v.S[d] = S_[d];
    v.O[d] = O_[d];
    v.R[d] = r;
    v.E[d] = O_[d] + 2 * r;
    v.cut[d] = cut(d);
    const int ranks = static_cast<int>(global_X_[d] / X_[d]), rank = static_cast<int>(origin_[d] / X_[d]);
    v.first[d] = rank == 0;
    v.last[d] = rank == ranks - 1;
    v.first_block[d] = rank * S_[d];
    v.blocks[d] = ranks * S_[d];
    for (int k = 0; k < max_lanes; k++) v.code[d][k] = move_[d][k];
  }
  v.skew = skew_;
  for (int lane = 0; lane < lanes_; lane++) {
    int s[4];
    block_of_lane(lane, s);
    for (int d = 0; d < 4; d++) v.block[d][lane] = static_cast<unsigned char>(s[d]);
    v.ahead |= static_cast<unsigned>(ahead(s)) << lane;
  }
  if (!countable(v.E, max_width_))
    fail(ErrorKind::bad_argument, text("Lattice: %d %d %d %d sites around each block, borders included, are too many "
                                       "to count",
                                       v.E[0], v.E[1], v.E[2], v.E[3]));
  v.lanes = lanes_;
  v.width = width;
  v.parts = lanes_ > width ? lanes_ / width : 1;
  v.volume_cb = static_cast<unsigned>(product(v.O) / 2);
  v.stored_cb = static_cast<unsigned>(product(v.E) / 2);
  v.by[0] = make_divisor(static_cast<unsigned>(O_[0] / 2));
  v.by[1] = make_divisor(static_cast<unsigned>(O_[1]));
  v.by[2] = make_divisor(static_cast<unsigned>(O_[2]));
  v.shift = table < 0 ? nullptr : shift_[table].data();
  return v;
}

bool Lattice::ahead(const int s[4]) const
{
  int sum = 0;
  for (int d = 0; d < 4; d++) sum ^= O_[d] & s[d];
  return skew_ >= 0 && sum & 1;
}

int Lattice::coordinate(int d, int o, int lane) const
{
  int s[4];
  block_of_lane(lane, s);
  return (o + O_[d] * s[d] + (d == skew_ && ahead(s))) % X_[d];
}

SitePosition Lattice::position(const int x[4]) const
{
  int s[4];
  for (int d = 0; d < 4; d++) s[d] = x[d] / O_[d];
  unsigned long long full = 0;
  int sum = 0;
  for (int d = 3; d >= 0; d--) {
    const int o = d == skew_ && ahead(s) ? (x[d] + X_[d] - 1) % X_[d] : x[d] % O_[d];
    full = full * static_cast<unsigned>(O_[d]) + static_cast<unsigned>(o);
    sum ^= x[d];
  }
  return {sum & 1, static_cast<unsigned>(full / 2), lane_of_block(s)};
}

void Lattice::coordinates(const SitePosition &position, int x[4]) const
{
  unsigned rest = position.o_cb / static_cast<unsigned>(O_[0] / 2);
  int sum = position.parity;
  for (int d = 1; d < 4; d++) {
    x[d] = static_cast<int>(rest % static_cast<unsigned>(O_[d]));
    rest /= static_cast<unsigned>(O_[d]);
    sum ^= x[d];
  }
  x[0] = 2 * static_cast<int>(position.o_cb % static_cast<unsigned>(O_[0] / 2)) + (sum & 1);
  for (int d = 0; d < 4; d++) x[d] = coordinate(d, x[d], position.lane);
}

long long Lattice::slot(const int x[4]) const
{
  long long full = 0;
  for (int d = 3; d >= 0; d--) full = full * X_[d] + x[d];
  return ((x[0] ^ x[1] ^ x[2] ^ x[3]) & 1) * volume_cb() + full / 2;
}

void Lattice::slot_coordinates(long long slot, int x[4]) const
{
  const int parity = slot >= volume_cb();
  const long long x_cb = slot - parity * volume_cb();
  long long rest = x_cb / (X_[0] / 2);
  int sum = parity;
  for (int d = 1; d < 4; d++) {
    x[d] = static_cast<int>(rest % X_[d]);
    rest /= X_[d];
    sum ^= x[d];
  }
  x[0] = 2 * static_cast<int>(x_cb % (X_[0] / 2)) + (sum & 1);
}

std::shared_ptr<void> &Lattice::kept(const void *owner, int number) const
{
  const std::lock_guard<std::mutex> lock(kept_mutex_);
  for (Kept &one : kept_)
    if (one.owner == owner && one.number == number) return one.what;
  kept_.push_back({owner, number, nullptr});
  return kept_.back().what;
}

std::string Lattice::description() const
{
  if (max_width_ == 1) return spelled(X_);
  if (lanes_are_rows_) return text("%s, %d rows in %d lanes", spelled(X_).c_str(), lanes_, max_width_);
  return text("%s in %s blocks, %d of %d lanes", spelled(X_).c_str(), spelled(S_).c_str(), lanes_, max_width_);
}

} // namespace quda
