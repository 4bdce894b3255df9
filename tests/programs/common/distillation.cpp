#include "programs/common/distillation.h"

#include <algorithm>
#include <cstdio>

#include <quda_ext.h>

#include "programs/common/eigen_wish.h"
#include "programs/common/quarks.h"

namespace program
{

namespace
{

  std::vector<void *> pointers_to(ColorShares &fields)
  {
    std::vector<void *> all;
    for (std::vector<double> &field : fields) all.push_back(field.data());
    return all;
  }
  std::vector<void *> pointers_to(const ColorShares &fields) { return pointers_to(const_cast<ColorShares &>(fields)); }

  void smear(const DistillationWish &wish)
  {
    QudaGaugeSmearParam param = newQudaGaugeSmearParam();
    param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
    param.n_steps = param.meas_interval = static_cast<unsigned>(wish.smear_steps);
    param.rho = wish.rho;
    param.dir_ignore = 3;
    QudaGaugeObservableParam measured[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
    performGaugeSmearQuda(&param, measured);
  }

  /// `n` pairs of each slice from one end of the spectrum, (t, pair) real parts.
  std::vector<double> find_modes(const HostGauge &gauge, const Options &options, const DistillationWish &wish,
                                 QudaEigSpectrumType spectrum, int n, int space, void **vectors)
  {
    QudaInvertParam laplace = invert_param(options);
    laplace.dslash_type = QUDA_LAPLACE_DSLASH;
    laplace.laplace3D = 3;
    laplace.kappa = 1.0 / 6;
    laplace.dagger = QUDA_DAG_NO;
    EigenWish eigen;
    eigen.type = QUDA_EIG_TR_LANCZOS_3D;
    eigen.spectrum = spectrum;
    eigen.n_conv = eigen.n_ev = n;
    eigen.n_kr = space;
    eigen.tol = wish.tol;
    eigen.restarts = wish.restarts;
    eigen.norm_op = eigen.pc = false;
    QudaEigParam param = eigen_param(eigen, laplace);
    param.use_smeared_gauge = wish.smear_steps > 0 ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
    param.ortho_dim = 3;
    param.ortho_dim_size_local = gauge.part().local.X[3];
    std::vector<std::complex<double>> values(static_cast<std::size_t>(gauge.global().X[3] * n));
    eigensolveQuda(vectors, reinterpret_cast<double _Complex *>(values.data()), &param);
    std::vector<double> real;
    for (const std::complex<double> &value : values) real.push_back(6 * value.real()); // of 6 - sum over neighbours
    return real;
  }

} // namespace

LaplaceModes laplace_modes(const HostGauge &gauge, const Options &options, const DistillationWish &wish)
{
  const int T = gauge.global().X[3], n = wish.vectors, all = 3 * static_cast<int>(gauge.global().volume()) / T;
  if (n > all)
    throw UsageError("--eig-n-conv " + std::to_string(n) + ": a time slice has " + std::to_string(all) + " vectors");
  if (wish.smear_steps > 0) smear(wish);
  LaplaceModes modes;
  modes.vectors.assign(static_cast<std::size_t>(n), std::vector<double>(6 * gauge.part().local.volume()));
  std::vector<void *> pointers = pointers_to(modes.vectors);
  // a Krylov space has no room for all, nor for nearly all
  const bool both_ends = 2 * n > all;
  const int low = both_ends ? (n + 1) / 2 : n, high = n - low;
  const auto space = [&](int wanted) {
    const int chosen = wish.space > 0 ? wish.space : std::max(2 * wanted, wanted + 24);
    return std::min(chosen, all - 1);
  };
  const std::vector<double> lowest =
      find_modes(gauge, options, wish, QUDA_SPECTRUM_SR_EIG, low, space(low), pointers.data());
  std::vector<double> highest;
  if (high > 0)
    highest = find_modes(gauge, options, wish, QUDA_SPECTRUM_LR_EIG, high, space(high), pointers.data() + low);
  for (int t = 0; t < T; t++) {
    modes.values.insert(modes.values.end(), lowest.begin() + t * low, lowest.begin() + (t + 1) * low);
    modes.values.insert(modes.values.end(), highest.begin() + t * high, highest.begin() + (t + 1) * high);
  }
  return modes;
}

std::string modes_text(const DistillationWish &wish)
{
  char text[160];
  std::snprintf(
      text, sizeof(text),
      "%d low modes of Laplace's operator on each time slice, links with %d steps of stout smearing in space, "
      "rho %.10g",
      wish.vectors, wish.smear_steps, wish.rho);
  return text;
}

std::array<std::uint32_t, 2> checksums(const Process &process, const HostGauge &gauge, const ColorShares &vectors)
{
  std::array<std::uint32_t, 2> sums = {};
  std::vector<double> site;
  for (std::size_t slot = 0; slot < gauge.part().local.volume(); slot++) {
    site.clear();
    for (const std::vector<double> &v : vectors) site.insert(site.end(), &v[6 * slot], &v[6 * slot] + 6);
    quda_files::add_site(sums, gauge.global().lexicographic(gauge.part().global_coords(slot)), site);
  }
  std::uint64_t words[2] = {sums[0], sums[1]};
  const auto combine = process.combine();
  if (combine.exclusive_or) combine.exclusive_or(words, 2);
  return {static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[1])};
}

namespace
{

