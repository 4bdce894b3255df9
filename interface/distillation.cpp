/// Distillation: quark fields projected on the low modes of Laplace's operator on each time slice.
///
///   laphSinkProject : the dense products of all eigenvectors with the spins of all quark fields, a slice at a time
///                     (ops/contract/slice_products.h). Spins stay as the host has them: gamma_basis is not read
/// Tiles of eigenvectors and of quark fields are what the library holds at a time, in cuda_prec. One list is gone
/// through once, the other once for each tile of the first, to and fro, so that it turns at a tile that is there.

#include "quda.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/host_spinors.h"
#include "interface/params/param_table.h"
#include "interface/quark_job.h"
#include "ops/contract/slice_products.h"

#include <algorithm>
#include <complex>
#include <optional>
#include <vector>

namespace quda
{

namespace
{

  constexpr int most_fields = 1 << 20, most_extent = 512;

  /// A list of the host's, and how many of it are worked on at a time.
  struct HostList {
    std::vector<ColorSpinorField> fields;
    int tile;

    int tiles() const { return (static_cast<int>(fields.size()) + tile - 1) / tile; }
    double bytes() const { return static_cast<double>(fields[0].bytes()) * static_cast<double>(fields.size()); }
  };

  struct SinkProjectionJob {
    HostList quarks, vectors;
    Precision precision;
    Timer timer;
  };

  /// The arguments of a list.
  struct ListArguments {
    const char *array, *number, *tile;
    void **data;
    int n, of_tile;
  };

  void check_list(Checks &checks, const ListArguments &list)
  {
    const char *function = checks.function;
    check_not_null(function, list.array, list.data);
    check_range(function, list.number, list.n, 1, most_fields);
    check_range(function, list.tile, list.of_tile, 1, std::numeric_limits<int>::max());
    checks.same(list.number, list.n);
    checks.same(list.tile, list.of_tile);
    for (int i = 0; i < list.n; i++) check_not_null(function, text("%s[%d]", list.array, i).c_str(), list.data[i]);
  }

  HostList host_list(const ListArguments &list, const QudaInvertParam &param, std::shared_ptr<const Lattice> lattice,
                     int spins)
  {
    HostList all {{}, std::min(list.of_tile, list.n)};
    for (int i = 0; i < list.n; i++) all.fields.push_back(host_spinors(param, lattice, spins, list.data[i]));
    return all;
  }

  SinkProjectionJob prepare(Checks &checks, const void *sinks, const ListArguments &quarks,
                            const ListArguments &vectors, const QudaInvertParam *param, const int *X)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check_not_null(function, "host_sinks", sinks);
    check_list(checks, quarks);
    check_list(checks, vectors);
    check_struct(function, param);
    check(checks, *param, &P::cpu_prec, &P::cuda_prec, &P::dirac_order);
    check_if_set(checks, *param, &P::dslash_type); // there is no operator
    if (one_spin(param->dslash_type))
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.dslash_type = %s, of fields with one spin; allowed: that of an operator on quark "
                "fields with four",
                function, value_text(param->dslash_type).c_str()));
    check_host_spinors(function, *param, X, most_extent);
    check_built(function, "QudaInvertParam.cuda_prec", param->cuda_prec);
    checks.same("X", X, 4);
    QudaInvertParam described = *param;
    described.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS; // the library's own, whatever it is: nothing is rotated
    const auto lattice = Lattice::sliced(X, default_communicator(), 3);
    return {host_list(quarks, described, lattice, 4),
            host_list(vectors, described, lattice, 1),
            static_cast<Precision>(param->cuda_prec),
            {}};
  }

  /// The library's copy of one tile of a list.
  class TileOf
  {
  public:
    TileOf(const HostList &list, Precision precision)
        : list_(list)
        , block_([&] {
          ColorSpinorParam param = native_block(list.fields, precision);
          param.rhs = list.tile;
          return param;
        }())
    {
    }

    int first() const { return held_ * list_.tile; }
    ColorSpinorField fields() const
    {
      return block_.columns(0, std::min(list_.tile, static_cast<int>(list_.fields.size()) - first()));
    }
    /// Tile i, unless it is there.
    void load(int i)
    {
      if (i == held_) return;
      held_ = i;
      const PhaseScope phase(Phase::h2d);
      ColorSpinorField to = fields();
      load_block(to, std::span(list_.fields).subspan(first(), to.rhs()));
    }

  private:
    const HostList &list_;
    ColorSpinorField block_;
    int held_ = -1;
  };

  void project(SinkProjectionJob &job, std::complex<double> *sinks, QudaInvertParam &param)
  {
    job.timer.start();
    std::optional<TileOf> quarks, vectors;
    {
      const PhaseScope phase(Phase::init);
      quarks.emplace(job.quarks, job.precision);
      vectors.emplace(job.vectors, job.precision);
    }
    const Lattice &lattice = job.quarks.fields[0].lattice();
    const std::size_t n_vectors = job.vectors.fields.size(), of_pair = 4 * lattice.global_X()[3];
    // the order that copies less
    const bool quarks_once = job.quarks.bytes() + job.quarks.tiles() * job.vectors.bytes() <=
                             job.vectors.bytes() + job.vectors.tiles() * job.quarks.bytes();
    TileOf &outer = quarks_once ? *quarks : *vectors, &inner = quarks_once ? *vectors : *quarks;
    const int n_outer = (quarks_once ? job.quarks : job.vectors).tiles(),
              n_inner = (quarks_once ? job.vectors : job.quarks).tiles();
    for (int i = 0; i < n_outer; i++)
      for (int k = 0; k < n_inner; k++) {
        outer.load(i);
        inner.load(i % 2 ? n_inner - 1 - k : k);
        const PhaseScope phase(Phase::compute);
        const ColorSpinorField psi = quarks->fields(), v = vectors->fields();
        const std::vector<std::complex<double>> sums = slice_products(v, psi);
        for (int q = 0; q < psi.rhs(); q++)
          std::copy_n(&sums[q * v.rhs() * of_pair], v.rhs() * of_pair,
                      &sinks[((quarks->first() + q) * n_vectors + vectors->first()) * of_pair]);
      }
    report_work(lattice.communicator(), job.timer, param,
                slice_products_flops(lattice) * static_cast<double>(n_vectors * job.quarks.fields.size()));
  }

} // namespace

} // namespace quda

extern "C" void laphSinkProject(double _Complex *host_sinks, void **host_quark, int n_quark, int tile_quark,
                                void **host_evec, int n_evec, int tile_evec, QudaInvertParam *inv_param, const int X[4])
{
  quda::guard_collective(
      __func__,
      [&](quda::Checks &checks) {
        return quda::prepare(checks, host_sinks,
                             {"host_quark", "n_quark", "tile_quark", host_quark, n_quark, tile_quark},
                             {"host_evec", "n_evec", "tile_evec", host_evec, n_evec, tile_evec}, inv_param, X);
      },
      [&](quda::SinkProjectionJob &job) {
        quda::project(job, reinterpret_cast<std::complex<double> *>(host_sinks), *inv_param);
      });
}
