/// An operator in five dimensions written from chain parts: M = M5 - kappa D B of Wilson's hop on each slice and dense
/// matrices M5 and B among the slices, even-odd in the four dimensions of D. Its adjoint, M_pc, prepare() and
/// reconstruct() are the frame's, and agree with plain products.

#include <Eigen/LU>

#include "dirac_checks.h"

#include "dirac/dirac_even_odd.h"
#include "ops/dirac/wilson.h"
#include "reference/dirac/wilson.h"
#include "reference/gauge/links.h"
#include "reference/random.h"

using namespace quda;
using namespace dirac_test;
using reference::Spinors;
using Slices = std::vector<Spinors>;
using Dense = Eigen::MatrixXd;

namespace
{

constexpr double kappa = 0.11;
constexpr int Ls = 5;

/// 1 plus a third of random numbers.
Dense dense(unsigned seed)
{
  std::srand(seed);
  return Dense::Identity(Ls, Ls) + Dense::Random(Ls, Ls) / 3;
}

class Toy final : public DiracEvenOdd
{
public:
  Toy(const support::Place &place, const GaugeField &links)
      : place_(place)
      , links_(links)
  {
  }
  ColorSpinorParam shape(int parity, int rhs) const override
  {
    ColorSpinorParam shape = support::native_spinors(place_, links_.precision(), parity, rhs).param();
    shape.fifth = Ls;
    return shape;
  }
  const Dense M5 = dense(1), B = dense(2);

protected:
  Form form() const override { return {.hop = kappa, .has_local = true, .has_before = true}; }
  StepCost cost(const Step &step) const override { return step.is_hop() ? StepCost {1320, 144} : StepCost {48 * Ls}; }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &, const Epilogue &end,
           Sums *sums) const override
  {
    wilson_hop(out, in, links_, dagger, end, sums);
  }
  void diagonal(ColorSpinorField &out, const ColorSpinorField &in, const Step &step) const override
  {
    Dense matrix = step.diagonal == before_hop ? B : M5;
    if (step.inverse) matrix = matrix.inverse().eval();
    if (step.dagger) matrix.transposeInPlace();
    const std::vector<double> from = support::host_array(in); // (parity, right-hand side, slice, numbers)
    const Eigen::Index numbers = static_cast<Eigen::Index>(from.size()) / in.parities() / in.inner();
    std::vector<double> to(from.size());
    for (Eigen::Index n = 0; n < in.parities() * in.rhs(); n++) {
      const Eigen::Map<const Dense> v(from.data() + n * Ls * numbers, numbers, Ls);
      Eigen::Map<Dense>(to.data() + n * Ls * numbers, numbers, Ls) = v * matrix.transpose();
    }
    support::set_from_host(out, to);
  }

private:
  const support::Place &place_;
  const GaugeField &links_;
};

Slices times(const Dense &matrix, const Slices &in)
{
  Slices out(in.size(), Spinors(in[0].size(), reference::Spinor::Zero()));
  for (int s = 0; s < Ls; s++)
    for (int from = 0; from < Ls; from++)
      for (std::size_t x = 0; x < out[s].size(); x++) out[s][x] += matrix(s, from) * in[from][x];
  return out;
}

Slices plus(Slices a, double factor, const Slices &b)
{
  for (int s = 0; s < Ls; s++)
    for (std::size_t x = 0; x < a[s].size(); x++) a[s][x] += factor * b[s][x];
  return a;
}

template <class Hop> Slices each(const Slices &in, const Hop &hop)
{
  Slices out;
  for (const Spinors &slice : in) out.push_back(hop(slice));
  return out;
}

} // namespace

TEST(Chains, OfAnOperatorInFiveDimensions)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 4, 6});
    const support::Place place(lattice, make_single_communicator());
    reference::GaugeField gauge = reference::random_gauge(lattice, 11);
    const GaugeField links = support::native_links(place, gauge, {});
    const Toy toy(place, links);
    const reference::Wilson wilson(gauge);

    const support::Place small(reference::Lattice({2, 2, 2, 4}), make_single_communicator());
    const GaugeField few = support::native_links(small, reference::random_gauge(small.global, 11), {});
    expect_epilogues(*Toy(small, few).schur(MatPC::odd_odd), small, 2);

    const auto M = toy.full();
    expect_adjoint(*M, place);
    expect_even_odd(toy, place, 2);
    Slices psi;
    for (int s = 0; s < Ls; s++) psi.push_back(reference::random_spinors(lattice, 30 + s));
    const auto product = [&](const LinearOperator &A) {
      ColorSpinorField in(A.shape(1)), out(A.shape(1));
      support::set_entries(in, place, psi);
      A(out, in);
      return support::entries_of(out);
    };
    const Slices D = each(times(toy.B, psi), [&](const Spinors &slice) { return wilson.hop(slice); });
    EXPECT_LE(support::deviation(product(*M), plus(times(toy.M5, psi), -kappa, D)), 1e-13);
    for (const MatPC matpc : all_matpc) {
      const auto Mpc = toy.schur(matpc);
      expect_adjoint(*Mpc, place);
      const int t = parity_of(matpc);
      const auto hop_to = [&](int parity, const Slices &in) {
        return each(times(toy.B, in), [&](const Spinors &slice) { return wilson.hop_to(parity, slice); });
      };
      const Dense R = toy.M5.inverse();
      const Slices here = each(psi, [&](const Spinors &slice) { return reference::half_of(slice, t); });
      const Slices there = hop_to(t, times(R, hop_to(1 - t, here)));
      const Slices expected = symmetric(matpc) ? plus(here, -kappa * kappa, times(R, there))
                                               : plus(times(toy.M5, here), -kappa * kappa, there);
      EXPECT_LE(support::deviation(product(*Mpc), expected), 1e-13);
    }
  });
}
