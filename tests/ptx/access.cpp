/// Loads, stores and atomics, each lane's address checked: bounds, alignment, bytes never written, races.

#include "ptx/warp.h"

#include <algorithm>

namespace ptx
{

namespace
{

  enum class Space { param, global, shared, local, generic };

  /// Who touched two bytes of device memory last: launch 24 bits, block 20, thread 10, barriers passed 10.
  struct Toucher {
    static constexpr std::uint64_t several_blocks = 0xfffff, several_threads = 0x3ff;
    std::uint64_t word;
    std::uint64_t launch() const { return word >> 40; }
    std::uint64_t block() const { return word >> 20 & 0xfffff; }
    std::uint64_t thread() const { return word >> 10 & 0x3ff; }
    std::uint64_t phase() const { return word & 0x3ff; }
    static std::uint64_t made(std::uint64_t launch, std::uint64_t block, std::uint64_t thread, std::uint64_t phase)
    {
      return launch << 40 | block << 20 | thread << 10 | phase;
    }

    /// Whether `me` must not follow without order: the same launch, and another block, or another thread of mine with
    /// no barrier between.
    bool races_with(Toucher me) const
    {
      if (launch() != me.launch()) return false;
      if (block() != me.block()) return true;
      return phase() == me.phase() && thread() != me.thread();
    }
    /// What is remembered of readers when `me` reads too.
    std::uint64_t with(Toucher me) const
    {
      if (launch() != me.launch()) return me.word;
      if (block() != me.block()) return made(launch(), several_blocks, 0, 0);
      if (phase() == me.phase() && thread() != me.thread()) return made(launch(), block(), several_threads, phase());
      return me.word;
    }
  };

  void check_race(Warp &w, const Instruction &i, Allocation &m, std::uint64_t address, int bytes, int lane, bool write,
                  bool atomic)
  {
    if (bytes < 2 || m.kind != MemoryKind::device) return; // single bytes are not remembered
    if (m.writer.empty()) {
      m.writer.resize((m.bytes + 1) / 2);
      m.reader.resize((m.bytes + 1) / 2);
    }
    const Block &b = *w.block;
    const Toucher me {
        Toucher::made(b.launch_number & 0xffffff, b.number % 0xfffff, w.number * 32 + lane, b.barriers & 0x3ff)};
    const std::uint64_t first = (address - m.first) / 2;
    for (std::uint64_t q = first; q < first + bytes / 2; q++) {
      // an atomic counts as a reader: it may meet other atomics and readers, not writers
      const bool race =
          Toucher {m.writer[q]}.races_with(me) || (write && !atomic && Toucher {m.reader[q]}.races_with(me));
      if (race) {
        found(Fault::device_race, w, i, lane, address, write && !atomic ? "write" : atomic ? "atomic" : "read");
        return;
      }
      if (write && !atomic)
        m.writer[q] = me.word;
      else
        m.reader[q] = Toucher {m.reader[q]}.with(me);
    }
  }

  template <int bytes> bool all_written(const std::uint8_t *s)
  {
    static constexpr std::uint8_t ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return std::memcmp(s, ones, bytes) == 0;
  }

  template <int bytes>
  char *shared_bytes(Warp &w, const Instruction &i, std::uint64_t address, int lane, bool write, bool atomic)
  {
    Block &b = *w.block;
    if (address + bytes > static_cast<std::uint64_t>(b.shared_bytes)) found(Fault::shared_bounds, w, i, lane, address);
    if (!checks().memory) return b.shared.data() + address;
    const std::uint16_t me = static_cast<std::uint16_t>(w.number * 32 + lane + 1);
    const auto others = [&](std::uint16_t toucher) { return toucher != 0 && toucher != me; };
    for (int q = 0; q < bytes; q++) {
      SharedByte &s = b.bytes[address + q];
      if (others(s.writer) || (write && others(s.reader)) || (!atomic && others(s.atomic))) {
        found(Fault::shared_race, w, i, lane, address, atomic ? "atomic" : write ? "write" : "read");
        break;
      }
      if (!s.written && (atomic || !write)) {
        found(Fault::unwritten, w, i, lane, address, "shared memory");
        break;
      }
      std::uint16_t &mine = atomic ? s.atomic : write ? s.writer : s.reader;
      mine = mine && mine != me ? 0xffff : me;
      if (write) s.written = 1;
    }
    return b.shared.data() + address;
  }

