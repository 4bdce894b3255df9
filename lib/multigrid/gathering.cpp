#include "multigrid/gathering.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

#include "core/error.h"
#include "fields/aggregates.h"
#include "fields/field_together.h"
#include "ops/multigrid/rows.h"

namespace quda
{

namespace
{

  int product(const std::array<int, 4> &n) { return n[0] * n[1] * n[2] * n[3]; }

  /// Index of coordinates, the last dimension fastest, as ranks of a split are numbered.
  int number_of(const std::array<int, 4> &at, const std::array<int, 4> &extent)
  {
    int n = 0;
    for (std::size_t d = 0; d < 4; d++) n = n * extent[d] + at[d];
    return n;
  }

  /// Converts a level's numbers to a message in its precision.
  template <class real> void to_message(const std::complex<double> *from, std::size_t count, char *to)
  {
    for (std::size_t n = 0; n < count; n++, to += 2 * sizeof(real)) {
      const real number[2] = {static_cast<real>(from[n].real()), static_cast<real>(from[n].imag())};
      std::memcpy(to, number, sizeof number);
    }
  }
  template <class real> void from_message(const char *from, std::size_t count, std::complex<double> *to)
  {
    for (std::size_t n = 0; n < count; n++, from += 2 * sizeof(real)) {
      real number[2];
      std::memcpy(number, from, sizeof number);
      to[n] = {number[0], number[1]};
    }
  }
  bool wide(const ColorSpinorField &field) { return field.precision() == Precision::double_; }
  std::size_t bytes_of_number(const ColorSpinorField &field)
  {
    return 2 * (wide(field) ? sizeof(double) : sizeof(float));
  }
  void to_message(const ColorSpinorField &field, const std::complex<double> *from, std::size_t count, char *to)
  {
    wide(field) ? to_message<double>(from, count, to) : to_message<float>(from, count, to);
  }
  void from_message(const ColorSpinorField &field, const char *from, std::size_t count, std::complex<double> *to)
  {
    wide(field) ? from_message<double>(from, count, to) : from_message<float>(from, count, to);
  }

  /// Slot of the first site of a field on both parities or one.
  long long first_slot(const ColorSpinorField &field)
  {
    return field.parities() == 2 || field.parity() == 0 ? 0 : field.lattice().volume_cb();
  }

  /// Result of work on another rank.
  struct Outcome {
    int failed, together, kind, length;
    char words[1008];
  };

  Outcome outcome_of(std::exception_ptr thrown)
  {
    Outcome outcome {};
    if (!thrown) return outcome;
    std::string words;
    outcome.failed = 1;
    outcome.kind = static_cast<int>(ErrorKind::internal);
    try {
      std::rethrow_exception(thrown);
    } catch (const Error &error) {
      outcome.together = dynamic_cast<const FoundTogether *>(&error) != nullptr;
      outcome.kind = static_cast<int>(error.kind());
      words = error.what();
    } catch (const std::bad_alloc &) {
      outcome.kind = static_cast<int>(ErrorKind::out_of_memory);
      words = "out of memory";
    } catch (const std::exception &error) {
      words = error.what();
    }
    outcome.length = static_cast<int>(std::min(words.size(), sizeof outcome.words));
    std::memcpy(outcome.words, words.data(), static_cast<std::size_t>(outcome.length));
    return outcome;
  }

