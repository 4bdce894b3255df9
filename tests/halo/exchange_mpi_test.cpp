/// Halos: every site is stamped with its global coordinates, and a kernel that steps along each direction, one and
/// three sites, up and down, finds the stamp of the site it steps to in every lane, whether that lies in its block, in
/// another, or beyond the rank.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "halo/read_call.h"
#include "ops/dirac/wilson.h"
#include "ops/halo/boundary.h"
#include "ops/halo/exchange.h"
#include "ops/launch.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/counting_communicator.h"
#include "support/delaying_communicator.h"
#include "support/grids.h"
#include "support/refused.h"

namespace quda
{
QUDA_KERNELS(HaloReadCall, halo_read)
}

using namespace quda;

namespace
{

/// Each direction alone, and the pairs of support/grids.h.
std::vector<support::Grid> grids()
{
  std::vector<support::Grid> all = support::grids_of(support::ranks());
  for (int d = 0; d < 3 && support::ranks() == 4; d++) {
    support::Grid one {1, 1, 1, 1};
    one[d] = 4;
    all.push_back(one);
  }
  return all;
}

struct Form {
  Precision precision = Precision::double_;
  int reals = 6, inner = 1, parity = -1; // -1: a full field
};

ColorSpinorField field_of(const support::Place &place, const Form &form)
{
  ColorSpinorParam param;
  param.lattice = place.lattice;
  param.precision = form.precision;
  param.spins = form.reals / 6;
  param.rhs = form.inner;
  param.subset = form.parity < 0 ? SiteSubset::full : SiteSubset::parity;
  param.parity = form.parity < 0 ? 0 : form.parity;
  return ColorSpinorField(param);
}

/// Different for every site of the global lattice, inner entry and real; exact in single precision.
double stamp(const reference::Lattice &global, const reference::Coords &x, const Form &form, int i, int k)
{
  return static_cast<double>((global.lexicographic(x) * form.inner + i) * form.reals + k) - 1000;
}

/// body(value, stored global site, inner entry, real) for all numbers of a field.
template <class Body> void for_numbers(const support::Place &place, const ColorSpinorField &field, const Body &body)
{
  const FieldView view = field.view().field;
  for (unsigned slot = 0; slot < place.part.local.volume(); slot++) {
    int x[4];
    place.lattice->slot_coordinates(slot, x);
    const SitePosition at = place.lattice->position(x);
    if (field.parities() == 1 && at.parity != field.parity()) continue;
    for (int i = 0; i < view.inner; i++)
      for (int k = 0; k < view.reals; k++)
        body(real_offset(view, at.parity, at.o_cb, at.lane, i, k), place.part.global_coords(slot), i, k);
  }
}

template <class T> void stamp_as(const support::Place &place, const ColorSpinorField &field, const Form &form)
{
  std::vector<T> raw(field.bytes() / sizeof(T));
  for_numbers(place, field, [&](long long at, const reference::Coords &x, int i, int k) {
    raw[at] = static_cast<T>(stamp(place.global, x, form, i, k));
  });
  target().copy(field.data(), raw.data(), field.bytes());
}

void set_stamps(const support::Place &place, const ColorSpinorField &field, const Form &form)
{
  if (form.precision == Precision::double_)
    stamp_as<double>(place, field, form);
  else
    stamp_as<float>(place, field, form);
}

/// The largest difference of out from the stamps `steps` along d; relative to `most` times the record's largest stamp.
template <class T>
double error_as(const support::Place &place, const ColorSpinorField &out, const Form &form, int d, int steps)
{
  std::vector<T> raw(out.bytes() / sizeof(T));
  target().copy(raw.data(), out.data(), out.bytes());
  double error = 0;
  for_numbers(place, out, [&](long long at, const reference::Coords &x, int i, int k) {
    const reference::Coords y = place.global.shifted(x, d, steps);
    double most = 0;
    for (int n = 0; n < form.reals; n++) most = std::max(most, std::abs(stamp(place.global, y, form, i, n)));
    const double difference = std::abs(raw[at] - stamp(place.global, y, form, i, k)) / most;
    if (!(difference <= error)) error = std::isnan(difference) ? 1e300 : difference;
  });
  return error;
}

double error_of(const support::Place &place, const ColorSpinorField &in, const Form &form, const HaloView &halo, int d,
                int steps)
{
  Form out_form = form;
  if (form.parity >= 0 && steps % 2) out_form.parity = 1 - form.parity;
  const ColorSpinorField out = field_of(place, out_form);
  const HaloReadCall call {in.view().field, out.view().field, halo, d, steps, out.parity(), out.parities()};
  const auto read = halo_read_kernels().find("halo test", bytes_of(form.precision), form.reals);
  read(TuneParam {}, nullptr, call);
  target().synchronize();
  return form.precision == Precision::double_ ? error_as<double>(place, out, form, d, steps)
                                              : error_as<float>(place, out, form, d, steps);
}

/// Of all steps that a halo of this depth serves.
double error_of(const support::Place &place, const ColorSpinorField &in, const Form &form, const HaloView &halo)
{
  double error = 0;
  for (int d = 0; d < 4; d++)
    for (const int steps : {+1, -1, +3, -3, +2, -2})
      if (std::abs(steps) <= halo.depth) error = std::max(error, error_of(place, in, form, halo, d, steps));
  return error;
}

reference::Lattice global_lattice(const support::Grid &grid, const reference::Coords &local)
{
  reference::Coords X = local;
  for (int d = 0; d < 4; d++) X[d] *= grid[d];
  return reference::Lattice(X);
}

/// Bytes of the sites that one rank's neighbours need.
std::size_t ideal_bytes(const Lattice &lattice, const HaloShape &shape)
{
  std::size_t bytes = 0;
  for (int d = 0; d < 4; d++)
    if (lattice.cut(d))
      bytes += static_cast<std::size_t>(lattice.face(d)) / 2 * shape.parities * shape.depth * shape.inner *
               (shape.reals * bytes_of(shape.message) + (shape.message == Precision::half ? 4 : 0)) *
               (shape.from_below[d] + shape.from_above[d]);
  return bytes;
}

template <class Body> void everywhere(const Body &body)
{
  support::on_targets([&] {
    for (const support::Grid &grid : grids()) {
      SCOPED_TRACE(support::named(grid));
      body(grid);
    }
  });
}

} // namespace

