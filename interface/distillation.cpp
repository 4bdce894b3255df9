/// Distillation: quark fields projected on the low modes of the Laplace operator on each time slice.
///
///   laphSinkProject : the dense products of all eigenvectors with the spins of all quark fields, a slice at a time
///                     (ops/contract/slice_products.h). Spins stay as the host has them: gamma_basis is not read
///   laphElementalsQuda : products of all pairs of eigenvectors with plane waves and displacements between them, a slice
///                     at a time (ops/contract/elementals.h, ops/dirac/displacement.h)
/// The library holds tiles of eigenvectors and quark fields in cuda_prec. One list is read once, the other once for
/// each tile of the first, back and forth, so that it turns at a tile that is already there. For elementals the
/// displaced vectors are read once.

#include "quda.h"
#include "quda_ext.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/host_spinors.h"
#include "interface/params/param_table.h"
#include "interface/quark_job.h"
#include "interface/resident.h"
#include "ops/contract/elementals.h"
#include "ops/contract/slice_products.h"
#include "ops/dirac/displacement.h"

#include <algorithm>
#include <complex>
#include <optional>
#include <vector>

namespace quda
{

namespace
{

  constexpr int most_fields = 1 << 20, most_extent = 512, most_steps = 1 << 10;

  /// A list of host fields, and the number of fields in a tile.
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

  /// Arguments of a list.
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

