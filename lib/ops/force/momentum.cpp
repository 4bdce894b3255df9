#include "ops/force/momentum.h"

#include <vector>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/force/momentum_table.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "targets/target.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(MomentumTable, momentum_table)

namespace
{

  class UpdateLaunch : public TunableKernel2D
  {
  public:
    UpdateLaunch(GaugeField &out, const GaugeField &in, const UpdateCall &call)
        : TunableKernel2D(in.shared_lattice()->shared_communicator(), registers(in), 8, volume_text(in.lattice()).s,
                          "UpdateLinks",
                          key_text("prec=", bytes_of(in.precision()), ",recon=", in.reals(),
                                   call.exact ? ",exact" : ",series", out.data() == in.data() ? ",in_place" : "")
                              .s)
        , kernel_(instance(momentum_table().update, "update of links", in.precision(), in.reconstruct()))
        , call_(call)
        , out_(out)
        , in_(in)
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    /// A link: scaling and trace 15, invariants 45, powers 7 each, the sum of the series 170, the product 198.
    long long flops() const override
    {
      const int powers = !call_.exact ? 8 : in_.precision() == Precision::double_ ? 19 : 12;
      return 4 * (428 + 7 * powers) * in_.lattice().volume();
    }
    long long bytes() const override
    {
      return 4 * (2 * in_.reals() + 10) * in_.lattice().volume() * bytes_of(in_.precision());
    }
    std::vector<MemorySpan> in_place() const override
    {
      if (out_.data() != in_.data()) return {};
      return {{out_.data(), out_.bytes()}};
    }

  private:
    void (*kernel_)(const TuneParam &, void *, const UpdateCall &);
    const UpdateCall &call_;
    GaugeField &out_;
    const GaugeField &in_;
  };

  class ActionSum : public TunableReduction
  {
  public:
    explicit ActionSum(const GaugeField &momentum)
        : TunableReduction(momentum.shared_lattice()->shared_communicator(), registers(momentum), 2,
                           volume_text(momentum.lattice()).s, "MomentumAction",
                           key_text("prec=", bytes_of(momentum.precision())).s)
        , kernel_(instance(momentum_table().action, "momentum action", momentum.precision()))
        , call_ {momentum.view()}
        , momentum_(momentum)
    {
    }
    void launch(const TuneParam &tp, void *stream) override
    {
      sum = {};
      kernel_(tp, stream, call_, &sum);
    }
    long long flops() const override { return 76 * momentum_.lattice().volume(); }
    long long bytes() const override { return 40 * momentum_.lattice().volume() * bytes_of(momentum_.precision()); }

    ExactLimbs sum = {};

  private:
    void (*kernel_)(const TuneParam &, void *, const MomentumActionCall &, ExactLimbs *);
    MomentumActionCall call_;
    const GaugeField &momentum_;
  };

} // namespace

void update_links(GaugeField &out, const GaugeField &in, const GaugeField &momentum, double dt, bool exact)
{
  const bool fits = out.native() && in.native() && momentum.native() && out.precision() == in.precision() &&
                    momentum.precision() == in.precision() && out.reconstruct() == in.reconstruct() &&
                    in.link_type() != LinkType::momentum && momentum.link_type() == LinkType::momentum &&
                    !momentum.extended() && same_sites(out.lattice(), in.lattice()) &&
                    same_sites(momentum.lattice(), in.lattice());
  if (!fits || in.extended() || out.extended())
    fail(ErrorKind::internal, "update_links: fields of different kind, precision or lattice, or with a border");
  const UpdateCall call {out.view(), in.view(), momentum.view(), dt, exact};
  UpdateLaunch(out, in, call).apply();
  out.mark_written();
}

double momentum_action(const GaugeField &momentum)
{
  if (!momentum.native() || momentum.link_type() != LinkType::momentum || momentum.extended())
    fail(ErrorKind::internal, "momentum_action: no native momenta without border");
  ActionSum action(momentum);
  action.apply();
  sum_limbs(momentum.lattice().communicator(), &action.sum, 1);
  exact_add(action.sum, -16.0 * static_cast<double>(momentum.lattice().global_volume()));
  return exact_value(action.sum);
}

} // namespace quda