TEST(Halo, StampedSitesArrive)
{
  everywhere([](const support::Grid &grid) {
    // long where it is cut and short elsewhere: lanes have no other direction to go to
    reference::Coords narrow;
    for (int d = 0; d < 4; d++) narrow[d] = grid[d] == 1 ? 2 : std::count(grid.begin(), grid.end(), 1) == 3 ? 16 : 8;
    // of skewed blocks, of one site in cut directions; the last two too, but where no direction before is whole
    reference::Coords thin;
    for (int d = 0; d < 4; d++) thin[d] = d == 0 || grid[d] > 1 ? 4 : 2;
    for (const reference::Coords &local :
         {reference::Coords {4, 4, 4, 8}, {6, 4, 4, 4}, narrow, thin, {6, 6, 6, 6}, {4, 10, 6, 6}}) {
      const reference::Lattice global = global_lattice(grid, local);
      const support::Place place(global, make_communicator(grid.data()));
      for (const Form &form : {Form {Precision::double_, 6, 1, -1},
                               {Precision::double_, 24, 3, 1},
                               {Precision::double_, 12, 1, 0},
                               {Precision::single, 12, 3, -1},
                               {Precision::single, 6, 3, 0},
                               {Precision::single, 24, 1, -1}})
        for (const int depth : {1, 3}) {
          const ColorSpinorField in = field_of(place, form);
          set_stamps(place, in, form);
          HaloExchange halo("test", *place.lattice, {halo_shape(in, depth, form.precision)});
          halo.pack(in);
          halo.send();
          halo.finish();
          EXPECT_EQ(error_of(place, in, form, halo.slots()), 0)
              << bytes_of(form.precision) << " bytes, reals " << form.reals << " inner " << form.inner << " depth "
              << depth << " local " << local[0] << local[1] << local[2] << local[3] << " parity " << form.parity;
        }
    }
  });
}

