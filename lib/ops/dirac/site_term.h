/// Check and launch of an operator's site-diagonal terms.
#pragma once

#include "fields/color_spinor_field.h"
#include "ops/launch.h"

namespace quda
{

struct SiteTerm {
  const char *name;  // in tuning and profile
  int together;      // entries of a site that a block computes together
  long long flops;   // of a spinor
  KeyText aux = {};  // other properties that speed depends on
  bool adds = false; // out = out + term in
  int reals = 0;     // read of the term at a site
};

/// out = term in or out + term in, over registers, the entries that work together, and the others; fields that have been
/// checked.
template <class Call> void launch_site_term(ColorSpinorField &out, const ColorSpinorField &in, const SiteTerm &term,
                                            LaunchFunction<Call> kernel, const Call &call)
{
  const int bytes = bytes_of(in.precision()), parities = in.parities();
  const long long spinors = in.sites() * in.inner();
  launch({.name = term.name,
          .lattice = in.lattice(),
          .extent = {registers(in), static_cast<unsigned>(term.together),
                     static_cast<unsigned>(parities * in.inner() / term.together)},
          .aux = key_text("prec=", bytes, ",inner=", in.inner(), ",together=", term.together, ",parities=", parities,
                          term.aux.s, term.adds ? ",adds" : ""),
          .flops = term.flops * spinors,
          .bytes = (term.adds ? 3 : 2) * in.record_bytes() * spinors + term.reals * bytes * in.sites(),
          .together = term.together,
          .in_place = term.adds || in.data() == out.data() ? memory_of(out) : MemorySpan {}},
         kernel, call);
  out.mark_written();
}

/// The same of native spinors of one shape and precision, 4 spins and 3 colors.
template <class Call> void apply_site_term(const char *function, ColorSpinorField &out, const ColorSpinorField &in,
                                           const SiteTerm &term, LaunchFunction<Call> kernel, const Call &call)
{
  check_native_spinors(function, out, in);
  launch_site_term(out, in, term, kernel, call);
}

} // namespace quda
