#!/usr/bin/env python3
"""new_kernel.py [--root DIR] TOPIC NAME: writes the files of a new site-wise kernel, in the places where the build
finds them, and says what to do next.

    utils/new_kernel.py gauge straight_links

TOPIC is a folder of lib/kernels/, old or new; NAME the kernel's stem, in snake_case. What is written is a whole kernel
that builds and passes its tests as it is: the lattice mean of Re tr U_mu(x) U_mu(x + mu) / 3. Put your own formula into
the kernel and the reference; lib/kernels/README.md explains every file."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

# path -> text; @topic@, @name@ (snake_case) and @Name@ (CamelCase) are filled in
FILES = {}

FILES["lib/kernels/@topic@/@name@.launch.cpp"] = """/// @Name@.
///   S(x) = sum_mu Re tr[ U_mu(x) U_mu(x + mu) ]
/// Sums over the rank's sites, exact; no normalisation.
/// Links     : (mu 4, parity 2, x_cb, row 3, col 3) complex, as stored.
/// Halo      : border of depth 1 or more in cut directions, current. Collective: no.
/// Flops     : 143 a site. Bytes: all links once.

#include "device/array.h"
#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/@topic@/@name@_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct @Name@Arg : BorderArg {
  using real = Real<S>;
  Gauge<S, recon> U;
  int prefetch; // registers ahead

  @Name@Arg(const @Name@Call &c, const TuneParam &tp)
      : BorderArg(c.links.field.lattice, 2)
      , U(c.links)
      , prefetch(tp.prefetch)
  {
  }
};

template <class Arg> struct @Name@ : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  /// Re tr[ U_mu(x) U_mu(x + mu) ]
  QUDA_DEVICE real term(const Coord &x, int mu) const
  {
    const auto u = arg.U.matrix(arg.index.here(x), mu);
    const auto next = arg.U.matrix(arg.index.neighbour(x, mu, +1), mu);
    return re_trace_adjoint(u, adjoint(next));
  }

  QUDA_DEVICE array<real, 1> operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    if (arg.prefetch)
      for (int mu = 0; mu < 4; mu++) arg.U.storage.prefetch(arg.index.here(x), mu, arg.prefetch);
    array<real, 1> sum;
    sum[0] = term(x, 0);
    for (int mu = 1; mu < 4; mu++) sum[0] = sum[0] + term(x, mu);
    return sum;
  }
};

QUDA_INSTANCES(@name@, @Name@Call, Sum2D<@Name@, @Name@Arg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
"""

FILES["lib/kernels/@topic@/@name@_call.h"] = """#pragma once
/// What the host side hands to the kernel of @name@.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

struct @Name@Call {
  GaugeView links;  // border 1 or more deep in cut directions, current
  ExactLimbs *sums; // [1], added to
};

} // namespace quda
"""

FILES["lib/ops/@topic@/@name@.h"] = """#pragma once
/// @Name@ of a gauge field.

#include "fields/gauge_field.h"

namespace quda
{

/// (1 / 12 V) sum over sites and directions of Re tr[ U_mu(x) U_mu(x + mu) ] over the global lattice: 1 for unit links,
/// an exactly rounded sum, the same on all ranks and for any rank grid. links: native, border of depth 1 or more in cut
/// directions, current. Collective over its communicator.
double @name@(const GaugeField &links);

} // namespace quda
"""

FILES["lib/ops/@topic@/@name@.cpp"] = """#include "ops/@topic@/@name@.h"

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/@topic@/@name@_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(@Name@Call, @name@)

double @name@(const GaugeField &links)
{
  check_border("@name@", links, 1);
  const Lattice &lattice = links.lattice();
  ExactLimbs sum;
  launch({.name = "@Name@",
          .lattice = lattice,
          .extent = {registers(links), 2},
          .aux = links_text(links),
          .flops = 143 * lattice.volume(),
          .bytes = link_bytes(links),
          .prefetch = true,
          .sums = {&sum, 1}},
         instance(@name@_kernels(), "@name@", links), {links.view(), &sum});
  sum_limbs(lattice.communicator(), &sum, 1);
  return exact_value(sum) / (12.0 * static_cast<double>(lattice.global_volume()));
}

} // namespace quda
"""

FILES["tests/reference/@topic@/@name@.h"] = """/// Mean of Re tr[ U_mu(x) U_mu(x + mu) ] / 3 over sites and directions.
#pragma once

#include "reference/field.h"

namespace reference
{

inline double @name@(const GaugeField &gauge)
{
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++) {
    const Coords x = gauge.lattice.coords(slot);
    for (int mu = 0; mu < 4; mu++)
      sum += (gauge.at(mu, x) * gauge.at(mu, gauge.lattice.shifted(x, mu, 1))).trace().real();
  }
  return sum / (12.0 * static_cast<double>(gauge.lattice.volume()));
}

} // namespace reference
"""

FILES["tests/@topic@/@name@_test.cpp"] = """/// @Name@ against the plain reference,
/// on every CPU target and on fibers in place of a GPU.

#include <gtest/gtest.h>

#include "ops/@topic@/@name@.h"
#include "reference/@topic@/@name@.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;