/// Cut until the local extents are 4 and 2: what three layers do not fit into is refused.
TEST(Halo, TooDeepIsRefusedByName)
{
  everywhere([](const support::Grid &grid) {
    const reference::Lattice global({4, 4, 4, 8});
    for (int d = 0; d < 4; d++)
      if (4 % grid[d] || 4 / grid[d] < 2) return;
    const support::Place place(global, make_communicator(grid.data()));
    const Form form;
    const ColorSpinorField in = field_of(place, form);
    set_stamps(place, in, form);
    int shortest = 8, direction = -1;
    for (int d = 3; d >= 0; d--)
      if (grid[d] > 1 && place.lattice->X(d) <= shortest) shortest = place.lattice->X(d), direction = d;
    for (const int depth : {2, 3, 4, 6}) {
      if (direction < 0 || depth <= shortest) {
        HaloExchange halo("test", *place.lattice, {halo_shape(in, depth, form.precision)});
        halo.pack(in);
        halo.send();
        halo.finish();
        EXPECT_EQ(error_of(place, in, form, halo.slots()), 0) << "depth " << depth;
        continue;
      }
      expect_refused(ErrorKind::unsupported, {"long_hop", text("depth %d", depth), text("extent of %d", shortest)},
                     [&] { HaloExchange("long_hop", *place.lattice, {halo_shape(in, depth, form.precision)}); });
    }
  });
}

/// As many bytes as the neighbours need sites, every request waited for, and after the first exchange no block of
/// memory.
TEST(Halo, SendsTheIdealAndAllocatesNothing)
{
  everywhere([](const support::Grid &grid) {
    const reference::Lattice global = global_lattice(grid, {4, 4, 4, 8});
    const auto comm = std::make_shared<support::CountingCommunicator>(make_communicator(grid.data()));
    const support::Place place(global, comm);
    for (const Precision message : {Precision::double_, Precision::single, Precision::half}) {
      const Form form {Precision::double_, 12, 3, -1};
      const ColorSpinorField in = field_of(place, form);
      set_stamps(place, in, form);
      const HaloShape shape = halo_shape(in, 3, message);
      for (int turn = 0; turn < 3; turn++) {
        const long long before = device_pool().counts().requests + pinned_pool().counts().requests;
        const auto bytes_before = comm->bytes_sent, asked_before = comm->bytes_asked_for;
        const int messages_before = comm->messages, waits_before = comm->waits;
        {
          HaloExchange halo("test", *place.lattice, {shape});
          halo.pack(in);
          halo.send();
          halo.finish();
        }
        EXPECT_EQ(comm->bytes_sent - bytes_before, ideal_bytes(*place.lattice, shape));
        EXPECT_EQ(comm->bytes_asked_for - asked_before, ideal_bytes(*place.lattice, shape));
        EXPECT_EQ(comm->messages - messages_before, comm->waits - waits_before);
        if (turn) {
          EXPECT_EQ(device_pool().counts().requests + pinned_pool().counts().requests, before);
        }
      }
    }
  });
}