  template <int bytes>
  char *device_bytes(Warp &w, const Instruction &i, std::uint64_t address, int lane, bool write, bool atomic)
  {
    Allocation *m = i.last;
    if (!m || !m->holds(address, bytes)) {
      m = find(address);
      if (!m || !m->holds(address, bytes)) found(Fault::out_of_bounds, w, i, lane, address, write ? "write" : "read");
      const Launch &launch = *w.block->launch;
      if (m->kind == MemoryKind::device && m->device != launch.device && !(launch.peers >> m->device & 1))
        found(Fault::other_device, w, i, lane, address);
      i.last = m;
    }
    if (write && m->kind == MemoryKind::constant) found(Fault::read_only, w, i, lane, address);
    if (checks().memory) {
      std::uint8_t *s = m->written.data() + (address - m->first);
      if ((atomic || !write) && !all_written<bytes>(s))
        for (int q = 0; q < bytes; q++)
          if (!s[q] && (i.used_bytes >> q & 1)) {
            found(Fault::unwritten, w, i, lane, address + q, "device memory");
            break;
          }
      if (write) std::memset(s, 1, bytes);
    }
    if (checks().races) check_race(w, i, *m, address, bytes, lane, write, atomic);
    return m->at(address);
  }

  /// Where the bytes of a lane's access are.
  template <Space space, int bytes>
  char *bytes_at(Warp &w, const Instruction &i, std::uint64_t address, int lane, bool write, bool atomic)
  {
    if (address & (bytes - 1)) found(Fault::misaligned, w, i, lane, address);
    if constexpr (space == Space::shared) return shared_bytes<bytes>(w, i, address, lane, write, atomic);
    const auto inside = [&](std::uint64_t first, std::size_t n) {
      return address >= first && address + bytes <= first + n;
    };
    if constexpr (space == Space::generic)
      if (address - shared_window() < shared_window_bytes)
        return shared_bytes<bytes>(w, i, address - shared_window(), lane, write, atomic);
    if constexpr (space != Space::global) {
      if (inside(w.at<std::uint64_t>(place_local)[lane], w.program->local_bytes))
        return reinterpret_cast<char *>(address);
      const std::vector<char> &parameters = w.block->launch->parameters;
      if (inside(reinterpret_cast<std::uint64_t>(parameters.data()), parameters.size())) {
        if (write) found(Fault::read_only, w, i, lane, address, "parameters");
        return reinterpret_cast<char *>(address);
      }
      if (space != Space::generic) found(Fault::local_bounds, w, i, lane, address);
    }
    return device_bytes<bytes>(w, i, address, lane, write, atomic);
  }

  /// 32-byte sectors of device memory that the lanes that run touch; for shared memory, passes through its 32 banks
  /// of 4 bytes, with 8 bytes a lane for half a warp and with 16 for a quarter.
  void count(Warp &w, Space space, const std::uint64_t (&address)[32], int bytes)
  {
    std::uint64_t touched[32 * 4];
    std::uint64_t sum = 0;
    const auto distinct = [&](int n) {
      std::sort(touched, touched + n);
      return static_cast<int>(std::unique(touched, touched + n) - touched);
    };
    if (space == Space::shared) {
      const int together = bytes <= 4 ? 32 : 128 / bytes;
      for (int first = 0; first < 32; first += together) {
        int n = 0;
        for (int l = first; l < first + together; l++)
          if (w.mask >> l & 1)
            for (int q = 0; q < bytes; q += 4) touched[n++] = (address[l] + q) / 4;
        n = distinct(n);
        int load[32] = {}, most = 0;
        for (int q = 0; q < n; q++) most = std::max(most, ++load[touched[q] % 32]);
        sum += most;
      }
    } else {
      int n = 0;
      for (int l = 0; l < 32; l++)
        if (w.mask >> l & 1) touched[n++] = address[l] / 32;
      sum = distinct(n);
    }
    w.program->counts[w.here].sectors += sum;
  }

