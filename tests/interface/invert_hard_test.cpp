/// Hard cases of linear systems through the C interface: each ends, and says how (hard_solves.h).

#include "hard_solves.h"

namespace
{

using namespace test;

TEST(HardSolves, EndAndSayHow)
{
  Session session;
  for (const HardSolve &hard : hard_solves())
    for (const QudaPrecision sloppy : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION}) {
      SCOPED_TRACE(testing::Message() << hard.name << ", sloppy " << sloppy);
      Problem p = ordinary_problem();
      hard.change(p);
      p.param.cuda_prec_sloppy = sloppy;
      p.param.verbosity = QUDA_SUMMARIZE;
      Handler handler;
      Output output;
      const Case on(p.links);
      if (hard.ending == Ending::load_refused) {
        EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
        EXPECT_TRUE(handler.says(hard.words)) << handler.text();
        continue;
      }
      const Spinors x = solved(on, p.b, p.param, p.guess ? &*p.guess : nullptr);
      if (hard.ending == Ending::refused) {
        EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
        EXPECT_TRUE(handler.says("invertQuda") && handler.says(hard.words)) << handler.text();
        continue;
      }
      EXPECT_TRUE(output.says(hard.words)) << output.text();
      const bool converged = p.param.iter < p.param.maxiter;
      EXPECT_EQ(output.says("WARNING"), !converged) << output.text();
      EXPECT_EQ(output.says("1 of 1 right-hand sides converged"), converged) << output.text();
      if (hard.ending != Ending::either) {
        EXPECT_EQ(converged, hard.ending == Ending::converged) << output.text();
      }
      EXPECT_EQ(p.param.true_res[0] < p.param.tol, converged) << p.param.true_res[0];
      if (std::all_of(p.b.begin(), p.b.end(),
                      [](const reference::Spinor &s) { return s == reference::Spinor::Zero(); })) {
        EXPECT_EQ(norm(x), 0);
        EXPECT_EQ(p.param.true_res[0], 0);
        continue;
      }
      // that of the prepared or normal system is within a factor of this one
      const double is = residual(on, x, p.b, p.param);
      EXPECT_TRUE(std::isfinite(is));
      EXPECT_TRUE(!converged || is < 100 * p.param.tol) << is;
    }
}

} // namespace
