/// Elementary functions against long double, the generator against its published vectors, and one set of bits on all
/// targets.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>

#include <gtest/gtest.h>

#include "kernel_ops/every_target.h"
#include "random/functions_table.h"
#include "reference/random/philox.h"
#include "support/native_fields.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(FunctionsTable, elementary_functions)

namespace
{

  /// Numbers in (0, 1]: even ones, those next to 0, 1 and the quarters, and all powers of two.
  template <class T> std::vector<T> arguments()
  {
    std::vector<T> x;
    const int many = 1 << 18;
    for (int i = 0; i < many; i++) x.push_back(static_cast<T>((i + 0.3819660112501051) / many));
    for (int i = 0; i < 20000; i++) x.push_back(static_cast<T>(std::exp(-i * 1.7e-3)));
    for (T centre : {T(0.125), T(0.25), T(0.5), T(0.70710678118654752), T(0.75), T(1)}) {
      T below = centre;
      for (int i = 0; i < 1000; i++, below = std::nextafter(below, T(0))) x.push_back(below);
    }
    for (T power = 1; power >= std::numeric_limits<T>::min(); power /= 2) x.push_back(power);
    while (x.size() % 16) x.push_back(T(0.5));
    return x;
  }

  /// |value - exact| in units of the last place of exact as T holds it.
  template <class T> double ulps(T value, long double exact)
  {
    const T nearest = static_cast<T>(exact);
    if (nearest == 0) return value == 0 ? 0 : INFINITY;
    const long double unit = std::ldexp(1.0L, std::ilogb(nearest) - std::numeric_limits<T>::digits + 1);
    return static_cast<double>(std::fabs(static_cast<long double>(value) - exact) / unit);
  }

  template <class T> struct Values {
    std::vector<T> log, sqrt, sin, cos;
    bool operator==(const Values &other) const
    {
      const auto same = [](const std::vector<T> &a, const std::vector<T> &b) {
        return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
      };
      return same(log, other.log) && same(sqrt, other.sqrt) && same(sin, other.sin) && same(cos, other.cos);
    }
  };

  template <class T> Values<T> values(const std::vector<T> &x)
  {
    const std::vector<T> nothing(x.size());
    TargetArray<T> in(x), log(nothing), sqrt(nothing), sin(nothing), cos(nothing);
    elementary_functions().functions[sizeof(T) == 8 ? 0 : 1](
        {}, {static_cast<unsigned>(x.size()), in.data(), log.data(), sqrt.data(), sin.data(), cos.data()});
    return {log.get(), sqrt.get(), sin.get(), cos.get()};
  }

  template <class T> void expect_accurate(double bar)
  {
    const std::vector<T> x = arguments<T>();
    Values<T> first;
    support::on_targets([&] {
      const Values<T> is = values(x);
      if (first.log.empty()) {
        first = is;
        double worst[3] = {0, 0, 0};
        for (std::size_t i = 0; i < x.size(); i++) {
          const long double u = x[i], pi = 3.14159265358979323846264338327950288L;
          // by the angle to the nearest quarter, as long double rounds 2 pi u too coarsely near multiples of pi/2
          const long double quarter = std::nearbyint(4 * u), rest = 2 * pi * (u - quarter / 4);
          const int turn = static_cast<int>(quarter) % 4;
          const long double s = std::sin(rest), c = std::cos(rest);
          const long double sine = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
          const long double cosine = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
          worst[0] = std::max(worst[0], ulps(is.log[i], std::log(u)));
          worst[1] = std::max(worst[1], ulps(is.sin[i], sine));
          worst[2] = std::max(worst[2], ulps(is.cos[i], cosine));
          ASSERT_EQ(is.sqrt[i], std::sqrt(x[i])) << x[i];
        }
        std::printf("%d bytes: largest errors of log %.3f, sin %.3f, cos %.3f ulp\n", static_cast<int>(sizeof(T)),
                    worst[0], worst[1], worst[2]);
        EXPECT_LE(worst[0], bar);
        EXPECT_LE(worst[1], bar);
        EXPECT_LE(worst[2], bar);
      }
      EXPECT_TRUE(is == first) << "other bits than on the first target";
    });
  }

  TEST(Functions, InDouble)
  {
    volatile long double one = 1;
    if (one + std::numeric_limits<long double>::epsilon() == one)
      GTEST_SKIP() << "long double, the judge, is no wider than double here: an emulated processor";
    expect_accurate<double>(0.9);
  }
  TEST(Functions, InSingle) { expect_accurate<float>(0.9); }

  /// Points of the plane: all directions at several distances, those next to the axes and to where the formula changes.
  template <class T> struct Points {
    std::vector<T> x, y;
    void add(T a, T b)
    {
      for (const T s : {T(1), T(-1)})
        for (const T t : {T(1), T(-1)}) {
          x.insert(x.end(), {s * a, t * b});
          y.insert(y.end(), {t * b, s * a});
        }
    }
    Points()
    {
      const T far = sizeof(T) == 8 ? T(1e150) : T(1e18);
      const int many = 1 << 14;
      for (const T distance : {T(1), far, 1 / far})
        for (int i = 0; i <= many; i++) {
          const double angle = std::acos(-1.0) / 4 * i / many;
          add(distance * static_cast<T>(std::cos(angle)), distance * static_cast<T>(std::sin(angle)));
        }
      for (T slope = 1; slope >= 4 * std::numeric_limits<T>::min(); slope /= 2) add(1, slope);
      for (const T slope : {T(0.41421356237309505), T(1)}) {
        T near = slope + 200 * std::numeric_limits<T>::epsilon();
        for (int i = 0; i < 800; i++, near = std::nextafter(near, T(0))) add(1, near);
      }
      add(0, 0);
      while (x.size() % 16) add(1, 1);
    }
  };

