/// The gauge field of a program: read from a file, or made from the seed, prepared as a host code prepares it, handed
/// to the library; and the whole lattice once more for the plain reference.
#pragma once

#include <array>

#include "programs/common/options.h"
#include "programs/common/process.h"
#include "reference/field.h"

namespace program
{

class HostGauge
{
public:
  /// Fills options.dim from the file's lattice or the default where it was not given. Collective.
  HostGauge(const Process &process, Options &options);

  /// The parameters that describe the links to the library.
  QudaGaugeParam param() const;

  /// loadGaugeQuda: the links, of improved staggered operators as fat links with long ones beside them. Collective.
  void load();

  /// The links of this process as they are in the library, of this type. Collective.
  reference::QdpLinks<double> resident(QudaLinkType type = QUDA_WILSON_LINKS) const;

  /// Writes them to the file of --save-gauge, where it was given, without what anisotropy and boundary condition did to
  /// them. Collective.
  void save(const Process &process, QudaLinkType type = QUDA_WILSON_LINKS) const;
  /// The same to a file of this name.
  void write(const Process &process, const std::string &file, QudaLinkType type = QUDA_WILSON_LINKS) const;

  /// The links of the whole lattice with what --prec and --recon do to them. Memory: 576 bytes a global site on every
  /// rank.
  reference::GaugeField reference_field() const;

  /// Products of three links and their coefficient, of links of the whole lattice.
  reference::GaugeField long_links(const reference::GaugeField &links) const;

  /// Of the quark fields of --dslash-type.
  std::size_t spins() const { return program::spins(options_); }
  std::size_t flavours() const { return program::flavours(options_); }
  bool five_dimensions() const { return options_.dslash_type == QUDA_DOMAIN_WALL_DSLASH; }
  const reference::Lattice &global() const { return global_; }
  const reference::Part &part() const { return part_; }
  const char *source() const { return source_.c_str(); }

private:
  /// What links are multiplied by: anisotropy, boundary condition, of staggered operators MILC's phases.
  double factor(const reference::Coords &x, int mu) const;
  void load(reference::QdpLinks<double> &links, QudaLinkType type) const;

  quda_files::GaugeFile file_; // before options_, whose making fills it
  const Options options_;
  std::string source_;
  reference::Lattice global_;
  reference::Part part_;
  reference::QdpLinks<double> links_;
};

} // namespace program
