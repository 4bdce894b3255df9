/// Records of stored number types: each number is the nearest of its fixed-point grid, each scale the largest number's.
#include "targets/storage_table.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fields/lattice.h"
#include "kernel_ops/every_target.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(StorageTable, storage_table)

} // namespace quda

using namespace quda;

namespace
{

constexpr int X[4] = {4, 4, 6, 8};
constexpr int inner = 2;
constexpr float fixed_one[2] = {32767, 127}; // half, quarter

/// A field of the layout that core/view.h describes, in memory of its own that host and kernels reach.
struct Field {
  struct Release {
    void operator()(void *p) const { target().release_pinned(p); }
  };
  FieldView view {};
  std::unique_ptr<void, Release> memory;

  Field(const Lattice &lattice, int entries, int reals, int bytes, bool scaled)
  {
    view.lattice = lattice.view(target().width(Precision::single));
    const LatticeView &l = view.lattice;
    const long long record = static_cast<long long>(reals + (scaled ? 4 / bytes : 0)) * l.width;
    view.record_stride = record * entries;
    view.inner_stride = l.width == 1 ? record * l.stored_cb : record;
    view.parity_stride = (record * entries * l.stored_cb * l.parts + 63) / 64 * 64;
    view.precision = bytes;
    view.inner = entries;
    view.reals = reals;
    view.scaled = scaled;
    view.vector = 1;
    for (int n : {8, 4, 2})
      if (l.width == 1 && view.vector == 1 && n * bytes <= 16 && reals % n == 0) view.vector = n;
    memory.reset(target().allocate_pinned(this->bytes()));
    std::memset(memory.get(), 0xff, this->bytes()); // NaN
    view.data = memory.get();
  }

  std::size_t bytes() const { return static_cast<std::size_t>(2 * view.parity_stride * view.precision); }

  long long offset(int parity, unsigned site, int lane, int i, int k) const
  {
    const LatticeView &l = view.lattice;
    if (l.width == 1)
      return parity * view.parity_stride + i * view.inner_stride +
             (static_cast<long long>(k / view.vector) * l.stored_cb + site) * view.vector + k % view.vector;
    const long long record = static_cast<long long>(site) * l.parts + lane / l.width;
    return parity * view.parity_stride + record * view.record_stride + i * view.inner_stride + k * l.width +
           lane % l.width;
  }
  float &at(int parity, unsigned site, int lane, int i, int k)
  {
    return static_cast<float *>(view.data)[offset(parity, site, lane, i, k)];
  }

  /// body(parity, site, lane, i) for all records
  template <class Body> void records(const Body &body) const
  {
    for (int parity = 0; parity < 2; parity++)
      for (unsigned site = 0; site < view.lattice.stored_cb; site++)
        for (int lane = 0; lane < view.lattice.lanes; lane++)
          for (int i = 0; i < view.inner; i++) body(parity, site, lane, i);
  }
};

struct Form {
  int reals;
  bool scaled;
};
const Form forms[] = {{24, true}, {6, true}, {18, false}};

enum class Case { ordinary, zero, tiny, one_large, not_a_number, infinite };

float number(Case kind, int k, double random)
{
  switch (kind) {
  case Case::zero:
    return k % 2 ? -0.0f : 0.0f;
  case Case::tiny:
    return static_cast<float>(1e-36 * random);
  case Case::one_large:
    return k == 3 ? -7.25f : static_cast<float>(1e-3 * random);
  case Case::not_a_number:
    return k == 1 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random);
  case Case::infinite:
    return k == 4 ? -std::numeric_limits<float>::infinity() : static_cast<float>(random);
  default:
    return static_cast<float>(random);
  }
}

Case case_of(unsigned site, int lane) { return static_cast<Case>((site + lane) % 6); }