  template <Space space, class A> void addresses(Warp &w, const Instruction &i, int bytes, std::uint64_t (&a)[32])
  {
    const A *p = w.at<A>(i.a);
    const std::int64_t offset = i.number;
    PTX_LANES a[l] = static_cast<A>(p[l] + offset);
    if (checks().counts && (space == Space::global || space == Space::shared)) count(w, space, a, bytes);
  }

  /// The allocation that all lanes' accesses lie in, aligned, where that is the one the instruction met last and no
  /// races are looked for: the usual case, in which one check does for all.
  template <int bytes> Allocation *usual(const Warp &w, const Instruction &i, const std::uint64_t (&a)[32], bool write)
  {
    Allocation *m = i.last;
    if (!m || checks().races || (write && m->kind == MemoryKind::constant) || m->bytes < bytes) return nullptr;
    std::uint64_t beyond = 0, first = m->first, room = m->bytes - bytes;
    for (int l = 0; l < 32; l++) {
      const std::uint64_t runs = static_cast<std::uint64_t>(static_cast<std::int64_t>(w.runs[l]));
      beyond |= ((a[l] - first > room ? ~std::uint64_t(0) : 0) | (a[l] & (bytes - 1))) & runs;
    }
    return beyond ? nullptr : m;
  }
  constexpr bool in_device(Space s) { return s == Space::global || s == Space::generic; }

  /// T is what lies in memory, D the register, A the address.
  template <Space space, class A, class T, class D, int n> void load(Warp &w, const Instruction &i)
  {
    alignas(64) std::uint64_t a[32]; // first: a register that is loaded may have the place of the address
    addresses<space, A>(w, i, sizeof(T) * n, a);
    if constexpr (space == Space::param) { // the same for all lanes, mostly
      const int one = __builtin_ctz(w.mask);
      const std::uint64_t first = a[one];
      std::uint64_t differ = 0;
      PTX_LANES differ |= (a[l] ^ first) & static_cast<std::uint64_t>(static_cast<std::int64_t>(w.runs[l]));
      if (differ == 0) {
        const T *p = reinterpret_cast<const T *>(bytes_at<space, sizeof(T) * n>(w, i, first, one, false, false));
        for (int v = 0; v < n; v++) {
          const D x = static_cast<D>(p[v]);
          each_lane<D>(w, i.more[v], [=](int) { return x; });
        }
        return;
      }
    }
    D *d[n];
    for (int v = 0; v < n; v++) d[v] = w.at<D>(i.more[v]);
    if constexpr (in_device(space))
      if (Allocation *all = usual<sizeof(T) * n>(w, i, a, false)) {
        bool known = true;
        for (std::uint32_t m = w.mask; m; m &= m - 1) {
          const int l = __builtin_ctz(m);
          const std::uint64_t offset = a[l] - all->first;
          const T *p = reinterpret_cast<const T *>(all->data + offset);
          known &= all_written<sizeof(T) * n>(all->written.data() + offset);
          for (int v = 0; v < n; v++) d[v][l] = static_cast<D>(p[v]);
        }
        if (known || !checks().memory) return;
      }
    for (std::uint32_t m = w.mask; m; m &= m - 1) {
      const int l = __builtin_ctz(m);
      const T *p = reinterpret_cast<const T *>(bytes_at<space, sizeof(T) * n>(w, i, a[l], l, false, false));
      for (int v = 0; v < n; v++) d[v][l] = static_cast<D>(p[v]);
    }
  }

  template <Space space, class A, class T, class D, int n> void store(Warp &w, const Instruction &i)
  {
    alignas(64) std::uint64_t a[32];
    addresses<space, A>(w, i, sizeof(T) * n, a);
    const D *d[n];
    for (int v = 0; v < n; v++) d[v] = w.at<D>(i.more[v]);
    if constexpr (in_device(space))
      if (Allocation *all = usual<sizeof(T) * n>(w, i, a, true)) {
        for (std::uint32_t m = w.mask; m; m &= m - 1) {
          const int l = __builtin_ctz(m);
          const std::uint64_t offset = a[l] - all->first;
          T *p = reinterpret_cast<T *>(all->data + offset);
          std::memset(all->written.data() + offset, 1, sizeof(T) * n);
          for (int v = 0; v < n; v++) p[v] = static_cast<T>(d[v][l]);
        }
        return;
      }
    for (std::uint32_t m = w.mask; m; m &= m - 1) {
      const int l = __builtin_ctz(m);
      T *p = reinterpret_cast<T *>(bytes_at<space, sizeof(T) * n>(w, i, a[l], l, true, false));
      for (int v = 0; v < n; v++) p[v] = static_cast<T>(d[v][l]);
    }
  }

