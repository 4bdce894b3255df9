#include "programs/common/hisq_quarks.h"

#include "reference/links/fat_links.h"

namespace program
{

namespace
{

  using Field = std::vector<double>; // (x_cb, color, re/im), of one parity
  using Links = reference::QdpLinks<double>;

  struct Pointers {
    void *of_mu[4];
    explicit Pointers(const Links &links)
    {
      for (int mu = 0; mu < 4; mu++) of_mu[mu] = const_cast<double *>(links[mu].data());
    }
  };

  class HisqAction : public QuarkAction
  {
  public:
    HisqAction(const Process &process, const HostGauge &gauge, const Options &options, const HisqWish &wish)
        : process_(process)
        , gauge_(gauge)
        , options_(options)
        , wish_(wish)
        , first_(reference::phased(reference::fat7_weights))
        , second_(reference::phased(reference::hisq_weights))
        , half_(gauge.part().local.half())
        , mass2_(4 * wish.mass * wish.mass)
        , action_(reference::best_power_within(-wish.flavours / 4, mass2_, mass2_ + wish.high, wish.error))
        , heatbath_(reference::best_power_within(wish.flavours / 8, mass2_, mass2_ + wish.high, wish.error))
    {
      options_.dslash_type = QUDA_ASQTAD_DSLASH;
      options_.mass = wish.mass;
      options_.normalization = QUDA_MASS_NORMALIZATION;
      options_.matpc = QUDA_MATPC_EVEN_EVEN;
      options_.dagger = false;
    }

    /// Links of all levels, and those of the operator in the library.
    void load() override
    {
      thin_ = gauge_.resident();
      for (std::size_t slot = 0; slot < gauge_.part().local.volume(); slot++) {
        const reference::Coords x = gauge_.part().global_coords(slot);
        const int sum[4] = {x[3], x[3] + x[0], x[3] + x[0] + x[1], 0};
        for (int mu = 0; mu < 3; mu++)
          if (sum[mu] % 2)
            for (int k = 0; k < 18; k++) thin_[mu][18 * slot + k] = -thin_[mu][18 * slot + k];
      }
      fat7_ = unitary_ = thin_;
      Links fat = thin_, straight = thin_;
      QudaGaugeParam param = links_param();
      computeKSLinkQuda(Pointers(fat7_).of_mu, nullptr, Pointers(unitary_).of_mu, Pointers(thin_).of_mu, first_.data(),
                        &param);
      computeKSLinkQuda(Pointers(fat).of_mu, Pointers(straight).of_mu, nullptr, Pointers(unitary_).of_mu,
                        second_.data(), &param);
      param.type = QUDA_ASQTAD_FAT_LINKS;
      loadGaugeQuda(Pointers(fat).of_mu, &param);
      param.type = QUDA_ASQTAD_LONG_LINKS;
      loadGaugeQuda(Pointers(straight).of_mu, &param);
    }

    void refresh(unsigned long long seed) override
    {
      const Field eta = noise(seed);
      expected_ = norm2(eta);
      solve(eta, heatbath_);
      phi_ = eta;
      for (double &number : phi_) number *= heatbath_.scale;
      for (std::size_t i = 0; i < x_.size(); i++)
        for (std::size_t k = 0; k < phi_.size(); k++) phi_[k] += heatbath_.residues[i] * x_[i][k];
      rest_ = action_.scale * norm2(phi_);
    }

    double energy() override { return solve(phi_, action_); }
    double rest() const override { return rest_; }
    double expected() const override { return expected_; }

