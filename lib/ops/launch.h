#pragma once
/// A launch as data. An operation describes its launch (SiteLaunch), finds the kernel's instance and applies it:
///
///   launch({.name = "Plaquette", .lattice = links.lattice(), .extent = {registers(links), 2}, ...},
///          plaquette_kernels().find("plaquette", ...), PlaquetteCall {links.view(), sums});
///
/// The first launch with a key is tuned, collectively over the lattice's communicator; see tune/tunable.h.

#include <initializer_list>
#include <span>
#include <vector>

#include "core/exact_limbs.h"
#include "core/kernel_table.h"
#include "fields/gauge_field.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

/// A launch over sites without its kernel.
struct SiteLaunch {
  const char *name;              // in tuning and profile
  const Lattice &lattice;        // its ranks tune together, its volume is in the key
  unsigned extent[3];            // of the index space; 0: 1
  KeyText aux;                   // other properties that speed depends on
  long long flops = 0;           // of one launch
  long long bytes = 0;           // the minimal traffic, each number once
  bool prefetch = false;         // parameters of TuneParam that the kernel uses
  bool streaming = false;        //
  int variants = 1;              // of the kernel: right-hand sides that it may compute together, shapes of a tile
  int together = 1;              // indices of the second extent that a GPU's block holds whole
  int prefetch_bytes = 0;        // of a record: the first distance tried is about 3 KB; 0: four records
  long long asks_beyond = 0;     // bytes up to which it does not prefetch untuned
  bool collective = true;        // false: some ranks may launch without the others
  MemorySpan in_place {};        // read and overwritten: kept while the launch is tuned
  MemorySpan written {};         // by streaming kernels: read through while tuning, as the next kernel will
  std::span<ExactLimbs> sums {}; // added to: cleared before each launch
};

/// A SiteLaunch as a Tunable.
class TunableSites : public Tunable
{
public:
  explicit TunableSites(const SiteLaunch &what);
  long long flops() const final { return what_.flops; }
  long long bytes() const final { return what_.bytes; }
  bool has_prefetch() const final { return what_.prefetch; }
  bool has_streaming() const final { return what_.streaming; }
  int variants() const final { return what_.variants; }
  bool collective() const final { return what_.collective; }
  std::vector<MemorySpan> in_place() const final;
  void read_written() const final;
  std::vector<MemorySpan> written_between() const final;
  TuneParam default_param() const final;
  std::vector<TuneParam> candidates() const final;

protected:
  bool reduces() const final { return !what_.sums.empty(); }
  void clear_sums() const;

private:
  const SiteLaunch &what_;
};

/// The tuned launch of a kernel.
template <class Call> void launch(const SiteLaunch &what, LaunchFunction<Call> kernel, const Call &call)
{
  struct Launch final : TunableSites {
    Launch(const SiteLaunch &what, LaunchFunction<Call> kernel, const Call &call)
        : TunableSites(what)
        , kernel(kernel)
        , call(call)
    {
    }
    void launch(const TuneParam &tp, void *stream) override
    {
      clear_sums();
      kernel(tp, stream, call);
    }
    const LaunchFunction<Call> kernel;
    const Call &call;
  };
  Launch(what, kernel, call).apply();
}

/// The instance for links or other fields of a native type.
template <class Call>
LaunchFunction<Call> instance(const Kernels<Call> &kernels, const char *function, const GaugeField &links)
{
  return kernels.find(function, bytes_of(links.precision()), static_cast<int>(links.reconstruct()));
}

/// "16x16x16x32", the volume of a key.
KeyText volume_text(const Lattice &lattice);

/// Registers of a parity, without a border: the first extent of most launches.
template <class Field> unsigned registers(const Field &field)
{
  const LatticeView lattice = field.view().field.lattice;
  return lattice.volume_cb * lattice.parts;
}

/// Right-hand sides in a key: numbers with one power of two are tuned together, since a solve drops them one by one.
constexpr int rhs_class(int rhs) { return rhs < 2 ? rhs : 2 * rhs_class(rhs / 2); }

/// All bytes of a field.
template <class Field> MemorySpan memory_of(const Field &field) { return {field.data(), field.bytes()}; }

/// "prec=8,recon=18,border=0000" and the further arguments: properties of links, for a key.
template <class... More> KeyText links_text(const GaugeField &links, const More &...more)
{
  return key_text("prec=", bytes_of(links.precision()), ",recon=", links.reals(), ",border=", links.R()[0],
                  links.R()[1], links.R()[2], links.R()[3], more...);
}

/// Bytes of all stored links of a field, without a border.
long long link_bytes(const GaugeField &links);

/// Error (internal) if links lack a border of `depth` in a direction that is cut between ranks.
void check_border(const char *function, const GaugeField &links, int depth);

} // namespace quda
