/// Right-hand sides of one solve that go their own ways: each as if it were alone, true residuals several at a time.

#include "solvers/dense_solves.h"

using namespace solver_tests;

namespace
{

/// Sources that need different numbers of steps: each lives in other modes of a diagonal matrix; one is zero.
std::vector<Vector> unlike_sources(int n)
{
  std::vector<Vector> b = sources(n, 7);
  for (int j = 0; j < n; j++)
    for (std::size_t i = 0; i < length; i++)
      if (j % 4 == 1 ? i > length / 2 : j % 4 == 2 ? i % 3 != 0 : j % 4 == 3 && i > 20) b[j][i] *= 1e-3;
  b[2].assign(length, 0);
  return b;
}

bool goes_its_own_way(const MethodRow &row)
{
  const DenseOperator A(small_lattice(), Precision::double_, ordinary(row).matrix, ordinary(row).symmetry);
  return row.make(A, How {.method = row.method}.options)->together() != Together::all;
}

void expect_as_alone(const Problem &problem, const std::vector<Vector> &b, const How &how)
{
  const Solution together = solve(problem, b, how);
  for (std::size_t j = 0; j < b.size(); j++) {
    const Solution alone = solve(problem, {b[j]}, how);
    const RhsReport &one = together.report.rhs[j], &same = alone.report.rhs[0];
    EXPECT_EQ(together.x[j], alone.x[0]) << "right-hand side " << j;
    EXPECT_EQ(one.outcome, same.outcome) << "right-hand side " << j;
    EXPECT_EQ(one.iterations, same.iterations) << "right-hand side " << j;
    EXPECT_EQ(one.replacements, same.replacements) << "right-hand side " << j;
    EXPECT_EQ(one.residual, same.residual) << "right-hand side " << j;
  }
}

/// Tells how many right-hand sides each product has.
class Counted final : public DenseOperator
{
public:
  using DenseOperator::DenseOperator;
  mutable std::vector<int> counts;

private:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    counts.push_back(in.rhs());
    DenseOperator::plain(out, in, dagger);
  }
};

} // namespace

TEST(Columns, EachIsAsIfItWereAlone)
{
  int methods_seen = 0;
  for (const MethodRow &row : direct_methods()) {
    if (!goes_its_own_way(row)) continue;
    methods_seen++;
    for (const Precision sloppy : {Precision::double_, Precision::half}) {
      SCOPED_TRACE(testing::Message() << row.name << ", sloppy " << bytes_of(sloppy));
      expect_as_alone(ordinary(row), unlike_sources(7), {.method = row.method, .sloppy = sloppy});
    }
  }
  EXPECT_GE(methods_seen, 9);
}

TEST(Columns, NormalEquationsToo)
{
  for (const Method method : {Method::cgnr, Method::cgne})
    expect_as_alone(skewed, unlike_sources(5), {.method = method, .sloppy = Precision::single});
}

TEST(Columns, OneThatNeedsABetterPrecisionKeepsItToItself)
{
  // the sloppy matrix has another sign of one mode, which some sources do not have
  Problem problem = positive;
  problem.sloppy = diagonal(
      [](std::size_t i) { return Complex((i == 3 ? -1 : 1) * std::pow(1e3, -static_cast<double>(i) / (length - 1))); });
  std::vector<Vector> b = unlike_sources(6);
  for (const std::size_t j : {0, 1, 5}) b[j][3] = 0;
  for (const Method method : {Method::cg, Method::bicgstab}) {
    const How how {.method = method, .sloppy = Precision::half};
    expect_as_alone(problem, b, how);
    EXPECT_GT(solve(problem, b, how).report.escalations, 0);
    EXPECT_EQ(solve(problem, {b[0], b[1], b[5]}, how).report.escalations, 0);
  }
}

TEST(Columns, LimitsAreOfEach)
{
  for (const Method method : {Method::cg, Method::bicgstab, Method::gcr}) {
    const std::vector<Vector> b = unlike_sources(5);
    const How how {.method = method, .sloppy = Precision::single, .limits = {.iterations = 23}};
    expect_as_alone(ordinary(row_of(method)), b, how);
  }
}

TEST(Columns, TrueResidualsAreAsFewAsOneNeeds)
{
  constexpr int n = 12;
  for (const Method method : {Method::cg, Method::bicgstab}) {
    const MethodRow &row = row_of(method);
    SCOPED_TRACE(row.name);
    const Problem &problem = ordinary(row);
    const auto lattice = small_lattice();
    const Counted outer(lattice, Precision::double_, problem.matrix, problem.symmetry);
    OperatorByPrecision operators(outer, [&](Precision precision) {
      return std::make_unique<DenseOperator>(lattice, precision, problem.matrix, problem.symmetry);
    });
    std::vector<Vector> b = unlike_sources(n);
    b[2] = sources(1)[0];
    ColorSpinorField source(outer.shape(n)), x(outer.shape(n));
    set(source, b);
    KrylovSolver solver(
        operators, [&](const LinearOperator &A) { return row.make(A, {}); }, Precision::half, row.system);
    const SolveReport report = solver.solve(x, source, {.relative = 1e-10}, {.iterations = 2000});
    EXPECT_TRUE(report.converged());
    int columns = 0, most = 0;
    for (std::size_t j = 0; j < n; j++) {
      const Solution alone = solve(problem, {b[j]}, {.method = method, .sloppy = Precision::half});
      EXPECT_EQ(report.rhs[j].replacements, alone.report.replacements);
      columns += report.rhs[j].replacements;
      most = std::max(most, report.rhs[j].replacements);
    }
    EXPECT_EQ(report.replacements, most);
    int counted = 0;
    for (const int rhs : outer.counts) counted += rhs;
    EXPECT_EQ(counted, columns);
    // until few are left, each is of a third of them at least
    EXPECT_LE(2 * outer.counts.size(), static_cast<std::size_t>(counted) + n);
  }
}