    /// dS = 2 sum_i residue_i Re x_i^dag dD_eo y_i with y_i = D_oe x_i.
    void add_force(double t, const QudaGaugeParam &gauge_param) override
    {
      solve(phi_, action_);
      QudaInvertParam hop = param();
      std::vector<Field> quarks;
      std::vector<void *> pointers;
      std::vector<std::array<double, 2>> weights;
      std::vector<double *> coefficients;
      for (std::size_t i = 0; i < x_.size(); i++) {
        quarks.push_back(x_[i]);
        quarks.back().resize(12 * half_);
        dslashQuda(&quarks.back()[6 * half_], x_[i].data(), &hop, QUDA_ODD_PARITY);
        weights.push_back({2 * action_.residues[i], 2 * action_.residues[i] * second_[1]});
      }
      for (std::size_t i = 0; i < quarks.size(); i++) {
        pointers.push_back(quarks[i].data());
        coefficients.push_back(weights[i].data());
      }
      QudaGaugeParam how = gauge_param;
      how.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
      how.staggered_phase_applied = 1;
      how.reconstruct = QUDA_RECONSTRUCT_NO;
      computeHISQForceQuda(nullptr, t, second_.data(), first_.data(), Pointers(unitary_).of_mu, Pointers(fat7_).of_mu,
                           Pointers(thin_).of_mu, pointers.data(), static_cast<int>(quarks.size()), 0,
                           coefficients.data(), &how);
    }

    std::string name() const override { return "HISQ, " + std::to_string(action_.poles.size()) + " poles"; }

  private:
    QudaGaugeParam links_param() const
    {
      QudaGaugeParam param = gauge_.param();
      param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
      param.staggered_phase_applied = 1;
      param.reconstruct = param.reconstruct_sloppy = QUDA_RECONSTRUCT_NO;
      return param;
    }

    QudaInvertParam param() const
    {
      QudaInvertParam param = invert_param(options_);
      param.solution_type = QUDA_MATPC_SOLUTION;
      param.solve_type = QUDA_DIRECT_PC_SOLVE;
      param.inv_type = QUDA_CG_INVERTER;
      param.residual_type = QUDA_L2_RELATIVE_RESIDUAL;
      param.tol = wish_.tol;
      param.maxiter = wish_.maxiter;
      param.reliable_delta = 0.1;
      param.compute_action = param.compute_true_res = 1;
      return param;
    }

    /// One spin of the even sites' noise.
    Field noise(unsigned long long seed) const
    {
      const Field all = random_share(gauge_, seed, 0);
      Field one;
      for (std::size_t site = 0; site < half_; site++)
        one.insert(one.end(), all.begin() + static_cast<std::ptrdiff_t>(24 * site),
                   all.begin() + static_cast<std::ptrdiff_t>(24 * site + 6));
      return one;
    }

    double norm2(const Field &field) const
    {
      double sum = 0;
      for (const double number : field) sum += number * number;
      return process_.sum(sum);
    }

    /// x_i = (4 m^2 + pole_i - D D)^-1 b; sum of residue_i x_i^dag b.
    double solve(const Field &b, const reference::Rational &r)
    {
      QudaInvertParam system = param();
      system.num_offset = static_cast<int>(r.poles.size());
      x_.assign(r.poles.size(), Field(b.size(), 0.0));
      std::vector<void *> pointers;
      for (std::size_t i = 0; i < r.poles.size(); i++) {
        system.offset[i] = mass2_ + r.poles[i];
        system.residue[i] = r.residues[i];
        system.tol_offset[i] = wish_.tol;
        pointers.push_back(x_[i].data());
      }
      invertMultiShiftQuda(pointers.data(), const_cast<double *>(b.data()), &system);
      if (system.iter >= system.maxiter) throw std::runtime_error("no solution of the HISQ quarks' systems");
      count({system.action[0], system.iter});
      return system.action[0];
    }

    const Process &process_;
    const HostGauge &gauge_;
    Options options_;
    const HisqWish wish_;
    reference::PathWeights first_, second_; // of the levels
    const std::size_t half_;
    const double mass2_;
    const reference::Rational action_, heatbath_;
    Links thin_, fat7_, unitary_;
    std::vector<Field> x_;
    Field phi_;
    double expected_ = 0, rest_ = 0;
  };

} // namespace

std::unique_ptr<QuarkAction> hisq_action(const Process &process, const HostGauge &gauge, const Options &options,
                                         const HisqWish &wish)
{
  return std::make_unique<HisqAction>(process, gauge, options, wish);
}

} // namespace program
