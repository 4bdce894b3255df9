#include "programs/common/host_gauge.h"

#include <algorithm>
#include <stdexcept>

#include "files/gauge_file.h"
#include "reference/gauge/links.h"
#include "reference/random.h"

namespace program
{

using reference::Coords;
using reference::Lattice;
using reference::Part;

namespace
{
  // Extents of one process: given, or the file's share, or 8. Partly given extents are completed likewise.
  Options completed(const Process &process, Options &options, quda_files::GaugeFile &file)
  {
    check_grid(process, options);
    if (!options.load_gauge.empty()) file = quda_files::inspect(options.load_gauge, process.combine());
    for (int d = 0; d < 4; d++) {
      if (options.dim[d] != 0) continue;
      options.dim[d] = 8;
      if (options.load_gauge.empty()) continue;
      if (file.dims[d] % options.grid[d] != 0)
        throw UsageError(file.path + ": lattice extent " + std::to_string(file.dims[d]) + " in " + "xyzt"[d] +
                         " is not divisible by the process grid's " + std::to_string(options.grid[d]));
      options.dim[d] = file.dims[d] / options.grid[d];
    }
    return options;
  }

  Lattice global_lattice(const Options &options)
  {
    Coords X;
    for (int d = 0; d < 4; d++) {
      if (options.dim[d] % 2 != 0)
        throw UsageError(std::string("--dim: extent ") + std::to_string(options.dim[d]) + " in " + "xyzt"[d] +
                         " must be even");
      X[d] = options.dim[d] * options.grid[d];
    }
    return Lattice(X);
  }

  quda_files::WriteOptions written_form(const Options &options)
  {
    using quda_files::Format;
    quda_files::WriteOptions form;
    form.precision = options.prec == QUDA_DOUBLE_PRECISION ? 8 : 4;
    switch (options.save_format) {
    case SaveFormat::ildg:
      break;
    case SaveFormat::nersc_3x2:
      form.rows = 2;
      [[fallthrough]];
    case SaveFormat::nersc:
      form.format = Format::nersc;
      break;
    case SaveFormat::milc:
      form.format = Format::milc_v5;
      form.precision = 4;
      break;
    }
    return form;
  }

  reference::Link made_link(const Options &options, const Lattice &lattice, const Coords &x, int mu)
  {
    if (options.unit_gauge) return reference::Link::Identity();
    return reference::random_link(reference::Kind::su3, options.seed, lattice.lexicographic(x), mu);
  }
} // namespace

HostGauge::HostGauge(const Process &process, Options &options)
    : options_(completed(process, options, file_))
    , global_(global_lattice(options_))
    , part_(global_, options_.grid, coord_of(process.rank(), options_.grid, options_.rank_order))
{
  const auto coord = coord_of(process.rank(), options_.grid, options_.rank_order);
  if (!options_.load_gauge.empty()) {
    quda_files::WrongChecksum warn;
    if (options_.ignore_checksum) warn = [&](const std::string &text) { say(process, "WARNING: %s\n", text.c_str()); };
    links_ =
        quda_files::read_gauge(file_, options_.dim.data(), options_.grid.data(), coord.data(), process.combine(), warn);
    source_ = options_.load_gauge + " (" + quda_files::describe(file_) + ")";
  } else {
    source_ = options_.unit_gauge ? "unit links" : "random links, seed " + std::to_string(options_.seed);
    for (auto &links : links_) links.resize(18 * part_.local.volume());
  }

  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < part_.local.volume(); slot++) {
      const Coords x = part_.global_coords(slot);
      double *u = &links_[mu][18 * slot];
      if (options_.load_gauge.empty()) {
        const reference::Link link = made_link(options_, global_, x, mu);
        for (int k = 0; k < 9; k++) {
          u[2 * k] = link.data()[k].real();
          u[2 * k + 1] = link.data()[k].imag();
        }
      }
      const double by = factor(x, mu);
      for (int k = 0; k < 18; k++) u[k] *= by;
    }
}

double HostGauge::factor(const Coords &x, int mu) const
{
  const double given = reference::link_factor(global_, x, mu, options_.anisotropy, options_.t_boundary);
  const int sum[4] = {x[3], x[3] + x[0], x[3] + x[0] + x[1], 0};
  return staggered(options_) && sum[mu] % 2 ? -given : given;
}

QudaGaugeParam HostGauge::param() const
{
  QudaGaugeParam param = newQudaGaugeParam();
  int surface = 0;
  for (int d = 0; d < 4; d++) {
    param.X[d] = part_.local.X[d];
    surface = std::max(surface, static_cast<int>(part_.local.half() / static_cast<std::size_t>(part_.local.X[d])));
  }
  param.anisotropy = options_.anisotropy;
  param.tadpole_coeff = 1;
  param.type = QUDA_WILSON_LINKS;
  param.gauge_order = QUDA_QDP_GAUGE_ORDER;
  param.t_boundary = options_.t_boundary;
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec = options_.prec;
  param.reconstruct = options_.recon;
  param.cuda_prec_sloppy = options_.prec_sloppy == QUDA_INVALID_PRECISION ? options_.prec : options_.prec_sloppy;
  param.reconstruct_sloppy = options_.recon_sloppy == QUDA_RECONSTRUCT_INVALID ? options_.recon : options_.recon_sloppy;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.ga_pad = surface;
  if (staggered(options_)) {
    param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
    param.staggered_phase_applied = 1;
    param.tadpole_coeff = options_.tadpole;
    param.scale = -(1 + options_.naik_epsilon) / (24 * options_.tadpole * options_.tadpole);
  }
  return param;
}