TEST(Halo, MessagesOfLessPrecision)
{
  everywhere([](const support::Grid &grid) {
    const reference::Lattice global = global_lattice(grid, {4, 4, 4, 8});
    const support::Place place(global, make_communicator(grid.data()));
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const Precision message : {Precision::single, Precision::half}) {
        Form form {precision, 6, 3, -1};
        const ColorSpinorField in = field_of(place, form);
        set_stamps(place, in, form);
        HaloExchange halo("test", *place.lattice, {halo_shape(in, 3, message)});
        halo.pack(in);
        halo.send();
        halo.finish();
        const double error = error_of(place, in, form, halo.slots());
        // stamps are whole numbers below 2^24: single precision has them exactly
        if (message == Precision::single) {
          EXPECT_EQ(error, 0);
        } else {
          EXPECT_LE(error, 0.5 / 32767 + 2e-7);
        }
        EXPECT_EQ(error > 1e-7, message == Precision::half && support::ranks() > 1);
      }
    // numbers that single precision rounds
    Form form {Precision::double_, 12, 1, 0};
    const ColorSpinorField in = field_of(place, form);
    std::vector<double> raw(in.bytes() / sizeof(double));
    for_numbers(place, in, [&](long long at, const reference::Coords &x, int i, int k) {
      raw[at] = stamp(place.global, x, form, i, k) * (1 + 1.0 / (1 << 26));
    });
    target().copy(in.data(), raw.data(), in.bytes());
    HaloExchange halo("test", *place.lattice, {halo_shape(in, 1, Precision::single)});
    halo.pack(in);
    halo.send();
    halo.finish();
    EXPECT_LE(error_of(place, in, form, halo.slots()), 1e-7);
  });
}

/// Fields of different shapes in one message a direction and sense, one of them read from one side alone.
TEST(Halo, SeveralFieldsTravelTogether)
{
  everywhere([](const support::Grid &grid) {
    const reference::Lattice global = global_lattice(grid, {4, 4, 4, 8});
    const auto comm = std::make_shared<support::CountingCommunicator>(make_communicator(grid.data()));
    const support::Place place(global, comm);
    const Form forms[3] = {
        {Precision::double_, 6, 1, -1}, {Precision::single, 24, 2, 1}, {Precision::double_, 12, 1, 0}};
    const ColorSpinorField fields[3] = {field_of(place, forms[0]), field_of(place, forms[1]),
                                        field_of(place, forms[2])};
    HaloShape shapes[3] = {halo_shape(fields[0], 3, Precision::single), halo_shape(fields[1], 1, Precision::single),
                           halo_shape(fields[2], 3, Precision::double_)};
    for (int d = 0; d < 4; d++) shapes[2].from_above[d] = false;
    const int before = comm->messages;
    HaloExchange halo("test", *place.lattice, {shapes[0], shapes[1], shapes[2]});
    for (int n = 0; n < 3; n++) {
      set_stamps(place, fields[n], forms[n]);
      halo.pack(fields[n], n);
    }
    halo.send();
    halo.finish();
    int cuts = 0;
    std::size_t ideal = 0;
    for (int d = 0; d < 4; d++) cuts += place.lattice->cut(d);
    for (const HaloShape &shape : shapes) ideal += ideal_bytes(*place.lattice, shape);
    EXPECT_EQ(comm->messages - before, 4 * cuts);
    EXPECT_EQ(comm->bytes_sent, ideal);
    for (int n = 0; n < 2; n++) EXPECT_EQ(error_of(place, fields[n], forms[n], halo.slots(n)), 0) << "field " << n;
    for (int d = 0; d < 4; d++)
      for (const int steps : {-1, -3})
        EXPECT_EQ(error_of(place, fields[2], forms[2], halo.slots(2), d, steps), 0) << "d " << d << " steps " << steps;
  });
}

/// Two halos of one shape under way at once keep their data apart, and one that was begun and given up leaves nothing
/// for the next.
TEST(Halo, OfOneShapeAtOnceAndGivenUp)
{
  everywhere([](const support::Grid &grid) {
    const support::Place place(global_lattice(grid, {4, 4, 4, 4}), make_communicator(grid.data()));
    const Form forms[2] = {{Precision::double_, 6, 1, 0}, {Precision::double_, 6, 1, 1}};
    const ColorSpinorField fields[2] = {field_of(place, forms[0]), field_of(place, forms[1])};
    for (int n = 0; n < 2; n++) set_stamps(place, fields[n], forms[n]);
    const HaloShape shape = halo_shape(fields[0], 1, Precision::double_);
    for (const bool given_up : {true, false}) {
      const std::size_t before = device_pool().counts().live_blocks;
      if (given_up) HaloExchange("test", *place.lattice, {shape});
      EXPECT_EQ(device_pool().counts().live_blocks, before) << "what may still be written into is not kept";
      MPI_Barrier(MPI_COMM_WORLD); // what was given up takes no message of those that follow
      HaloExchange one("test", *place.lattice, {shape}), other("test", *place.lattice, {shape});
      one.pack(fields[0], 0);
      other.pack(fields[1], 0);
      one.send();
      other.send();
      one.finish();
      other.finish();
      EXPECT_EQ(error_of(place, fields[0], forms[0], one.slots(0)), 0);
      EXPECT_EQ(error_of(place, fields[1], forms[1], other.slots(0)), 0);
    }
  });
}