void round_trip(int type, int form)
{
  const int bytes = 2 - type;
  const auto [reals, scaled] = forms[form];
  const float one = fixed_one[type];
  const auto lattice = Lattice::create(X, make_single_communicator());
  Field numbers(*lattice, inner, reals, 4, false), back(*lattice, inner, reals, 4, false),
      raw(*lattice, inner, reals, 4, false), scales(*lattice, inner, 2, 4, false);
  Field stored(*lattice, inner, reals, bytes, scaled);
  const auto random = some_numbers(8 * 16 * 4096);
  std::size_t next = 0;
  numbers.records([&](int p, unsigned site, int lane, int i) {
    const Case kind = scaled ? case_of(site, lane) : Case::ordinary;
    for (int k = 0; k < reals; k++) numbers.at(p, site, lane, i, k) = number(kind, k, random[next++ % random.size()]);
    if (!scaled) numbers.at(p, site, lane, i, 5) = lane % 2 ? 1.0f : -1.0f; // the ends of the range
  });
  storage_table().write[type][form]({numbers.view, stored.view, raw.view, scales.view});
  storage_table().read[type][form]({back.view, stored.view, raw.view, scales.view});
  target().synchronize();

  int wrong = 0;
  numbers.records([&](int p, unsigned site, int lane, int i) {
    if (wrong > 5) return;
    SCOPED_TRACE("site " + std::to_string(site) + " lane " + std::to_string(lane) + " inner " + std::to_string(i));
    const Case kind = scaled ? case_of(site, lane) : Case::ordinary;
    float largest = 0;
    for (int k = 0; k < reals; k++) largest = std::max(largest, std::abs(numbers.at(p, site, lane, i, k)));
    const float scale = scales.at(p, site, lane, i, 0);
    if (kind == Case::not_a_number || kind == Case::infinite) {
      EXPECT_TRUE(std::isnan(scale)) << ++wrong;
      for (int k = 0; k < reals; k++) EXPECT_TRUE(std::isnan(back.at(p, site, lane, i, k))) << ++wrong;
      return;
    }
    EXPECT_EQ(scale, (scaled ? largest : 1.0f) * (1.0f / one)) << ++wrong;
    const float factor = !scaled ? one : kind == Case::zero || kind == Case::tiny ? 0.0f : one / largest;
    for (int k = 0; k < reals; k++) {
      const float x = numbers.at(p, site, lane, i, k), q = raw.at(p, site, lane, i, k),
                  y = back.at(p, site, lane, i, k);
      const bool good = q == std::nearbyint(factor * x) && y == scale * q;
      EXPECT_TRUE(good) << "number " << k << ": " << x << " is stored as " << q << " and read as " << y << " ("
                        << ++wrong;
      if (factor != 0) {
        EXPECT_LE(std::abs(y - x), 0.5000001f * scale + 2e-7f * std::abs(x)) << ++wrong;
      }
      if (factor != 0 && std::abs(x) == (scaled ? largest : 1.0f)) {
        EXPECT_EQ(std::abs(q), one) << ++wrong;
        EXPECT_NEAR(y, x, 1.2e-7f * std::abs(x)) << ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0);

  // what was read is stored again as it is
  Field again(*lattice, inner, reals, bytes, scaled);
  storage_table().write[type][form]({back.view, again.view, raw.view, scales.view});
  target().synchronize();
  int differ = 0;
  stored.records([&](int p, unsigned site, int lane, int i) {
    if (scaled && case_of(site, lane) >= Case::not_a_number) return;
    for (int k = 0; k < reals; k++) {
      const long long at = stored.offset(p, site, lane, i, k) * bytes;
      differ += std::memcmp(static_cast<char *>(stored.view.data) + at, static_cast<char *>(again.view.data) + at,
                            bytes) != 0;
    }
  });
  EXPECT_EQ(differ, 0);
}

/// Rows of length 1 without a pattern, orthogonal for the third row's sake.
void set_links(Field &numbers)
{
  const auto random = some_numbers(18 * 4096 * 16);
  std::size_t next = 0;
  numbers.records([&](int p, unsigned site, int lane, int mu) {
    std::complex<double> a[3], b[3];
    for (int j = 0; j < 3; j++) {
      a[j] = {random[next % random.size()], random[(next + 1) % random.size()]};
      b[j] = {random[(next + 2) % random.size()], random[(next + 3) % random.size()]};
      next += 4;
    }
    const auto normalise = [](std::complex<double>(&v)[3]) {
      const double length = std::sqrt(std::norm(v[0]) + std::norm(v[1]) + std::norm(v[2]));
      for (auto &e : v) e /= length;
    };
    normalise(a);
    const std::complex<double> along = std::conj(a[0]) * b[0] + std::conj(a[1]) * b[1] + std::conj(a[2]) * b[2];
    for (int j = 0; j < 3; j++) b[j] -= along * a[j];
    normalise(b);
    for (int j = 0; j < 3; j++) {
      const int k = (j + 1) % 3, l = (j + 2) % 3;
      const std::complex<double> c = std::conj(a[k] * b[l] - a[l] * b[k]);
      const std::complex<double> column[3] = {a[j], b[j], c};
      for (int row = 0; row < 3; row++) {
        numbers.at(p, site, lane, mu, 6 * row + 2 * j) = static_cast<float>(column[row].real());
        numbers.at(p, site, lane, mu, 6 * row + 2 * j + 1) = static_cast<float>(column[row].imag());
      }
    }
  });
}

void stored_links(int type, int form)
{
  const int recon = form == 0 ? 18 : 12;
  const auto lattice = Lattice::create(X, make_single_communicator());
  Field numbers(*lattice, 4, 18, 4, false), operands(*lattice, 4, 18, 4, false),
      stored(*lattice, 4, recon, 2 - type, false);
  set_links(numbers);
  Field before(*lattice, 4, 18, 4, false);
  std::memcpy(before.memory.get(), numbers.memory.get(), numbers.bytes());
  GaugeView links {};
  links.field = stored.view;
  links.reconstruct = recon;
  links.anisotropy = 1;
  links.t_boundary = 1;
  storage_table().links[type][form]({links, numbers.view, operands.view});
  target().synchronize();

  const float one = fixed_one[type];
  int wrong = 0;
  numbers.records([&](int p, unsigned site, int lane, int mu) {
    for (int k = 0; k < 18 && wrong < 5; k++) {
      const float x = before.at(p, site, lane, mu, k), y = numbers.at(p, site, lane, mu, k);
      if (k < recon)
        EXPECT_EQ(y, (1.0f / one) * std::nearbyint(one * x)) << "number " << k << " " << ++wrong;
      else
        EXPECT_NEAR(y, x, 4 / one) << "number " << k << " " << ++wrong;
      EXPECT_EQ(operands.at(p, site, lane, mu, k), y) << "number " << k << " " << ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

} // namespace

TEST(StoredNumbers, recordsComeBackRounded)
{
  on_every_target([] {
    for (int type = 0; type < 2; type++)
      for (int form = 0; form < 3; form++) {
        SCOPED_TRACE(std::string(type ? "quarter, " : "half, ") + std::to_string(forms[form].reals) + " reals");
        round_trip(type, form);
      }
  });
}

TEST(StoredNumbers, linksAreWhatIsStored)
{
  on_every_target([] {
    for (int type = 0; type < 2; type++)
      for (int form = 0; form < 2; form++) {
        SCOPED_TRACE(std::string(type ? "quarter, " : "half, ") + (form ? "two rows" : "three rows"));
        stored_links(type, form);
      }
  });
}