  void throw_again(const Outcome &outcome)
  {
    const std::string words(outcome.words, static_cast<std::size_t>(outcome.length));
    if (outcome.together) throw FoundTogether(static_cast<ErrorKind>(outcome.kind), words);
    fail(static_cast<ErrorKind>(outcome.kind), words);
  }

} // namespace

GridOfRanks::GridOfRanks(const Lattice &lattice)
{
  for (int d = 0; d < 4; d++) {
    X[static_cast<std::size_t>(d)] = lattice.X(d);
    ranks[static_cast<std::size_t>(d)] = lattice.communicator().extent(d);
  }
}

int GridOfRanks::together(int d, int extent) const
{
  const auto i = static_cast<std::size_t>(d);
  if (extent < 1 || X[i] % extent) return 0;
  if (X[i] / extent % 2 == 0) return 1;
  return ranks[i] % 2 ? 0 : 2;
}

void GridOfRanks::coarsen(const int block[4])
{
  for (int d = 0; d < 4; d++) {
    const auto i = static_cast<std::size_t>(d);
    const int group = together(d, block[d]);
    X[i] = X[i] / block[d] * group;
    ranks[i] /= group;
  }
}

Gathering::Gathering(const Lattice &fine, const int aggregates[4], const int together[4])
{
  std::copy(aggregates, aggregates + 4, aggregates_.begin());
  std::copy(together, together + 4, together_.begin());
  copies_ = product(together_);
  Communicator &parent = fine.communicator();
  std::array<int, 4> in_group, of_group, groups, first, X, padded;
  // who reports is rank 0 of all, wherever it sits; where that is in another copy any rank will do
  const Copies *const of = copies_of(fine);
  long long reports[4] {};
  if ((of ? *of->all : parent).rank() == 0) std::copy_n(parent.grid().coordinate, 4, reports);
  parent.sum(reports, 4);
  for (std::size_t d = 0; d < 4; d++) {
    const int at = parent.coordinate(static_cast<int>(d));
    groups[d] = parent.extent(static_cast<int>(d)) / together_[d];
    in_group[d] = at % together_[d];
    of_group[d] = at / together_[d];
    first[d] = static_cast<int>(reports[d]) % together_[d];
    X[d] = aggregates_[d] * together_[d];
    padded[d] = aggregates_[d] + aggregates_[d] % 2;
  }
  first_ = in_group == first;
  root_ = number_of(first, together_);
  const int place = number_of(in_group, together_), group = number_of(of_group, groups);
  group_ = parent.split(group, place, together_.data());
  const std::shared_ptr<Communicator> copy = parent.split(place, group, groups.data());
  const auto box = [&](int rank, const std::array<int, 4> &ranks) { // of as many, this one among them
    SiteBox of {};
    for (std::size_t d = 0; d < 4; d++) {
      of.extent[d] = aggregates_[d] * ranks[d];
      of.origin[d] = parent.coordinates_of(rank)[d] / ranks[d] * of.extent[d];
    }
    return of;
  };
  parts_ = std::make_unique<BoxExchange>(
      fine.shared_communicator(),
      [&](int rank) {
        return box(rank, {1, 1, 1, 1});
      },
      [&](int rank) { return box(rank, together_); });
  lattice_ = Lattice::rows(X.data(), copy);
  part_ = Lattice::rows(padded.data(), fine.shared_communicator());
  go_together(*lattice_, fine);
  go_together(*part_, fine);
}

void Gathering::gather(ColorSpinorField &whole, const ColorSpinorField &part, int rows) const
{
  const RowArray own = to_host(part, rows);
  const std::size_t numbers = static_cast<std::size_t>(part.rhs()) * static_cast<std::size_t>(rows), // of a site
      record = numbers * bytes_of_number(part);
  RowArray made(static_cast<std::size_t>(whole.sites()) * numbers);
  const long long begin = first_slot(whole);
  parts_->forth(
      record,
      [&](const BoxExchange::Share &share, char *message) {
        share.box.for_sites([&](const int x[4], std::size_t n) {
          to_message(part, &own[static_cast<std::size_t>(part_->slot(x)) * numbers], numbers, message + n * record);
        });
      },
      [&](const BoxExchange::Share &share, const char *message) {
        share.box.for_sites([&](const int x[4], std::size_t n) {
          const long long to = lattice_->slot(x) - begin;
          if (to < 0 || to >= whole.sites()) return;
          from_message(part, message + n * record, numbers, &made[static_cast<std::size_t>(to) * numbers]);
        });
      });
  from_host(whole, rows, made);
}

void Gathering::take(ColorSpinorField &part, const ColorSpinorField &whole, int rows) const
{
  const RowArray all = to_host(whole, rows);
  const std::size_t numbers = static_cast<std::size_t>(part.rhs()) * static_cast<std::size_t>(rows);
  RowArray own(static_cast<std::size_t>(part.sites()) * numbers);
  const long long begin = first_slot(whole);
  SiteBox {{}, aggregates_}.for_sites([&](const int x[4], std::size_t) {
    int y[4];
    for (int d = 0; d < 4; d++) y[d] = x[d] + group_->coordinate(d) * aggregates_[static_cast<std::size_t>(d)];
    const long long from = lattice_->slot(y) - begin;
    if (from < 0 || from >= whole.sites()) return;
    std::copy_n(&all[static_cast<std::size_t>(from) * numbers], numbers,
                &own[static_cast<std::size_t>(part_->slot(x)) * numbers]);
  });
  from_host(part, rows, own);
}

void Gathering::by_first(ColorSpinorField &x, int rows, const std::function<void()> &work) const
{
  const std::size_t numbers =
      static_cast<std::size_t>(x.sites()) * static_cast<std::size_t>(x.rhs()) * static_cast<std::size_t>(rows);
  std::vector<char> message(sizeof(Outcome) + numbers * bytes_of_number(x));
  std::exception_ptr thrown;
  Outcome outcome {};
  if (first_) {
    try {
      const WorkOf these(*lattice_);
      work();
      to_message(x, to_host(x, rows).data(), numbers, &message[sizeof outcome]);
    } catch (...) {
      thrown = std::current_exception();
    }
    outcome = outcome_of(thrown);
    std::memcpy(message.data(), &outcome, sizeof outcome);
  }
  group_->broadcast(message.data(), message.size(), root_);
  if (thrown) std::rethrow_exception(thrown);
  if (first_) return;
  std::memcpy(&outcome, message.data(), sizeof outcome);
  if (outcome.failed) throw_again(outcome);
  RowArray all(numbers);
  from_message(x, &message[sizeof outcome], numbers, all.data());
  from_host(x, rows, all);
}

CoarseGrid coarse_grid(const Lattice &fine, const int block[4])
{
  const GridOfRanks grid(fine);
  int X[4], together[4];
  count_aggregates(fine.X(), block, X);
  bool alone = true;
  for (int d = 0; d < 4; d++) {
    together[d] = grid.together(d, block[d]);
    if (together[d] == 0)
      fail(ErrorKind::bad_argument, text("block[%d] = %d is not allowed: it leaves an odd number of blocks, %d, to "
                                         "each of an odd number of ranks, "
                                         "%d; the local extent X[%d] is %d",
                                         d, block[d], X[d], grid.ranks[static_cast<std::size_t>(d)], d, fine.X(d)));
    alone = alone && together[d] == 1;
  }
  if (!alone) return CoarseGrid(std::make_shared<const Gathering>(fine, X, together));
  CoarseGrid made(Lattice::rows(X, fine.shared_communicator()));
  go_together(*made.lattice, fine);
  return made;
}

} // namespace quda
