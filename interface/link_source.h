#pragma once

/// Sources and destinations of links and momenta in a call, the host or the resident fields: the resident flags of
/// QudaGaugeParam.
///   use_resident_gauge, use_resident_mom   : the input is the resident field; the host's array is not read
///   make_resident_gauge                    : the result becomes the resident Wilson links, whose old set is freed
///   make_resident_mom                      : the result becomes the resident momentum; 0 frees the old one
///   return_result_gauge, return_result_mom : the result is written to the host's array
/// Errors     : bad_argument, with function, argument or member and value. Collective: no.

#include "quda.h"

#include "fields/gauge_field.h"
#include "interface/guard.h"
#include "interface/resident.h"

#include <memory>
#include <optional>

namespace quda
{

/// Input links: checked, not yet loaded.
struct LinkSource {
  const char *function;
  ResidentLinks &wilson;          // Session::wilson
  GaugeFieldParam field;          // of the library's field
  std::optional<GaugeField> host; // absent: the resident Wilson links

  const std::shared_ptr<const Lattice> &lattice() const { return field.lattice; }
  /// Loads links from the host into a field of the library, whole if the requested storage cannot hold them; their type
  /// is that of Wilson links, whatever the host calls them. Collective.
  std::unique_ptr<GaugeField> load() const;
};

/// Writes links into the requested storage. If that cannot hold them, returns false with a warning on the loss and its
/// place; `to` is then undefined, and the links should stay whole. Collective.
bool store_links(const char *function, GaugeField &to, const GaugeField &whole);

/// precision: of the library's field, from the member `member` of param; the resident field must have it. name: of the
/// argument `arrays`.
LinkSource link_source(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param,
                       QudaPrecision precision, const char *member);

/// Input and output momenta.
struct MomentumSource {
  const char *function;
  std::unique_ptr<GaugeField> &there; // Session::momentum
  GaugeFieldParam field;
  std::optional<GaugeField> host; // if momenta are read from it or written to it
  bool resident;                  // whether the input is the resident momentum
  bool read;                      // whether the input is the host's
  bool returned, kept;
  std::unique_ptr<GaugeField> own; // made by open()

  /// The input: resident, loaded, or, if neither is requested, a field with undefined numbers.
  GaugeField &open();
  /// Writes host array and resident momentum as the flags say; the latter is the field of open(), or freed.
  void close();
};

/// read: the call needs old momenta. returned: it makes new ones, so that return_result_mom counts.
MomentumSource momentum_source(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param,
                               QudaPrecision precision, const char *member, bool read, bool returned);

/// Makes links the resident Wilson links; solvers' copies are stored as those of the links before.
void make_resident(ResidentLinks &wilson, std::unique_ptr<GaugeField> links);

} // namespace quda
