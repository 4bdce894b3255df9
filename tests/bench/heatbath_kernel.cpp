/// heatbath, overrelaxation: one update of all links, parity by parity and direction by direction. Flops of a link:
/// 2,808, random numbers not counted; of its traffic each link is counted read once and written once an update.

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/heatbath/heatbath.h"
#include "reference/heatbath/heatbath.h"

namespace quda::bench
{

namespace
{

  class Update : public Kernel
  {
  public:
    Update(const Setting &setting, bool relax)
        : host_(*setting.host)
        , links_(host_.native_links(setting.precision, setting.reconstruct))
        , relax_(relax)
    {
    }
    void run() override
    {
      sweeps_.heatbath = !relax_;
      sweeps_.relax = relax_;
      heatbath(links_, sweeps_);
      sweeps_.first++;
    }
    double flops() const override { return 2808.0 * 4 * static_cast<double>(links_.lattice().volume()); }
    double bytes() const override { return 2 * working_set(); }
    double working_set() const override
    {
      return 4.0 * static_cast<double>(links_.lattice().volume()) * static_cast<int>(links_.reconstruct()) *
             bytes_of(links_.precision());
    }
    /// Fresh links, updated once, against the plain reference.
    bool check() override
    {
      if (!host_.whole()) return true;
      links_ = host_.native_links(links_.precision(), links_.reconstruct());
      sweeps_.first = 0;
      run();
      reference::GaugeField right = host_.links();
      reference::sweep(right, sweeps_.beta, !relax_, relax_, sweeps_.seed, 0);
      const bool is_double = links_.precision() == Precision::double_;
      return reference::deviation(saved(), right) <= (is_double ? 1e-12 : 1e-4);
    }

  private:
    reference::GaugeField saved() const
    {
      GaugeFieldParam param = links_.param();
      param.precision = Precision::double_;
      param.order = GaugeOrder::qdp;
      param.location = Location::host;
      param.reconstruct = Reconstruct::none;
      param.create = Create::reference;
      reference::QdpLinks<double> host;
      for (int mu = 0; mu < 4; mu++) {
        host[mu].resize(18 * static_cast<std::size_t>(links_.lattice().volume()));
        param.data[mu] = host[mu].data();
      }
      GaugeField foreign(param);
      foreign = links_;
      return reference::from_qdp(host_.lattice(), host);
    }

    HostData &host_;
    GaugeField links_;
    bool relax_;
    HeatbathSweeps sweeps_;
  };

  class HeatbathUpdate : public Update
  {
  public:
    explicit HeatbathUpdate(const Setting &setting)
        : Update(setting, false)
    {
    }
  };

  class OverRelaxation : public Update
  {
  public:
    explicit OverRelaxation(const Setting &setting)
        : Update(setting, true)
    {
    }
  };

  const Registered heatbath_entry("heatbath", Variant::library, Needs::links, made<HeatbathUpdate>);
  const Registered relaxation_entry("overrelaxation", Variant::library, Needs::links, made<OverRelaxation>);

} // namespace

} // namespace quda::bench
