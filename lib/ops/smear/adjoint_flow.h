#pragma once
/// Adjoint flow of quark fields: K^dag xi, where K is what QuarkFlow makes of quark fields along with the links in a
/// number of steps (Luescher, arXiv:1302.5246, appendix E). Each step back is the adjoint of the step itself, of either
/// order, so that <xi, K psi> = <K^dag xi, psi> to rounding.
///
/// Links flow forward only: those before each step, last one first, are kept or made again from earlier ones. With c
/// fields kept at a time and no step made more than r times before its own turn C(c + r, c) steps can be gone back
/// through; which links to keep follows from that (Griewank and Walther, ACM Trans. Math. Softw. 26 (2000) 19). The
/// bits are those of all links kept.

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/smear/flow.h"

namespace quda
{

struct KeptLinks {
  long long most;          // fields kept at a time, the first links among them: 1 or more
  long long undivided = 1; // so many steps in a row, or fewer, are made again from the first of them each time
};

struct AdjointFlow {
  GaugeField first;     // the links before the first step, of type smeared, without border
  long long kept;       // fields kept at a time
  long long link_steps; // made of the links' flow
  double flops;         // of the quark fields, on this rank
};

/// Steps from the links at hand, before `left` steps (2 or more) to go back through, to the next ones to keep, with
/// room for `kept` fields (2 or more), those at hand among them: fewest steps are then made in all.
long long steps_to_keep(long long left, long long kept);

/// quarks <- K^dag quarks, K of `steps` steps that begin with the links `first`; full native fields of 1 or 4 spins.
/// All memory for links is taken at first: FoundTogether (out_of_memory) on all ranks if one lacks it. Collective.
AdjointFlow flow_back(ColorSpinorField &quarks, const GaugeField &first, const GradientFlow &flow, long long steps,
                      const KeptLinks &keep);

} // namespace quda