  /// Vector i on slice t0, of one spin.
  std::vector<double> source(const HostGauge &gauge, const std::vector<double> &vector, int t0, std::size_t spin)
  {
    std::vector<double> psi(24 * gauge.part().local.volume(), 0);
    for (std::size_t slot = 0; slot < gauge.part().local.volume(); slot++)
      if (gauge.part().global_coords(slot)[3] == t0) std::copy_n(&vector[6 * slot], 6, &psi[24 * slot + 6 * spin]);
    return psi;
  }

} // namespace

Perambulated perambulators(const Process &process, const HostGauge &gauge, const Options &options,
                           const DistillationWish &wish, const ColorShares &vectors, const QudaInvertParam &param)
{
  const int T = gauge.global().X[3], n = static_cast<int>(vectors.size());
  Perambulated found;
  quda_files::Perambulators &all = found.all;
  std::copy_n(gauge.global().X.begin(), 4, all.lattice.begin());
  all.boundary = options.t_boundary == QUDA_ANTI_PERIODIC_T ? "antiperiodic in t" : "periodic in t";
  all.matrix = std::string(name(options.dslash_type)) + ", " + operator_text(options) + ", links: " + gauge.source();
  all.vectors = modes_text(wish);
  all.vector_sums = checksums(process, gauge, vectors);
  all.n_vectors = n;
  for (int i = 0; i < wish.sources; i++) all.sources.push_back((wish.first_source + i * T / wish.sources) % T);
  all.numbers.resize(all.columns() * all.of_source());
  const int columns = 4 * n, tile = std::min(columns, options.nsrc_tile > 0 ? options.nsrc_tile : QUDA_MAX_MULTI_SRC);
  std::vector<void *> v = pointers_to(vectors);
  for (std::size_t k = 0; k < all.sources.size(); k++)
    for (int first = 0; first < columns; first += tile) {
      const int count = std::min(tile, columns - first);
      ColorShares b, x;
      for (int j = first; j < first + count; j++) {
        b.push_back(source(gauge, vectors[static_cast<std::size_t>(j / 4)], all.sources[k], j % 4));
        x.emplace_back(b.back().size());
      }
      std::vector<void *> b_pointers = pointers_to(b), x_pointers = pointers_to(x);
      QudaInvertParam solve = param;
      solve.num_src = solve.num_src_per_sub_partition = count;
      invertMultiSrcQuda(x_pointers.data(), b_pointers.data(), &solve);
      found.solve_seconds += solve.secs;
      found.iterations += solve.iter;
      found.converged = found.converged && solve.iter < solve.maxiter;
      all.residual = std::max(all.residual, *std::max_element(solve.true_res, solve.true_res + count));
      QudaInvertParam project = param;
      laphSinkProject(reinterpret_cast<double _Complex *>(
                          &all.numbers[(k * static_cast<std::size_t>(columns) + static_cast<std::size_t>(first)) *
                                       all.of_source()]),
                      x_pointers.data(), count, count, v.data(), n, n, &project, gauge.part().local.X.data());
      found.project_seconds += project.secs;
    }
  return found;
}

std::vector<std::complex<double>> elementals(const HostGauge &gauge, const Options &options,
                                             const DistillationWish &wish, const ColorShares &vectors,
                                             const std::vector<std::vector<int>> &paths,
                                             const std::vector<std::array<int, 3>> &modes)
{
  const auto n = static_cast<int>(vectors.size());
  std::vector<const int *> steps;
  std::vector<int> lengths;
  for (const std::vector<int> &path : paths) {
    steps.push_back(path.data());
    lengths.push_back(static_cast<int>(path.size()));
  }
  std::vector<std::complex<double>> all(paths.size() * modes.size() * static_cast<std::size_t>(gauge.global().X[3]) *
                                        vectors.size() * vectors.size());
  std::vector<void *> v = pointers_to(vectors);
  QudaInvertParam param = invert_param(options);
  laphElementalsQuda(reinterpret_cast<double _Complex *>(all.data()), v.data(), n, n, steps.data(), lengths.data(),
                     static_cast<int>(paths.size()), modes[0].data(), static_cast<int>(modes.size()),
                     wish.smear_steps > 0 ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE, &param,
                     gauge.part().local.X.data());
  return all;
}

} // namespace program
