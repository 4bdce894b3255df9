/// Operators of coarse grids on several ranks: to the bit those of one process.
#include "coarse_case.h"

#include "support/grids.h"
#include "support/untuned.h"
#include "targets/target.h"

using namespace quda;
using namespace coarse_case;

TEST(DiracCoarseOnRanks, BitsAreThoseOfOneProcess)
{
  choose_target();
  const int rows = 12;
  support::expect_bits_of_one_process(reference::Lattice({4, 4, 4, 8}), [&](const support::Place &place) {
    const auto lattice = Lattice::rows(place.part.local.X.data(), place.lattice->shared_communicator());
    const DiracCoarse dirac(matrices(lattice, rows, Precision::single));
    support::Results results;
    for (const bool dagger : {false, true})
      for (const MatPC matpc : all_matpc) {
        const auto A = dirac.schur(matpc);
        ColorSpinorField out(A->shape(2));
        (*A)(out, random_vector(A->shape(2), rows, 1), dagger);
        results.add(support::of_rows(to_host(out, rows), out.parity()));
        expect_adjoint(*A, rows);
      }
    expect_even_odd(dirac, rows, 2);
    return results;
  });
}