  /// Checks parameters and extents common to both; returns the description of fields for further checks.
  QudaInvertParam check_param(Checks &checks, const QudaInvertParam *param, const int *X)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::cpu_prec, &P::cuda_prec, &P::dirac_order);
    check_host_spinors(function, *param, X, most_extent);
    check_built(function, "QudaInvertParam.cuda_prec", param->cuda_prec);
    checks.same("X", X, 4);
    QudaInvertParam described = *param;
    described.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS; // our own basis: nothing is rotated, whatever the basis is
    return described;
  }

  SinkProjectionJob prepare(Checks &checks, const void *sinks, const ListArguments &quarks,
                            const ListArguments &vectors, const QudaInvertParam *param, const int *X)
  {
    const char *function = checks.function;
    check_not_null(function, "host_sinks", sinks);
    check_list(checks, quarks);
    check_list(checks, vectors);
    check_struct(function, param);
    check_if_set(checks, *param, &QudaInvertParam::dslash_type); // there is no operator
    if (one_spin(param->dslash_type))
      fail(ErrorKind::bad_argument,
           text("%s: QudaInvertParam.dslash_type = %s, of fields with one spin; allowed: that of an operator on quark "
                "fields with four",
                function, value_text(param->dslash_type).c_str()));
    const QudaInvertParam described = check_param(checks, param, X);
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
    /// Loads tile i, unless it is there.
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

  // ---- elementals ----

  using Path = std::vector<DisplacementStep>;

  struct ElementalsJob {
    HostList vectors;
    Precision precision;
    const LinkSet *links = nullptr; // none without displacements
    LinkStorage storage {};
    std::vector<Path> paths {};
    std::vector<PlaneWave> waves {};
    Timer timer {};
  };

  /// Arguments that describe what stands between the vectors.
  struct Between {
    const int *const *path;
    const int *path_length;
    int n_path;
    const int *mom_modes;
    int n_mom;
    QudaBoolean smeared;
  };

  DisplacementStep step_of(const char *function, int path, int at, int step)
  {
    if (step >= QUDA_DISPLACEMENT_AHEAD_X && step <= QUDA_DISPLACEMENT_AHEAD_Z) return {StepKind::ahead, step};
    if (step >= QUDA_DISPLACEMENT_BEHIND_Z && step <= QUDA_DISPLACEMENT_BEHIND_X)
      return {StepKind::behind, QUDA_DISPLACEMENT_BEHIND_X - step};
    if (step >= QUDA_DISPLACEMENT_DERIVATIVE_X && step <= QUDA_DISPLACEMENT_DERIVATIVE_Z)
      return {StepKind::derivative, step - QUDA_DISPLACEMENT_DERIVATIVE_X};
    fail(ErrorKind::bad_argument,
         text("%s: path[%d][%d] = %d; allowed: 0 to 2 (ahead along x, y, z), 7 to 5 (behind), 8 to 10 (derivative)",
              function, path, at, step));
  }

  std::vector<Path> paths_of(Checks &checks, const Between &between)
  {
    const char *function = checks.function;
    check_range(function, "n_path", between.n_path, 1, most_fields);
    checks.same("n_path", between.n_path);
    check_not_null(function, "path_length", between.path_length);
    std::vector<Path> paths(static_cast<std::size_t>(between.n_path));
    for (int i = 0; i < between.n_path; i++) {
      const int length = between.path_length[i];
      check_range(function, text("path_length[%d]", i).c_str(), length, 0, most_steps);
      checks.same("path_length", length);
      if (length == 0) continue;
      check_not_null(function, "path", between.path);
      check_not_null(function, text("path[%d]", i).c_str(), between.path[i]);
      for (int k = 0; k < length; k++)
        paths[static_cast<std::size_t>(i)].push_back(step_of(function, i, k, between.path[i][k]));
      checks.same("path", between.path[i], length);
    }
    return paths;
  }

  /// The waves exp(-i p x).
  std::vector<PlaneWave> waves_of(Checks &checks, const Between &between, const Lattice &lattice)
  {
    check_range(checks.function, "n_mom", between.n_mom, 1, most_fields);
    checks.same("n_mom", between.n_mom);
    check_not_null(checks.function, "mom_modes", between.mom_modes);
    checks.same("mom_modes", between.mom_modes, 3 * between.n_mom);
    std::vector<PlaneWave> waves(static_cast<std::size_t>(between.n_mom));
    for (std::size_t i = 0; i < waves.size(); i++)
      for (std::size_t d = 0; d < 4; d++) {
        waves[i].mode[d] = d == 3 ? 0 : static_cast<int>(-(between.mom_modes[3 * i + d] % lattice.global_X()[d]));
        waves[i].kind[d] = Wave::exponential;
      }
    return waves;
  }

  /// Finds the links of the displacements.
  void find_links(Checks &checks, ElementalsJob &job, QudaInvertParam described, const int *X, QudaBoolean smeared)
  {
    const char *function = checks.function;
    check_argument(function, "use_smeared_gauge", smeared);
    checks.same("use_smeared_gauge", smeared);
    const ResidentLinks &resident = smeared ? checks.session.smeared : checks.session.wilson;
    if (smeared && !resident.loaded())
      fail(ErrorKind::bad_argument,
           text("%s: use_smeared_gauge = QUDA_BOOLEAN_TRUE, and no smeared links are resident; make them with "
                "performGaugeSmearQuda()",
                function));
    described.dslash_type = QUDA_LAPLACE_DSLASH; // one spin
    described.input_location = described.output_location = QUDA_CPU_FIELD_LOCATION;
    const QuarkJob of_links = link_job(checks, described, resident);
    const Lattice &lattice = of_links.links->precise().lattice();
    for (int d = 0; d < 4; d++)
      if (X[d] != lattice.X(d))
        fail(ErrorKind::bad_argument,
             text("%s: X[%d] = %d; allowed: that of the links of displacements, %d", function, d, X[d], lattice.X(d)));
    job.links = of_links.links;
    job.storage = of_links.storage;
  }

  ElementalsJob prepare(Checks &checks, const void *elementals, const ListArguments &vectors, const Between &between,
                        const QudaInvertParam *param, const int *X)
  {
    const char *function = checks.function;
    check_not_null(function, "host_elementals", elementals);
    check_list(checks, vectors);
    ElementalsJob job {{}, Precision::double_};
    job.paths = paths_of(checks, between);
    const QudaInvertParam described = check_param(checks, param, X);
    job.precision = static_cast<Precision>(param->cuda_prec);
    if (bytes_of(job.precision) < bytes_of(Precision::single))
      refuse(function, "QudaInvertParam.cuda_prec", param->cuda_prec, "QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION",
             ErrorKind::unsupported);
    if (std::any_of(job.paths.begin(), job.paths.end(), [](const Path &path) { return !path.empty(); }))
      find_links(checks, job, described, X, between.smeared);
    const auto lattice =
        job.links ? job.links->precise().shared_lattice() : Lattice::sliced(X, default_communicator(), 3);
    job.waves = waves_of(checks, between, *lattice);
    job.vectors = host_list(vectors, described, lattice, 1);
    return job;
  }

  void compute(ElementalsJob &job, std::complex<double> *all, QudaInvertParam &param)
  {
    job.timer.start();
    std::optional<TileOf> left, right;
    {
      const PhaseScope phase(Phase::init);
      left.emplace(job.vectors, job.precision);
      right.emplace(job.vectors, job.precision);
    }
    const Lattice &lattice = job.vectors.fields[0].lattice();
    const std::size_t n = job.vectors.fields.size(), slices = job.waves.size() * lattice.global_X()[3];
    const int tiles = job.vectors.tiles(), origin[4] = {};
    bool back = false;
    double flops = 0;
    for (int k = 0; k < tiles; k++) {
      right->load(k);
      const ColorSpinorField v = right->fields();
      ColorSpinorField displaced(v.param());
      for (std::size_t p = 0; p < job.paths.size(); p++) {
        {
          const PhaseScope phase(Phase::compute);
          displaced = v;
          if (job.links) displace(displaced, job.links->copy(job.storage), job.paths[p]);
          flops += v.rhs() * displacement_flops(v, job.paths[p]);
        }
        for (int i = 0; i < tiles; i++) {
          left->load(back ? tiles - 1 - i : i);
          const PhaseScope phase(Phase::compute);
          const ColorSpinorField u = left->fields();
          const std::vector<std::complex<double>> sums = elementals(u, displaced, job.waves, origin);
          const auto rows = static_cast<std::size_t>(u.rhs()), columns = static_cast<std::size_t>(v.rhs());
          for (std::size_t slice = 0; slice < slices; slice++)
            for (std::size_t row = 0; row < rows; row++)
              std::copy_n(&sums[(slice * rows + row) * columns], columns,
                          &all[((p * slices + slice) * n + left->first() + row) * n + right->first()]);
        }
        back = !back;
      }
    }
    flops += elementals_flops(lattice) * static_cast<double>(n * n * job.waves.size() * job.paths.size());
    report_work(lattice.communicator(), job.timer, param, flops);
  }

} // namespace

} // namespace quda

extern "C" void laphElementalsQuda(double _Complex *host_elementals, void **host_evec, int n_evec, int tile_evec,
                                   const int *const *path, const int *path_length, int n_path, const int *mom_modes,
                                   int n_mom, QudaBoolean use_smeared_gauge, QudaInvertParam *inv_param, const int X[4])
{
  quda::guard_collective(
      __func__,
      [&](quda::Checks &checks) {
        return quda::prepare(checks, host_elementals,
                             {"host_evec", "n_evec", "tile_evec", host_evec, n_evec, tile_evec},
                             {path, path_length, n_path, mom_modes, n_mom, use_smeared_gauge}, inv_param, X);
      },
      [&](quda::ElementalsJob &job) {
        quda::compute(job, reinterpret_cast<std::complex<double> *>(host_elementals), *inv_param);
      });
}

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
