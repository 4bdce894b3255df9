/// The table of methods: each number leads to the method of its name, which reads those options that its row says and
/// no other.

#include <map>

#include <gtest/gtest.h>

#include "solvers/dense_solves.h"
#include "solvers/method.h"
#include "support/untuned.h"

using namespace quda;
using namespace solver_tests;

namespace
{

struct Known {
  const char *name;
  const char *iteration; // what goes on within
  System system = System::direct;
};

/// By QudaInverterType and QudaInverterTypeExt.
const std::map<int, Known> known {{0, {"CG", "CG"}},
                                  {1, {"BiCGstab", "BiCGstab"}},
                                  {2, {"GCR", "GCR"}},
                                  {3, {"MR", "MR"}},
                                  {4, {"SD", "SD"}},
                                  {5, {"PCG", "PCG"}},
                                  {6, {"eigCG", "eigCG"}},
                                  {7, {"incremental eigCG", "eigCG"}},
                                  {8, {"GMRES-DR", "GMRES-DR"}},
                                  {9, {"GMRES-Proj", "GMRES-DR"}},
                                  {13, {"BiCGstab(l)", "BiCGstab(l)"}},
                                  {14, {"CGNE", "CG", System::normal_error}},
                                  {15, {"CGNR", "CG", System::normal_residual}},
                                  {16, {"CG3", "CG3"}},
                                  {17, {"CG3NE", "CG3", System::normal_error}},
                                  {18, {"CG3NR", "CG3", System::normal_residual}},
                                  {19, {"CA-CG", "CA-CG"}},
                                  {20, {"CA-CGNE", "CA-CG", System::normal_error}},
                                  {21, {"CA-CGNR", "CA-CG", System::normal_residual}},
                                  {22, {"CA-GCR", "CA-GCR"}},
                                  {1000, {"block CG", "block CG"}},
                                  {1001, {"pipelined CG", "pipelined CG"}}};

/// z = r with every other number halved.
struct Uneven final : Preconditioner {
  void apply(ColorSpinorField &z, const ColorSpinorField &r) override
  {
    std::vector<Vector> all = vectors_of(r);
    for (Vector &v : all)
      for (std::size_t i = 0; i < length; i += 2) v[i] *= 0.5;
    set(z, all);
  }
};

} // namespace

TEST(Methods, NumbersLeadToTheirMethods)
{
  EXPECT_EQ(methods().size(), known.size());
  for (const auto &[number, is] : known) {
    const MethodRow *const row = find_method(number);
    ASSERT_TRUE(row) << number;
    EXPECT_STREQ(row->name, is.name);
    EXPECT_EQ(row->system, is.system) << is.name;
    const DenseOperator A(small_lattice(), Precision::double_, positive.matrix, positive.symmetry);
    const auto iteration = row->make(A, {});
    EXPECT_STREQ(iteration->name(), is.iteration) << is.name;
    EXPECT_EQ(iteration->needs_positive(), row->positive || row->system != System::direct) << is.name;
  }
  for (const int number : {-1, 10, 11, 12, 23, 1002}) EXPECT_FALSE(find_method(number)) << number;
}

/// As many products with the matrix as a step is said to take, and few more to begin.
TEST(Methods, ProductsOfAStep)
{
  for (const MethodRow &row : methods()) {
    const auto count = std::make_shared<int>(0);
    const Matrix counted = [=](const Vector &in, bool dagger) {
      (*count)++;
      return positive.matrix(in, dagger);
    };
    const auto products = [&](int steps) {
      *count = 0;
      const int krylov = row.method == Method::gcr ? 16 : 2; // which comes back after so many
      residuals_of({counted, Symmetry::positive}, row, {.krylov = krylov}, steps);
      return *count;
    };
    const DenseOperator A(small_lattice(), Precision::double_, positive.matrix, positive.symmetry);
    EXPECT_EQ(products(8) - products(4), 4 * row.make(A, {})->applications()) << row.name;
  }
}

/// What a few steps lead to differs where an option that the row reads differs, and not by a bit where it is none of
/// the row's.
TEST(Methods, ReadTheirOptions)
{
  using Row = MethodRow;
  Uneven K;
  const MethodOptions plain {.krylov = 3, .spectrum = {0, 1}, .space = 6, .kept = 2};
  const struct {
    Row::Reads option;
    void (*change)(MethodOptions &, Preconditioner &);
  } changes[] = {{Row::krylov, [](MethodOptions &o, Preconditioner &) { o.krylov = 4; }},
                 {Row::omega, [](MethodOptions &o, Preconditioner &) { o.omega = 0.75; }},
                 {Row::polynomials, [](MethodOptions &o, Preconditioner &) { o.polynomials = Polynomials::chebyshev; }},
                 {Row::deflation, [](MethodOptions &o, Preconditioner &) { o.space = 7; }},
                 {Row::deflation, [](MethodOptions &o, Preconditioner &) { o.kept = 3; }},
                 {Row::preconditioner, [](MethodOptions &o, Preconditioner &one) { o.preconditioner = &one; }}};
  const auto solution = [](const Row &row, const MethodOptions &options) {
    const Solution s =
        solve(positive, sources(1), {.method = row.method, .limits = {.iterations = 12}, .options = options});
    EXPECT_NE(s.report.rhs[0].outcome, Outcome::converged) << row.name;
    return s.x;
  };
  for (const Row &row : methods()) {
    const auto before = solution(row, plain);
    for (const auto &[option, change] : changes) {
      MethodOptions other = plain;
      change(other, K);
      EXPECT_EQ(solution(row, other) != before, row.reads(option)) << row.name << ", option " << option;
    }
  }
}
