#include "programs/common/host_gauge.h"

#include <algorithm>
#include <stdexcept>

#include "gauge_file.h"
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
    links_ = quda_files::read_gauge(file_, options_.dim.data(), options_.grid.data(), coord.data(), process.combine());
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
      const double factor = reference::link_factor(global_, x, mu, options_.anisotropy, options_.t_boundary);
      for (int k = 0; k < 18; k++) u[k] *= factor;
    }
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
  return param;
}

void HostGauge::load()
{
  QudaGaugeParam described = param();
  void *pointers[4];
  for (int mu = 0; mu < 4; mu++) pointers[mu] = links_[mu].data();
  loadGaugeQuda(pointers, &described);
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
  reference::QdpLinks<double> host = resident(type);
  const double *pointers[4];
  for (int mu = 0; mu < 4; mu++) {
    pointers[mu] = host[mu].data();
    for (std::size_t slot = 0; slot < part_.local.volume(); slot++) {
      const Coords x = part_.global_coords(slot);
      const double factor = reference::link_factor(global_, x, mu, options_.anisotropy, options_.t_boundary);
      for (int k = 0; k < 18; k++) host[mu][18 * slot + k] /= factor;
    }
  }
  const quda_files::WriteOptions form = written_form(options_);
  const auto coord = coord_of(process.rank(), options_.grid, options_.rank_order);
  quda_files::write_gauge(options_.save_gauge, form, part_.local.X.data(), options_.grid.data(), coord.data(), pointers,
                          process.combine());
  say(process, "links written to %s, format %s, %s precision\n", options_.save_gauge.c_str(),
      quda_files::name(form.format), form.precision == 4 ? "single" : "double");
}

reference::GaugeField HostGauge::reference_field() const
{
  reference::GaugeField gauge(global_);
  if (!options_.load_gauge.empty()) {
    try {
      gauge = reference::from_qdp(global_, quda_files::read_gauge(file_));
    } catch (const quda_files::FileError &error) {
      throw std::runtime_error(error.what()); // of this rank alone: the others have to be told
    }
  } else if (!options_.unit_gauge)
    gauge = reference::random_gauge(global_, options_.seed);
  reference::set_up_links(gauge, options_.anisotropy, options_.t_boundary);
  if (options_.prec == QUDA_SINGLE_PRECISION) gauge = reference::rounded_to_single(gauge);
  if (options_.recon == QUDA_RECONSTRUCT_12)
    gauge = reference::reconstructed_12(gauge, options_.anisotropy, options_.t_boundary);
  return gauge;
}

} // namespace program