  // what an atomic leaves behind
  struct Add {
    template <class T> static T f(T old, T b, T) { return static_cast<T>(old + b); }
  };
  struct Min {
    template <class T> static T f(T old, T b, T) { return b < old ? b : old; }
  };
  struct Max {
    template <class T> static T f(T old, T b, T) { return old < b ? b : old; }
  };
  struct And {
    template <class T> static T f(T old, T b, T) { return old & b; }
  };
  struct Or {
    template <class T> static T f(T old, T b, T) { return old | b; }
  };
  struct Xor {
    template <class T> static T f(T old, T b, T) { return old ^ b; }
  };
  struct Increment {
    template <class T> static T f(T old, T b, T) { return old >= b ? 0 : old + 1; }
  };
  struct Decrement {
    template <class T> static T f(T old, T b, T) { return old == 0 || old > b ? b : old - 1; }
  };
  struct Exchange {
    template <class T> static T f(T, T b, T) { return b; }
  };
  struct Compare {
    template <class T> static T f(T old, T b, T c) { return old == b ? c : old; }
  };

  /// Lanes one after another, in their order. d is 0 where nobody wants what was there before.
  template <Space space, class A, class T, class O> void atomic(Warp &w, const Instruction &i)
  {
    alignas(64) std::uint64_t a[32];
    addresses<space, A>(w, i, sizeof(T), a);
    T b[32], c[32];
    std::memcpy(b, w.at<T>(i.b), sizeof b);
    std::memcpy(c, w.at<T>(i.c), sizeof c);
    for (std::uint32_t m = w.mask; m; m &= m - 1) {
      const int l = __builtin_ctz(m);
      T *p = reinterpret_cast<T *>(bytes_at<space, sizeof(T)>(w, i, a[l], l, true, true));
      const T old = *p;
      *p = O::f(old, b[l], c[l]);
      if (i.d) w.at<T>(i.d)[l] = old;
    }
  }

  template <bool write, Space space, class A, class T, class D> Operation moved(int n)
  {
    if constexpr (sizeof(D) < sizeof(T)) {
      return nullptr;
    } else if constexpr (write) {
      return n == 1   ? store<space, A, T, D, 1>
             : n == 2 ? store<space, A, T, D, 2>
             : n == 4 ? store<space, A, T, D, 4>
                      : nullptr;
    } else {
      return n == 1   ? load<space, A, T, D, 1>
             : n == 2 ? load<space, A, T, D, 2>
             : n == 4 ? load<space, A, T, D, 4>
                      : nullptr;
    }
  }

  template <bool write, Space space, class A, class T> Operation moved_as(const Form &f)
  {
    const int width = write ? f.first : f.result;
    if constexpr (std::is_signed_v<T>)
      return width == 2   ? moved<write, space, A, T, std::int16_t>(f.vector)
             : width == 4 ? moved<write, space, A, T, std::int32_t>(f.vector)
             : width == 8 ? moved<write, space, A, T, std::int64_t>(f.vector)
                          : nullptr;
    else
      return width == 2   ? moved<write, space, A, T, std::uint16_t>(f.vector)
             : width == 4 ? moved<write, space, A, T, std::uint32_t>(f.vector)
             : width == 8 ? moved<write, space, A, T, std::uint64_t>(f.vector)
                          : nullptr;
  }

  template <bool write, Space space, class A> Operation moved_type(const Form &f, const std::string &type)
  {
    const int bytes = bytes_of(type);
    const bool sign = type[0] == 's' && !write; // a store cuts off what the register has more
    switch (bytes) {
    case 1:
      return sign ? moved_as<write, space, A, std::int8_t>(f) : moved_as<write, space, A, std::uint8_t>(f);
    case 2:
      return sign ? moved_as<write, space, A, std::int16_t>(f) : moved_as<write, space, A, std::uint16_t>(f);
    case 4:
      return sign ? moved_as<write, space, A, std::int32_t>(f) : moved_as<write, space, A, std::uint32_t>(f);
    default:
      return moved_as<write, space, A, std::uint64_t>(f);
    }
  }