/// The hop's own halo: as many bytes as half spinors are needed, and no block of memory after the first hop.
TEST(Halo, OfTheWilsonHop)
{
  everywhere([](const support::Grid &grid) {
    const reference::Lattice global = global_lattice(grid, {4, 4, 4, 8});
    const auto comm = std::make_shared<support::CountingCommunicator>(make_communicator(grid.data()));
    const support::Place place(global, comm);
    const reference::GaugeField gauge = reference::random_gauge(global, 11);
    const GaugeField links = support::native_links(place, gauge, {});
    const Form form {Precision::double_, 24, 2, -1};
    const ColorSpinorField in = field_of(place, form);
    ColorSpinorField out = field_of(place, form);
    set_stamps(place, in, form);
    HaloShape shape = halo_shape(in, 1, Precision::double_);
    shape.reals = 12;
    for (int turn = 0; turn < 3; turn++) {
      const long long before = device_pool().counts().requests + pinned_pool().counts().requests;
      const auto bytes_before = comm->bytes_sent;
      wilson_hop(out, in, links, false);
      EXPECT_EQ(comm->bytes_sent - bytes_before, ideal_bytes(*place.lattice, shape));
      if (turn) {
        EXPECT_EQ(device_pool().counts().requests + pinned_pool().counts().requests, before);
      }
    }
  });
}

/// Sites of a field whose numbers have been written since all were NaN.
long long written_sites(const support::Place &place, const ColorSpinorField &field)
{
  target().synchronize();
  std::vector<double> raw(field.bytes() / sizeof(double));
  target().copy(raw.data(), field.data(), field.bytes());
  long long numbers = 0;
  for_numbers(place, field,
              [&](long long at, const reference::Coords &, int, int) { numbers += !std::isnan(raw[at]); });
  const FieldView view = field.view().field;
  EXPECT_EQ(numbers % (view.inner * view.reals), 0);
  return numbers / (view.inner * view.reals);
}

/// The order of a hop's work, whatever it takes: messages leave before anything is computed, the interior is there
/// before any message is waited for, and the boundary is not.
TEST(Halo, MessagesTravelWhileTheInteriorIsDone)
{
  everywhere([](const support::Grid &grid) {
    const reference::Lattice global = global_lattice(grid, {8, 8, 8, 8});
    const auto comm = std::make_shared<support::CountingCommunicator>(make_communicator(grid.data()));
    const support::Place place(global, comm);
    const GaugeField links = support::native_links(place, reference::random_gauge(global, 11), {});
    const Form form {Precision::double_, 24, 1, -1};
    const ColorSpinorField in = field_of(place, form);
    ColorSpinorField out = field_of(place, form);
    set_stamps(place, in, form);
    const std::vector<double> unwritten(out.bytes() / sizeof(double), std::nan(""));
    target().copy(out.data(), unwritten.data(), out.bytes());
    std::vector<long long> at_send, at_wait;
    comm->on_send = [&] { at_send.push_back(written_sites(place, out)); };
    comm->on_wait = [&] { at_wait.push_back(written_sites(place, out)); };
    wilson_hop(out, in, links, false);
    comm->on_send = comm->on_wait = nullptr;
    const LatticeView view = place.lattice->view(target().width(Precision::double_));
    const long long interior = 2LL * view.width * boundary_sites(*place.lattice, view.width, 1).interior_count;
    int cuts = 0;
    for (int d = 0; d < 4; d++) cuts += place.lattice->cut(d);
    EXPECT_EQ(at_send, std::vector<long long>(2 * cuts, 0));
    EXPECT_EQ(at_wait, std::vector<long long>(4 * cuts, interior)) << "two received, two sent, a direction";
    EXPECT_GT(interior, 0);
    EXPECT_EQ(written_sites(place, out), static_cast<long long>(place.part.local.volume()));
  });
}

