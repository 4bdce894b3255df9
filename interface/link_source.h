#pragma once

/// Links and momenta that a call takes from the host or from what is resident, and where they go afterwards: the
/// resident flags of QudaGaugeParam.
///   use_resident_gauge, use_resident_mom   : the input is the resident field; the host's array is not read
///   make_resident_gauge                    : the result becomes the resident Wilson links, whose old set is freed
///   make_resident_mom                      : the result becomes the resident momentum; 0 drops the one there was
///   return_result_gauge, return_result_mom : the result is written to the host's array
/// Errors     : bad_argument, naming function, argument or member and value. Collective: no.

#include "quda.h"

#include "fields/gauge_field.h"
#include "interface/guard.h"
#include "interface/resident.h"

#include <memory>
#include <optional>

namespace quda
{

/// Links on their way in: checked, not yet loaded.
struct LinkSource {
  const char *function;
  GaugeFieldParam field;          // what the library makes of them
  std::optional<GaugeField> host; // absent: the resident Wilson links

  const std::shared_ptr<const Lattice> &lattice() const { return field.lattice; }
  /// Links from the host, in a field of the library, whole where the storage asked for does not hold them; their type
  /// is that of Wilson links, whatever the host calls them. Collective.
  std::unique_ptr<GaugeField> load() const;
};

/// Writes links into the storage that is asked for. False, with a warning that says how much would be lost and where,
/// and numbers of no meaning in to, where that does not hold them: they are to stay whole then. Collective.
bool store_links(const char *function, GaugeField &to, const GaugeField &whole);

/// precision: of the library's field, as the member `member` of param has it; the resident field must be of it.
/// name: of the argument `arrays`.
LinkSource link_source(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param,
                       QudaPrecision precision, const char *member);

/// Momenta on their way in and out.
struct MomentumSource {
  const char *function;
  GaugeFieldParam field;
  std::optional<GaugeField> host; // where momenta are read from it or written to it
  bool resident;                  // the input is the resident momentum
  bool read;                      // the input is the host's
  bool returned, kept;
  std::unique_ptr<GaugeField> own; // made by open()

  /// The input: resident, loaded, or, where neither is wanted, a field whose numbers mean nothing.
  GaugeField &open();
  /// Host's array and resident momentum as the flags say; the resident one is what open() gave, or gone.
  void close();
};

/// read: the call needs old momenta. returned: it makes new ones, and return_result_mom counts.
MomentumSource momentum_source(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param,
                               QudaPrecision precision, const char *member, bool read, bool returned);

/// Makes links the resident Wilson links, the set of before freed first; solvers' copies are stored as they are.
void make_resident(std::unique_ptr<GaugeField> links);

} // namespace quda
