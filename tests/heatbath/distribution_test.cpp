/// What is drawn, against the exact distributions (Kolmogorov and Smirnov; a test fails below p = 1e-3, seeds are
/// fixed): the SU(2) heat bath alone, and a link in a fixed environment.

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "heatbath/fields.h"
#include "heatbath/weight_table.h"
#include "reference/heatbath/heatbath.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(WeightTable, weight_draws)

namespace
{

  using heatbath_tests::links_of;

  /// Probability that n numbers of the distribution stray from it as far as these.
  double kolmogorov(std::vector<double> sample, const std::function<double(double)> &cumulative)
  {
    std::sort(sample.begin(), sample.end());
    const double n = static_cast<double>(sample.size());
    double most = 0;
    for (std::size_t i = 0; i < sample.size(); i++) {
      const double exact = cumulative(sample[i]);
      most = std::max(
          {most, std::abs(exact - static_cast<double>(i) / n), std::abs(exact - static_cast<double>(i + 1) / n)});
    }
    const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * most;
    double p = 0;
    for (int k = 1; k < 100; k++) p += (k % 2 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
    return std::min(1.0, x < 0.2 ? 1.0 : p);
  }

  /// Cumulative distribution of a density on [low, high], by the trapezoidal rule on a fine grid.
  std::function<double(double)> cumulative(double low, double high, const std::function<double(double)> &density)
  {
    constexpr int n = 200000;
    std::vector<double> sum(n + 1, 0.0);
    for (int i = 1; i <= n; i++) {
      const double a = low + (high - low) * (i - 1) / n, b = low + (high - low) * i / n;
      sum[i] = sum[i - 1] + density(a) + density(b);
    }
    return [=](double x) {
      const double at = std::clamp((x - low) / (high - low), 0.0, 1.0) * n;
      const int i = std::min(static_cast<int>(at), n - 1);
      return (sum[i] + (at - i) * (sum[i + 1] - sum[i])) / sum[n];
    };
  }

  /// Re tr U of the weight exp(c Re tr U) over SU(3): cumulative, from sums over the two phases of U.
  std::function<double(double)> trace_distribution(double c)
  {
    constexpr int n = 1500, bins = 20000;
    const double pi = std::acos(-1.0), low = -1.5, high = 3;
    std::vector<double> sum(bins + 1, 0.0);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const double a = 2 * pi * (i + 0.5) / n, b = 2 * pi * (j + 0.25) / n, t = -a - b;
        const auto s2 = [](double angle) { return std::pow(std::sin(angle / 2), 2); };
        const double trace = std::cos(a) + std::cos(b) + std::cos(t);
        const double haar = s2(a - b) * s2(b - t) * s2(t - a);
        const int bin = std::clamp(static_cast<int>((trace - low) / (high - low) * bins), 0, bins - 1);
        sum[bin + 1] += haar * std::exp(c * (trace - 3));
      }
    for (int i = 1; i <= bins; i++) sum[i] += sum[i - 1];
    return [=](double x) {
      const double at = std::clamp((x - low) / (high - low), 0.0, 1.0) * bins;
      const int i = std::min(static_cast<int>(at), bins - 1);
      return (sum[i] + (at - i) * (sum[i + 1] - sum[i])) / sum[bins];
    };
  }

  TEST(Su2Weight, FollowsTheExactDistribution)
  {
    const reference::Lattice lattice({8, 8, 8, 8});
    for (const double alpha : {0.0, 0.2, 0.74, 0.76, 2.0, 14.0, 300.0}) {
      const double reach = std::min(2.0, 40 / std::max(alpha, 1e-3));
      const auto exact =
          cumulative(0, reach, [=](double d) { return std::sqrt(std::max(0.0, d * (2 - d))) * std::exp(-alpha * d); });
      const auto even = [](double c) { return 0.5 * (c + 1); };
      reference::GaugeField first(lattice);
      bool drawn = false;
      support::on_targets([&] {
        const support::Place place(lattice, make_single_communicator());
        GaugeField field = support::native_links(place, reference::GaugeField(lattice), {});
        weight_draws().draw[0]({}, {field.view(), alpha, 4711});
        const reference::GaugeField quaternions = links_of(field, place);
        if (drawn) {
          EXPECT_TRUE(heatbath_tests::same_bits(quaternions, first));
          return;
        }
        first = quaternions;
        drawn = true;
        std::vector<double> d, cosine[3];
        for (const auto &direction : quaternions.U)
          for (const reference::Link &m : direction) {
            const double a[4] = {m(0, 0).real(), m(0, 0).imag(), m(0, 1).real(), m(0, 1).imag()};
            d.push_back(1 - a[0]);
            const double length = std::sqrt(a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
            EXPECT_NEAR(a[0] * a[0] + length * length, 1, 1e-14);
            for (int i = 0; i < 3; i++) cosine[i].push_back(a[i + 1] / length);
          }
        const double p = kolmogorov(d, exact);
        std::printf("alpha %g: p = %.3f, of the direction %.3f %.3f %.3f\n", alpha, p, kolmogorov(cosine[0], even),
                    kolmogorov(cosine[1], even), kolmogorov(cosine[2], even));
        EXPECT_GE(p, 1e-3) << alpha;
        for (const auto &c : cosine) EXPECT_GE(kolmogorov(c, even), 1e-3) << alpha;
      });
    }
  }

  /// Other links are 1, so the staples of each link are 6: Re tr U has the weight exp(2 beta Re tr U).
  TEST(OneLink, InAFixedEnvironment)
  {
    choose_target();
    const reference::Lattice lattice({8, 8, 8, 16});
    const support::Place place(lattice, make_single_communicator());
    for (const double beta : {0.05, 0.5, 3.0}) {
      GaugeField links = support::native_links(place, reference::GaugeField(lattice), {});
      HeatbathSweeps sweeps;
      sweeps.beta = beta;
      sweeps.seed = 12;
      // alternately, as a host code may
      for (unsigned sweep = 0; sweep < 60; sweep++) {
        heatbath_update(links, sweeps, 0, 2, false, sweep, 0);
        heatbath_update(links, sweeps, 0, 2, true, sweep, 0);
      }
      const reference::GaugeField gauge = links_of(links, place);
      std::vector<double> traces;
      for (std::size_t slot = 0; slot < lattice.half(); slot++) traces.push_back(gauge.U[2][slot].trace().real());
      for (std::size_t slot = lattice.half(); slot < lattice.volume(); slot++)
        ASSERT_EQ(gauge.U[2][slot], reference::Link::Identity());
      const double p = kolmogorov(traces, trace_distribution(2 * beta));
      std::printf("beta %g: p = %.3f\n", beta, p);
      EXPECT_GE(p, 1e-3) << beta;
    }
  }

} // namespace

} // namespace quda
