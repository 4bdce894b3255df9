#include "ops/copy/redistribute.h"

#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "comms/found_together.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  using Share = BoxExchange::Share;

  /// Copies n numbers with these steps between them.
  template <class Number>
  void copy_numbers(char *to, std::ptrdiff_t to_step, const char *from, std::ptrdiff_t from_step, int n)
  {
    constexpr std::ptrdiff_t size = sizeof(Number);
    for (int k = 0; k < n; k++, to += to_step * size, from += from_step * size) std::memcpy(to, from, sizeof(Number));
  }
  void copy_numbers(int bytes, char *to, std::ptrdiff_t to_step, const char *from, std::ptrdiff_t from_step, int n)
  {
    switch (bytes) {
    case 8:
      return copy_numbers<double>(to, to_step, from, from_step, n);
    case 4:
      return copy_numbers<float>(to, to_step, from, from_step, n);
    case 2:
      return copy_numbers<short>(to, to_step, from, from_step, n);
    default:
      return copy_numbers<char>(to, to_step, from, from_step, n);
    }
  }

  /// The memory of a native field, as records: the numbers of an entry at a site, with their scale.
  class Records
  {
  public:
    /// filled: with the field's numbers; else zeros.
    Records(const Field &field, bool alternating, bool filled)
        : field_(field)
        , f_(field.layout())
        , alternating_(alternating)
        , memory_(field.bytes())
    {
      if (!field.native() || !field.whole() || f_.lattice.stored_cb != f_.lattice.volume_cb)
        fail(ErrorKind::internal, "redistribute: a field that is not native, or part of one, or has a border");
      if (filled) target().copy(memory_.data(), field.data(), memory_.size());
    }

    /// Bytes of a site's share of a message, on average over both parities.
    std::size_t bytes(std::size_t entries) const
    {
      return record() * entries * static_cast<std::size_t>(field_.parities()) / 2;
    }

    void pack(const Share &share, const std::vector<int> &entries, char *message) const
    {
      for_records(share, entries, [&](const SitePosition &at, int half, int entry, std::size_t n) {
        move<false>(at, half, entry, message + n * record());
      });
    }
    void unpack(const Share &share, const std::vector<int> &entries, const char *message)
    {
      for_records(share, entries, [&](const SitePosition &at, int half, int entry, std::size_t n) {
        move<true>(at, half, entry, const_cast<char *>(message) + n * record());
      });
    }

    void write(Field &field) const
    {
      target().copy(field.data(), memory_.data(), memory_.size());
      field.mark_written();
    }

  private:
    std::size_t record() const { return static_cast<std::size_t>(field_.record_bytes()); }

    /// visit(place, half of the field, entry, number in the message). Of one parity every second site has a record.
    template <class Visit> void for_records(const Share &share, const std::vector<int> &entries, Visit &&visit) const
    {
      const bool both = field_.parities() == 2;
      share.box.for_sites([&](const int x[4], std::size_t site) {
        const SitePosition at = field_.lattice().position(x);
        for (std::size_t e = 0; e < entries.size(); e++) {
          const int slice = alternating_ ? entries[e] / field_.flavours() % field_.fifth() : 0;
          const int half = (at.parity + slice) % 2;
          if (both || half == field_.parity())
            visit(at, both ? half : 0, entries[e], (both ? site : site / 2) * entries.size() + e);
        }
      });
    }

    template <bool into> void move(const SitePosition &at, int half, int entry, char *message) const
    {
      const auto go = [&](int bytes, char *here, std::ptrdiff_t step, char *there, int n) {
        into ? copy_numbers(bytes, here, step, there, 1, n) : copy_numbers(bytes, there, 1, here, step, n);
      };
      const int width = f_.lattice.width, lane = at.lane % width;
      char *const memory = const_cast<char *>(memory_.data());
      const auto real = [&](int k) {
        return memory + real_offset(f_, half, at.o_cb, at.lane, entry, k) * f_.precision;
      };
      if (width > 1)
        go(f_.precision, real(0), width, message, f_.reals);
      else
        for (int k = 0; k < f_.reals; k += f_.vector)
          go(f_.precision, real(k), 1, message + k * f_.precision, f_.vector);
      if (!f_.scaled) return;
      // behind the numbers of all lanes, or of all sites
      const long long first = half * f_.parity_stride + entry * f_.inner_stride;
      char *const scales =
          width > 1 ? real(0) + static_cast<std::ptrdiff_t>(f_.reals * width - lane) * f_.precision
                    : memory + (first + static_cast<long long>(f_.reals) * f_.lattice.stored_cb) * f_.precision;
      go(sizeof(float), scales + sizeof(float) * (width > 1 ? static_cast<std::size_t>(lane) : at.o_cb), 1,
         message + f_.reals * f_.precision, 1);
    }

    const Field &field_;
    const FieldView &f_;
    bool alternating_;
    std::vector<char> memory_;
  };

  /// `n` entries from number `first` on.
  std::vector<int> entries_from(int first, int n)
  {
    std::vector<int> entries(static_cast<std::size_t>(n));
    std::iota(entries.begin(), entries.end(), first);
    return entries;
  }

  template <class F> F on_sub_grid(const SubGrids &grids, const F &from)
  {
    auto param = from.param();
    param.lattice = grids.lattice();
    std::optional<F> to;
    found_together(grids.all()->communicator(), [&] { to.emplace(param); });
    const Records packed(from, false, true);
    Records made(*to, false, false);
    for (int i = 0; i < from.inner(); i++) // so that messages need less memory
      grids.exchange().forth(
          packed.bytes(1), [&](const Share &share, char *message) { packed.pack(share, {i}, message); },
          [&](const Share &share, const char *message) { made.unpack(share, {i}, message); });
    made.write(*to);
    return std::move(*to);
  }

} // namespace

GaugeField redistributed(const SubGrids &grids, const GaugeField &from) { return on_sub_grid(grids, from); }

CloverField redistributed(const SubGrids &grids, const CloverField &from) { return on_sub_grid(grids, from); }

void redistribute(const SubGrids &grids, ColorSpinorField &to, const ColorSpinorField &from)
{
  const bool forth = &from.lattice() == grids.all().get();
  const ColorSpinorField &all = forth ? from : to, &own = forth ? to : from;
  if (&all.lattice() != grids.all().get() || &own.lattice() != grids.lattice().get() ||
      all.rhs() != own.rhs() * grids.count() || all.layers() != own.layers() || all.reals() != own.reals())
    fail(ErrorKind::internal, "redistribute: fields that do not belong together");
  const int layers = own.layers();
  const Records packed(from, from.alternating(), true);
  Records made(to, to.alternating(), false);
  const std::size_t bytes = packed.bytes(static_cast<std::size_t>(layers));
  for (int n = 0; n < own.rhs(); n++) {
    const std::vector<int> here = entries_from(n * layers, layers);
    const auto there = [&](const Share &share) { // of all, those of the other rank's sub-grid
      return entries_from((n * grids.count() + grids.number_of(share.rank)) * layers, layers);
    };
    if (forth)
      grids.exchange().forth(
          bytes, [&](const Share &share, char *message) { packed.pack(share, there(share), message); },
          [&](const Share &share, const char *message) { made.unpack(share, here, message); });
    else
      grids.exchange().back(
          bytes, [&](const Share &share, char *message) { packed.pack(share, here, message); },
          [&](const Share &share, const char *message) { made.unpack(share, there(share), message); });
  }
  made.write(to);
}

} // namespace quda
