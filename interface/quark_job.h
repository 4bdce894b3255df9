#pragma once

/// What calls on quark fields share: the operator that QudaInvertParam describes, and the host's fields, one array a
/// right-hand side. On links of one time slice a field of the library has two that are alike, as the links have.
/// Errors     : bad_argument and unsupported, naming function, argument or member and value. Collective: no.

#include "quda.h"

#include "core/log.h"
#include "core/timer.h"
#include "dirac/dirac_param.h"
#include "interface/guard.h"
#include "interface/host_slices.h"
#include "interface/host_spinors.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/links/link_set.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quda
{

/// A host's array of one quark field.
struct HostArray {
  std::string name; // of the argument, as in messages
  const void *data;
  int parity; // -1: both
};

/// A checked call, about to be carried out.
struct QuarkJob {
  DiracParam dirac;
  const LinkSet *links;
  LinkStorage storage;                       // of what is computed with
  std::vector<ColorSpinorField> h_out, h_in; // one a right-hand side
  std::vector<std::string> out_names, in_names;
  bool dagger;
  Timer timer;
  struct Split {
    Session *session;
    std::array<int, 4> parts;
    std::shared_ptr<const SubGrids> grids; // once the work has begun
  };
  std::optional<Split> split {}; // sub-grids that share the sources (interface/split_grid.h)
  bool one_slice = false;        // of the host's lattice; h_out, h_in are then those staged
  std::vector<StagedSlice> staged_out {}, staged_in {};
};

/// Whether an operator is a staggered one, whose mass is `mass`.
bool staggered(QudaDslashType type);
/// Checks what is the operator's mass: mass, mass and m5, or kappa.
void check_mass(Checks &checks, const QudaInvertParam &param);

/// The operator, its mass as it stands, the links that it is on, and how the host's fields lie. lower: cuda_prec may be
/// below the precision of the resident links, copies of which are then computed with; else half stands for the next
/// better one.
QuarkJob quark_job(Checks &checks, const QudaInvertParam &param, bool lower);
/// The same on the smeared links, and on links of one time slice where the operator leads to no other.
struct LinkChoice {
  bool smeared = false, one_slice_allowed = false;
};
QuarkJob quark_job(Checks &checks, const QudaInvertParam &param, bool lower, const LinkChoice &choice);

/// How copies of the links for iterations are stored.
LinkStorage iteration_storage(Session &session, const QudaInvertParam &param, LinkCopy copy,
                              QudaPrecision QudaInvertParam::*precision);

/// Complex numbers of a field of the operator on one of so many equal parts of the whole lattice.
long long numbers_of(const QuarkJob &job, int parts);

/// Whether distance preconditioning is asked for.
bool distance_preconditioned(const QudaInvertParam &param);

/// The clover term of an operator; null: it has none.
const CloverSet *clover_of(const DiracParam &dirac);

/// mu, epsilon and flavours of twisted kinds.
TwistParam twist_of(Checks &checks, const QudaInvertParam &param);

/// The same for calls that use the links of `resident` without an operator of dslash_type, which tells how many spins
/// the fields have.
QuarkJob link_job(Checks &checks, const QudaInvertParam &param, const ResidentLinks &resident);

/// Refuses a dslash_type whose fields have four spins.
void check_color_vectors(const char *function, const QuarkJob &job, const QudaInvertParam &param);

/// One more result, one more source, or both; a null pointer is refused by name.
void add_output(const char *function, QuarkJob &job, const QudaInvertParam &param, const HostArray &out);
void add_input(const char *function, QuarkJob &job, const QudaInvertParam &param, const HostArray &in);
void add_fields(const char *function, QuarkJob &job, const QudaInvertParam &param, const HostArray &out,
                const HostArray &in);

/// secs and gflops. flops: of this rank. Collective.
void report_work(QuarkJob &job, QudaInvertParam &param, double flops);
void report_work(Communicator &communicator, const Timer &timer, QudaInvertParam &param, double flops);

/// Whether fields and operator are those of one parity.
bool preconditioned(QudaSolutionType type);

/// What a parameter asks to be printed at, or the verbosity that is set.
Verbosity verbosity_of(const QudaInvertParam &param);

} // namespace quda