/// Messages that come 200 us late cost a hop next to nothing where its interior takes longer than that: the delay is
/// over when the interior is done. What is counted is the time that the hop stands and waits for what was held back,
/// which no load on the machine makes longer.
TEST(Halo, LateMessagesAreHiddenBehindTheInterior)
{
  support::on_targets([] {
    if (support::ranks() != 2) return;
    const support::Grid grid {1, 1, 1, 2};
    const reference::Lattice global = global_lattice(grid, {8, 8, 8, 8});
    const auto comm = std::make_shared<support::DelayingCommunicator>(make_communicator(grid.data()));
    const support::Place place(global, comm);
    const GaugeField links = support::native_links(place, reference::random_gauge(global, 11), {});
    const Form form {Precision::double_, 24, 12, -1};
    const ColorSpinorField in = field_of(place, form);
    ColorSpinorField out = field_of(place, form);
    set_stamps(place, in, form);
    double shortest[2] = {1e9, 1e9}, held = 1e9;
    for (int turn = 0; turn < 6; turn++)
      for (const int late : {0, 1}) {
        comm->delay = 200e-6 * late;
        comm->held = 0;
        const int waits = comm->waits;
        comm->barrier();
        const auto start = std::chrono::steady_clock::now();
        wilson_hop(out, in, links, false);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        shortest[late] = std::min(shortest[late], took.count());
        if (!late) continue;
        EXPECT_EQ(comm->waits - waits, 4) << "two received, two sent";
        held = std::min(held, comm->held);
      }
    std::printf("  hop %.0f us, with messages 200 us late %.0f us, of which %.1f us waiting for them\n",
                1e6 * shortest[0], 1e6 * shortest[1], 1e6 * held);
    EXPECT_LT(held, 0.1 * 2 * 200e-6) << "a tenth of delay times messages";
  });
}

/// Both lists together are all registers; those of the interior reach `depth` sites without leaving the rank.
TEST(Halo, ListsOfTheBoundary)
{
  everywhere([](const support::Grid &grid) {
    const reference::Lattice global = global_lattice(grid, {8, 4, 4, 8});
    const support::Place place(global, make_communicator(grid.data()));
    const LatticeView view = place.lattice->view(target().width(Precision::single));
    for (const int depth : {1, 3}) {
      const BoundarySites &sites = boundary_sites(*place.lattice, view.width, depth);
      const unsigned all = view.volume_cb * view.parts;
      ASSERT_EQ(sites.interior_count + sites.boundary_count, all);
      std::vector<unsigned> lists(2 * all);
      const unsigned n = sites.interior_count;
      target().copy(lists.data(), sites.interior, 2 * n * sizeof(unsigned));
      target().copy(lists.data() + 2 * n, sites.boundary, 2 * (all - n) * sizeof(unsigned));
      for (int parity = 0; parity < 2; parity++) {
        std::vector<int> seen(all);
        for (unsigned k = 0; k < all; k++) {
          const bool inside = k < n;
          const unsigned record = inside ? lists[parity * n + k] : lists[2 * n + parity * (all - n) + k - n];
          seen[record]++;
          int x[4];
          bool reaches = true;
          place.lattice->coordinates({parity, record / view.parts, 0}, x);
          for (int d = 0; d < 4; d++)
            reaches = reaches && (!view.cut[d] || (x[d] >= depth && x[d] + depth < view.O[d]));
          EXPECT_EQ(reaches, inside) << "record " << record << " depth " << depth;
        }
        for (unsigned k = 0; k < all; k++) EXPECT_EQ(seen[k], 1);
      }
    }
  });
}
