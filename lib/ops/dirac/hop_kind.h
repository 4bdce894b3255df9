#pragma once
/// Kind of a hop on the host side, and the fields of an application.

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/dirac/epilogue.h"
#include "ops/dirac/twist.h"

namespace quda
{

/// Records that cross a face.
enum class HopHalo { half_spinors, colors, spinors };

constexpr int all_legs = 0xff;

/// A hop's name, costs and reach.
struct HopKind {
  const char *function; // for messages
  const char *name;     // in tuning and profile
  long long flops;      // a site and inner entry
  long long flops_y;    // in addition, if y is added
  long long reals;      // read a site in addition to links and spinors
  HopHalo halo = HopHalo::half_spinors;
  int spins = 4;
  int length = 1;      // sites from one end of a leg to the other
  int legs = all_legs; // bit 2 d + up: the selected legs
  int long_length = 0; // of additional legs with separate links; 0: there are none
};

struct HopFields {
  ColorSpinorField &out;
  const ColorSpinorField &in;
  const GaugeField &links;
  bool dagger;
  const Epilogue &end;
  Sums *sums = nullptr;                   // may be null if none are requested
  const HopTwist *twist = nullptr;        // for hops of four spins
  const GaugeField *long_links = nullptr; // if the kind has them
  int first_layer = -1;                   // every other layer, from this one on; < 0: all
  bool alone = false;                     // or only that layer, of one right-hand side

  int inner() const { return first_layer < 0 ? out.inner() : alone ? 1 : out.inner() / 2; }
  /// Parity of the sites of a field of one parity: in a checkerboard of five dimensions the sites of layer s have
  /// parity (p + s) mod 2.
  int parity(const ColorSpinorField &field) const
  {
    return first_layer < 0 || field.parities() == 2 ? field.parity() : (field.parity() + first_layer) % 2;
  }
  /// The layers that are computed.
  SpinorView view(const ColorSpinorField &field) const;
};

} // namespace quda
