#pragma once
/// What tells one hop from another on the host side, and the fields of an application.

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/dirac/epilogue.h"
#include "ops/dirac/twist.h"

namespace quda
{

/// What crosses a face.
enum class HopHalo { half_spinors, colors, spinors };

constexpr int all_legs = 0xff;

/// A hop's name, what it costs and how far it reaches.
struct HopKind {
  const char *function; // for messages
  const char *name;     // in tuning and profile
  long long flops;      // a site and inner entry
  long long flops_y;    // more, where y is added
  long long reals;      // read a site beside links and spinors
  HopHalo halo = HopHalo::half_spinors;
  int spins = 4;
  int length = 1;      // sites from one end of a leg to the other
  int legs = all_legs; // bit 2 d + up: those that are taken
  int long_length = 0; // of legs with links of their own beside these; 0: there are none
};

struct HopFields {
  ColorSpinorField &out;
  const ColorSpinorField &in;
  const GaugeField &links;
  bool dagger;
  const Epilogue &end;
  Sums *sums = nullptr;                   // may be null where none are asked for
  const HopTwist *twist = nullptr;        // of hops of four spins
  const GaugeField *long_links = nullptr; // of a kind that has them
  int first_layer = -1;                   // every other layer, from this one on; < 0: all
  bool alone = false;                     // or that layer alone, of one right-hand side

  int inner() const { return first_layer < 0 ? out.inner() : alone ? 1 : out.inner() / 2; }
  /// Of the sites that a field of one parity stands on: in a checkerboard of five dimensions those of layer s are of
  /// parity (p + s) mod 2.
  int parity(const ColorSpinorField &field) const
  {
    return first_layer < 0 || field.parities() == 2 ? field.parity() : (field.parity() + first_layer) % 2;
  }
  /// Of the layers that are done.
  SpinorView view(const ColorSpinorField &field) const;
};

} // namespace quda