  template <Space space, class A, class T> Operation atomic_integer(const std::string &operation)
  {
    if (operation == "add") return atomic<space, A, T, Add>;
    if (operation == "min") return atomic<space, A, T, Min>;
    if (operation == "max") return atomic<space, A, T, Max>;
    if (operation == "inc") return atomic<space, A, T, Increment>;
    if (operation == "dec") return atomic<space, A, T, Decrement>;
    if (operation == "and") return atomic<space, A, T, And>;
    if (operation == "or") return atomic<space, A, T, Or>;
    if (operation == "xor") return atomic<space, A, T, Xor>;
    if (operation == "exch") return atomic<space, A, T, Exchange>;
    if (operation == "cas") return atomic<space, A, T, Compare>;
    return nullptr;
  }

  template <Space space, class A> Operation atomic_type(const std::string &operation, const std::string &type)
  {
    if (type == "f32") return operation == "add" ? atomic<space, A, float, Add> : nullptr;
    if (type == "f64") return operation == "add" ? atomic<space, A, double, Add> : nullptr;
    if (type == "u32" || type == "b32") return atomic_integer<space, A, std::uint32_t>(operation);
    if (type == "s32") return atomic_integer<space, A, std::int32_t>(operation);
    if (type == "u64" || type == "b64") return atomic_integer<space, A, std::uint64_t>(operation);
    if (type == "s64") return atomic_integer<space, A, std::int64_t>(operation);
    return nullptr;
  }

  template <class F> Operation in_space(const std::string &space, F f)
  {
    using S = Space;
    if (space == "param") return f(std::integral_constant<S, S::param> {});
    if (space == "global" || space == "const") return f(std::integral_constant<S, S::global> {});
    if (space == "shared") return f(std::integral_constant<S, S::shared> {});
    if (space == "local") return f(std::integral_constant<S, S::local> {});
    return f(std::integral_constant<S, S::generic> {});
  }

} // namespace

Operation access(const Form &form)
{
  // order, scope and caches make no difference: lanes and blocks run one after another
  static const char *const without_effect[] = {"nc",      "volatile", "relaxed", "weak", "acquire", "release",
                                               "acq_rel", "cta",      "gpu",     "sys",  "ca",      "cg",
                                               "cs",      "cv",       "lu",      "wb",   "wt",      "rn"};
  std::vector<std::string> words;
  for (const std::string &w : split(form.opcode, '.')) {
    const bool plain =
        std::none_of(std::begin(without_effect), std::end(without_effect), [&](auto *n) { return w == n; });
    if (plain && w.compare(0, 2, "L1") != 0 && w.compare(0, 2, "L2") != 0 && w.compare(0, 1, "v") != 0)
      words.push_back(w);
  }
  std::string space = words.size() > 2 ? words[1] : "";
  if (const std::size_t colons = space.find("::"); colons != std::string::npos) space = space.substr(0, colons);
  const std::string &type = words.back();
  const bool write = words[0] == "st", atomically = words[0] == "atom" || words[0] == "red";
  const int address_bytes = atomically ? form.first : write ? form.result : form.first;
  if (atomically) {
    const bool generic = words.size() == 3;
    const std::string &operation = words[generic ? 1 : 2];
    return in_space(generic ? "" : space, [&](auto s) -> Operation {
      constexpr Space S = decltype(s)::value;
      if constexpr (S == Space::param || S == Space::local) return nullptr;
      if constexpr (S == Space::shared)
        if (address_bytes == 4) return atomic_type<S, std::uint32_t>(operation, type);
      return atomic_type<S, std::uint64_t>(operation, type);
    });
  }
  return in_space(space, [&](auto s) -> Operation {
    constexpr Space S = decltype(s)::value;
    if constexpr (S == Space::shared)
      if (address_bytes == 4)
        return write ? moved_type<true, S, std::uint32_t>(form, type) : moved_type<false, S, std::uint32_t>(form, type);
    return write ? moved_type<true, S, std::uint64_t>(form, type) : moved_type<false, S, std::uint64_t>(form, type);
  });
}

} // namespace ptx