TEST(@Name@, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}})
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          const reference::Lattice lattice(shape);
          const support::Place place(lattice, make_single_communicator());
          reference::GaugeField gauge = reference::random_gauge(lattice, 7);
          if (precision == Precision::single) gauge = reference::rounded_to_single(gauge);
          const GaugeField links = support::native_links(place, gauge, {precision, reconstruct});
          const double expected = reference::@name@(
              reconstruct == Reconstruct::r12 ? reference::reconstructed_12(gauge, 1, 1) : gauge);
          EXPECT_NEAR(@name@(links), expected, precision == Precision::double_ ? 1e-13 : 5e-7);
        }
  });
}

TEST(@Name@, OfUnitLinksIsOne)
{
  support::on_targets([] {
    const reference::Lattice lattice({6, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    for (const Precision precision : {Precision::double_, Precision::single})
      EXPECT_EQ(@name@(support::native_links(place, reference::GaugeField(lattice), {precision})), 1.0);
  });
}
"""

FILES["tests/@topic@/@name@_mpi_test.cpp"] = """/// @Name@ on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "ops/@topic@/@name@.h"
#include "ops/halo/gauge_border.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;

TEST(@Name@OnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  support::on_targets([&] {
    const reference::Lattice global({4, 8, 12, 16});
    const reference::GaugeField gauge = reference::random_gauge(global, 11);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const double alone =
          @name@(support::native_links(support::Place(global, make_single_communicator()), gauge, {precision}));
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
        const GaugeField links = support::native_links(support::Place(global, comm), gauge, {precision});
        EXPECT_EQ(@name@(extended(links, 2)), alone);
      });
    }
  });
}
"""

FILES["tests/bench/@name@_kernel.cpp"] = """/// @name@ of a whole gauge field, an exactly rounded sum.
/// 143 flops a site; each link once.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/@topic@/@name@.h"
#include "reference/@topic@/@name@.h"

namespace quda::bench
{

namespace
{

  class @Name@ : public Kernel
  {
  public:
    explicit @Name@(const Setting &setting)
        : links_(setting.host->native_links(setting.precision, setting.reconstruct))
    {
    }
    void run() override { mean_ = quda::@name@(links_); }
    static Work work(const Setting &s) { return {.flops = 143 * s.sites(), .read = s.links()}; }
    Checksum checksum() override
    {
      run();
      return checksum_of(mean_);
    }

  private:
    GaugeField links_;
    double mean_ = 0;
  };

  const Registered @name@_entry({.name = "@name@",
                                 .needs = Needs::links,
                                 .tables = {"@name@"},
                                 .features = "stencil, exact sums, requests ahead",
                                 .work = @Name@::work,
                                 .make = made<@Name@>,
                                 .reference =
                                     plain([](HostData &host) { return reference::@name@(host.links()); })});

} // namespace

} // namespace quda::bench
"""


KEYWORDS = """
alignas alignof and asm auto bool break case catch char class compl concept const constexpr continue decltype default
delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new
noexcept not nullptr operator or private protected public register requires return short signed sizeof static struct
switch template this throw true try typedef typeid typename union unsigned using virtual void volatile while xor
""".split()


def refuse(text):
    sys.exit(f"new_kernel.py: {text}")


def write(root, topic, name):
    """Writes all files or none."""
    for what, value in (("TOPIC", topic), ("NAME", name)):
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", value):
            refuse(f"{what} = {value}; allowed: snake_case, as in straight_links")
    if name in KEYWORDS:
        refuse(f"NAME = {name} is a word of C++")
    if not (root / "lib/README.md").is_file():
        refuse(f"{root} is not the library's folder")
    words = {"topic": topic, "name": name, "Name": "".join(part.capitalize() for part in name.split("_"))}

    def filled(text):
        return re.sub(r"@(topic|name|Name)@", lambda found: words[found.group(1)], text)

    texts = {root / filled(path): filled(text) for path, text in FILES.items()}
    for path in texts:
        if path.exists():
            refuse(f"{path} exists; choose another NAME")
    taken = re.compile(rf"\b(struct|class) {words['Name']}(Arg|Call|Table|Sum)?\b")
    for path in (root / "lib").rglob("*"):
        found = path.suffix in (".h", ".cpp") and taken.search(path.read_text(encoding="utf-8"))
        if found:
            refuse(f"{path} has {found[0]}; choose another NAME")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("topic", metavar="TOPIC")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent,
                        help="folder of the library's sources")
    options = parser.parse_args()
    topic, name = options.topic, options.name
    paths = write(options.root, topic, name)
    formatter = shutil.which("clang-format-14") or shutil.which("clang-format")
    if formatter:
        subprocess.run([formatter, "-i", *paths], check=True, cwd=options.root)
    for path in paths:
        print(path.relative_to(options.root))
    if not formatter:
        print("clang-format is absent: format these files before you hand them on")
    print(f"""
Build and try it (build/ is the build folder):
    cmake --build build --target {topic}_test {topic}_mpi_test quda_bench
    ctest --test-dir build -R '^{topic}(_mpi)?_test'
    build/bin/quda_bench --filter {name} --dim 8 8 8 8
Then put in your formula: the kernel and tests/reference/{topic}/{name}.h first.""")


if __name__ == "__main__":
    main()
