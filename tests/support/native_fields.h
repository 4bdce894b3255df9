#pragma once
/// Native fields of the library from fields of the plain reference, and back: one rank's part of a global lattice.

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "fields/site_field.h"
#include "reference/field.h"
#include "targets/target.h"

namespace support
{

/// A rank's lattice and its part of the reference's global one.
struct Place {
  Place(const reference::Lattice &global, std::shared_ptr<quda::Communicator> comm, int lanes = 0)
      : part(global, coords(*comm, true), coords(*comm, false))
      , global(global)
  {
    lattice = quda::Lattice::create(part.local.X.data(), std::move(comm), lanes);
  }

  static reference::Coords coords(const quda::Communicator &comm, bool extents)
  {
    reference::Coords c;
    for (int d = 0; d < 4; d++) c[d] = extents ? comm.extent(d) : comm.coordinate(d);
    return c;
  }

  std::shared_ptr<const quda::Lattice> lattice;
  reference::Part part;
  reference::Lattice global;
};

struct LinkForm {
  quda::Precision precision = quda::Precision::double_;
  quda::Reconstruct reconstruct = quda::Reconstruct::none;
  double anisotropy = 1;
  int t_boundary = 1;
  quda::LinkType type = quda::LinkType::su3;
};

inline quda::GaugeField native_links(const Place &place, const reference::GaugeField &gauge, const LinkForm &form)
{
  auto host = reference::to_qdp<double>(gauge, place.part);
  quda::GaugeFieldParam param;
  param.lattice = place.lattice;
  param.precision = form.precision;
  param.reconstruct = form.reconstruct;
  param.anisotropy = form.anisotropy;
  param.t_boundary = static_cast<quda::TBoundary>(form.t_boundary);
  param.link_type = form.type;
  quda::GaugeField links(param);

  param.precision = quda::Precision::double_;
  param.reconstruct = quda::Reconstruct::none;
  param.order = quda::GaugeOrder::qdp;
  param.location = quda::Location::host;
  param.create = quda::Create::reference;
  for (int mu = 0; mu < 4; mu++) param.data[mu] = host[mu].data();
  const quda::GaugeField foreign(param);
  links = foreign;
  return links;
}

inline quda::ColorSpinorField native_spinors(const Place &place, quda::Precision precision, int parity, int inner = 1)
{
  quda::ColorSpinorParam param;
  param.lattice = place.lattice;
  param.precision = precision;
  param.rhs = inner;
  param.subset = parity < 0 ? quda::SiteSubset::full : quda::SiteSubset::parity;
  param.parity = parity < 0 ? 0 : parity;
  return quda::ColorSpinorField(param);
}

inline void describe_host(quda::ColorSpinorParam &param) { param.order = quda::DiracOrder::dirac; }
inline void describe_host(quda::SiteFieldParam &param) { param.native = false; }
inline void describe_host(quda::CloverParam &param) { param.native = false; }

/// A field like a native one over a host's numbers: double precision, spinors in QUDA_DIRAC_ORDER and the
/// DeGrand-Rossi basis, inner entries one after the other within a parity.
template <class F> F host_field(const F &like, double *data)
{
  auto param = like.param();
  describe_host(param);
  param.precision = quda::Precision::double_;
  param.location = quda::Location::host;
  param.create = quda::Create::reference;
  param.data = data;
  return F(param);
}

/// The numbers of a native field.
template <class F> std::vector<double> host_array(const F &field)
{
  std::vector<double> host(field.sites() * field.inner() * field.reals());
  host_field(field, host.data()) = field;
  return host;
}

/// Fills a native field from such numbers.
template <class F> void set_from_host(F &field, std::vector<double> host) { field = host_field(field, host.data()); }

inline quda::CloverField native_clover(const Place &place, quda::Precision precision)
{
  quda::CloverParam param;
  param.lattice = place.lattice;
  param.precision = precision;
  return quda::CloverField(param);
}

inline void set_from(quda::ColorSpinorField &field, const Place &place, const reference::Spinors &psi)
{
  const int parity = field.parities() == 2 ? -1 : field.parity();
  set_from_host(field, reference::to_host<double>(psi, place.global, place.part, parity));
}

/// Runs body on every CPU target of this machine and on fibers, the target's name in every failure. The usual target is
/// left: fibers, the last of them, are slow.
template <class Body> void on_targets(const Body &body)
{
  for (const quda::Target kind : quda::usable_targets()) {
    const std::string name = quda::target_name(kind);
    const char *wish = kind == quda::Target::cpu_avx2     ? "cpu:avx2"
                       : kind == quda::Target::cpu_avx512 ? "cpu:avx512"
                                                          : name.c_str();
    quda::choose_target(wish);
    SCOPED_TRACE(name);
    body();
  }
  quda::device_pool().flush();
  quda::pinned_pool().flush();
  quda::choose_target();
}

} // namespace support