void HostGauge::load()
{
  if (options_.dslash_type != QUDA_ASQTAD_DSLASH) return load(links_, QUDA_WILSON_LINKS);
  load(links_, QUDA_ASQTAD_FAT_LINKS);
  reference::QdpLinks<double> of_long = reference::to_qdp<double>(long_links(reference_field()), part_);
  load(of_long, QUDA_ASQTAD_LONG_LINKS);
}

void HostGauge::load(reference::QdpLinks<double> &links, QudaLinkType type) const
{
  QudaGaugeParam described = param();
  described.type = type;
  const auto stored = [&](QudaReconstructType reconstruct) {
    if (type == QUDA_WILSON_LINKS) return reconstruct;
    if (type == QUDA_ASQTAD_FAT_LINKS || reconstruct == QUDA_RECONSTRUCT_NO) return QUDA_RECONSTRUCT_NO;
    return reconstruct == QUDA_RECONSTRUCT_9 || reconstruct == QUDA_RECONSTRUCT_8 ? QUDA_RECONSTRUCT_9
                                                                                  : QUDA_RECONSTRUCT_13;
  };
  described.reconstruct = stored(described.reconstruct);
  described.reconstruct_sloppy = stored(described.reconstruct_sloppy);
  void *pointers[4];
  for (int mu = 0; mu < 4; mu++) pointers[mu] = links[mu].data();
  loadGaugeQuda(pointers, &described);
}

reference::GaugeField HostGauge::long_links(const reference::GaugeField &links) const
{
  const Lattice &lattice = links.lattice;
  const double coefficient = -(1 + options_.naik_epsilon) / (24 * options_.tadpole * options_.tadpole);
  reference::GaugeField products(lattice);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const Coords x = lattice.coords(slot);
      products.U[mu][slot] = coefficient * links.at(mu, x) * links.at(mu, lattice.shifted(x, mu, 1)) *
                             links.at(mu, lattice.shifted(x, mu, 2));
    }
  return products;
}

reference::QdpLinks<double> HostGauge::resident(QudaLinkType type) const
{
  reference::QdpLinks<double> host;
  void *pointers[4];
  for (int mu = 0; mu < 4; mu++) {
    host[mu].resize(18 * part_.local.volume());
    pointers[mu] = host[mu].data();
  }
  QudaGaugeParam described = param();
  described.type = type;
  saveGaugeQuda(pointers, &described);
  return host;
}

void HostGauge::save(const Process &process, QudaLinkType type) const
{
  if (options_.save_gauge.empty()) return;
  write(process, options_.save_gauge, type);
  const quda_files::WriteOptions form = written_form(options_);
  say(process, "links written to %s, format %s, %s precision\n", options_.save_gauge.c_str(),
      quda_files::name(form.format), form.precision == 4 ? "single" : "double");
}

void HostGauge::write(const Process &process, const std::string &file, QudaLinkType type) const
{
  reference::QdpLinks<double> host = resident(type);
  const double *pointers[4];
  for (int mu = 0; mu < 4; mu++) {
    pointers[mu] = host[mu].data();
    for (std::size_t slot = 0; slot < part_.local.volume(); slot++) {
      const Coords x = part_.global_coords(slot);
      const double by = factor(x, mu);
      for (int k = 0; k < 18; k++) host[mu][18 * slot + k] /= by;
    }
  }
  const auto coord = coord_of(process.rank(), options_.grid, options_.rank_order);
  quda_files::write_gauge(file, written_form(options_), part_.local.X.data(), options_.grid.data(), coord.data(),
                          pointers, process.combine());
}

reference::GaugeField HostGauge::reference_field() const
{
  reference::GaugeField gauge(global_);
  if (!options_.load_gauge.empty()) {
    try {
      quda_files::WrongChecksum told_already;
      if (options_.ignore_checksum) told_already = [](const std::string &) {};
      gauge = reference::from_qdp(global_, quda_files::read_gauge(file_, told_already));
    } catch (const quda_files::FileError &error) {
      throw std::runtime_error(error.what()); // of this rank alone: the others have to be told
    }
  } else if (!options_.unit_gauge)
    gauge = reference::random_gauge(global_, options_.seed);
  for (std::size_t slot = 0; slot < global_.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) gauge.U[mu][slot] *= factor(global_.coords(slot), mu);
  if (options_.prec == QUDA_SINGLE_PRECISION) gauge = reference::rounded_to_single(gauge);
  const bool by_two_rows = options_.recon == QUDA_RECONSTRUCT_12 || options_.recon == QUDA_RECONSTRUCT_8;
  if (by_two_rows && !staggered(options_)) // links with phases are stored whole
    gauge = reference::reconstructed_12(gauge, options_.anisotropy, options_.t_boundary);
  return gauge;
}

} // namespace program