  template <class T> void expect_angles(double bar)
  {
    const Points<T> points;
    const std::size_t n = points.x.size();
    std::vector<T> first;
    support::on_targets([&] {
      TargetArray<T> x(points.x), y(points.y), angles((std::vector<T>(n)));
      elementary_functions().angles[sizeof(T) == 8 ? 0 : 1](
          {}, {static_cast<unsigned>(n), y.data(), x.data(), angles.data()});
      const std::vector<T> is = angles.get();
      if (first.empty()) {
        first = is;
        double worst = 0;
        for (std::size_t i = 0; i < n; i++) {
          const T a = points.x[i], b = points.y[i];
          // an angle of -pi is pi, and 0 where there is none
          const bool none = a == 0 && b == 0;
          const long double exact = std::atan2(static_cast<long double>(b == 0 ? 0 : b), static_cast<long double>(a));
          const long double pi = 3.14159265358979323846264338327950288L;
          worst = std::max(worst, ulps(is[i], none ? 0 : exact / pi));
          ASSERT_LE(std::fabs(is[i]), 1) << a << ' ' << b;
        }
        std::printf("%d bytes: largest error of half_turns %.3f ulp\n", static_cast<int>(sizeof(T)), worst);
        EXPECT_LE(worst, bar);
      }
      EXPECT_EQ(std::memcmp(is.data(), first.data(), n * sizeof(T)), 0) << "other bits than on the first target";
    });
  }

  TEST(HalfTurns, InDouble) { expect_angles<double>(3); }
  TEST(HalfTurns, InSingle) { expect_angles<float>(3); }

  std::vector<std::uint64_t> words_of(const std::vector<reference::Words> &counters, int i)
  {
    // what stands in the high half must not matter
    std::vector<std::uint64_t> words;
    for (const reference::Words &c : counters) words.push_back(c[i] | 0xABCDEF0100000000u * (words.size() % 3));
    return words;
  }

  /// The generator's words of 16 counters or a multiple.
  std::vector<reference::Words> philox(const std::vector<reference::Words> &counters, std::uint64_t seed,
                                       std::vector<double> *uniforms = nullptr)
  {
    const std::vector<unsigned long long> nothing(counters.size());
    std::deque<TargetArray<unsigned long long>> in, out;
    WordsCall call {static_cast<unsigned>(counters.size()), {}, {}, {}, seed};
    for (int i = 0; i < 4; i++) {
      const auto words = words_of(counters, i);
      in.emplace_back(std::vector<unsigned long long>(words.begin(), words.end()));
      out.emplace_back(nothing);
      call.in[i] = in[i].data();
      call.out[i] = out[i].data();
    }
    TargetArray<double> u(std::vector<double>(counters.size())), v(std::vector<double>(counters.size()));
    call.uniform[0] = u.data();
    call.uniform[1] = v.data();
    elementary_functions().philox({}, call);
    std::vector<reference::Words> result(counters.size());
    for (int i = 0; i < 4; i++) {
      const auto words = out[i].get();
      for (std::size_t k = 0; k < words.size(); k++) result[k][i] = static_cast<std::uint32_t>(words[k]);
    }
    if (uniforms) {
      *uniforms = u.get();
      const auto second = v.get();
      uniforms->insert(uniforms->end(), second.begin(), second.end());
    }
    return result;
  }

  // known answers published with the generator
  struct Known {
    reference::Words counter;
    std::uint64_t seed;
    reference::Words words;
  };
  const Known known[] = {
      {{0, 0, 0, 0}, 0, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
      {{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu},
       0xffffffffffffffffu,
       {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
      {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
       0x299f31d0a4093822u,
       {0xd16cfe09u, 0x94fdcceb, 0x5001e420u, 0x24126ea1u}},
  };

  TEST(Philox, KnownAnswers)
  {
    for (const Known &one : known)
      EXPECT_EQ(reference::philox(one.counter, static_cast<std::uint32_t>(one.seed),
                                  static_cast<std::uint32_t>(one.seed >> 32)),
                one.words);
    support::on_targets([] {
      for (const Known &one : known)
        for (const reference::Words &words : philox(std::vector<reference::Words>(16, one.counter), one.seed))
          EXPECT_EQ(words, one.words);
    });
  }

  TEST(Philox, AsTheReference)
  {
    std::vector<reference::Words> counters;
    for (std::uint32_t i = 0; i < 1600; i++) counters.push_back({i, i / 7, i * 2654435761u, ~i});
    const std::uint64_t seed = 0x0123456789abcdefu;
    support::on_targets([&] {
      std::vector<double> uniforms;
      const auto words = philox(counters, seed, &uniforms);
      for (std::size_t i = 0; i < counters.size(); i++) {
        const auto right = reference::philox(counters[i], 0x89abcdefu, 0x01234567u);
        EXPECT_EQ(words[i], right);
        for (int k : {0, 1}) {
          const std::uint64_t both = std::uint64_t(right[2 * k]) << 32 | right[2 * k + 1];
          EXPECT_EQ(uniforms[k * counters.size() + i], (static_cast<double>(both >> 12) + 0.5) * 0x1p-52);
        }
      }
    });
  }

} // namespace

} // namespace quda
