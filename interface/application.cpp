#include "interface/application.h"

#include "comms/found_together.h"
#include "core/profile.h"
#include "dirac/make_dirac.h"
#include "ops/clover/clover_set.h"
#include "ops/copy/redistribute.h"

#include <optional>

namespace quda
{

namespace
{

  /// The operator on the sub-grids' clover term and long links.
  DiracParam moved(DiracParam dirac, const std::shared_ptr<const SubGrids> &grids)
  {
    std::visit(
        [&](auto &of) {
          if constexpr (requires { of.clover; })
            if (of.clover) of.clover = &of.clover->on(grids);
          if constexpr (requires { of.long_links; })
            if (of.long_links) of.long_links = &of.long_links->on(grids);
        },
        dirac);
    return dirac;
  }

  /// Shape of a sub-grid's share of a field.
  ColorSpinorParam share_of(const ColorSpinorField &all, const SubGrids &grids)
  {
    ColorSpinorParam param = all.param();
    param.lattice = grids.lattice();
    param.rhs /= grids.count();
    return param;
  }

} // namespace

void carry_out(QuarkJob &job, QudaInvertParam &param, const Application &apply)
{
  job.timer.start();
  const VerbosityScope printing(verbosity_of(param));
  if (log_prints(Verbosity::debug)) printQudaInvertParam(&param);
  std::optional<ColorSpinorField> in, out;
  {
    const PhaseScope phase(Phase::init);
    in.emplace(native_block(job.h_in, job.storage.precision));
    out.emplace(native_block(job.h_out, job.storage.precision));
  }
  {
    const PhaseScope phase(Phase::h2d);
    for (StagedSlice &slice : job.staged_in) slice.fetch();
    load_block(*in, job.h_in);
  }
  const double flops = on_sub_grids(job, *out, *in, false, apply);
  {
    const PhaseScope phase(Phase::d2h);
    save_block(job.h_out, *out);
    for (const StagedSlice &slice : job.staged_out) slice.give();
  }
  report_work(job, param, flops);
}

double on_sub_grids(QuarkJob &job, ColorSpinorField &out, const ColorSpinorField &in, bool reads_out,
                    const Application &apply)
{
  if (!job.split) {
    std::unique_ptr<Dirac> dirac;
    {
      const PhaseScope phase(Phase::init);
      dirac = make_dirac(job.dirac, *job.links, job.storage);
    }
    const PhaseScope phase(Phase::compute);
    return apply(*dirac, out, in);
  }
  std::shared_ptr<const SubGrids> &grids = job.split->grids;
  const std::shared_ptr<const Lattice> &lattice = job.links->precise().shared_lattice();
  Communicator &all = lattice->communicator();
  const LinkSet *links;
  DiracParam dirac_param;
  std::optional<ColorSpinorField> part_out, part_in;
  {
    const PhaseScope phase(Phase::comms);
    grids = job.split->session->sub_grids(lattice, job.split->parts);
    links = &job.links->on(grids);
    dirac_param = moved(job.dirac, grids);
    found_together(all, [&] {
      part_out.emplace(share_of(out, *grids));
      part_in.emplace(share_of(in, *grids));
    });
    redistribute(*grids, *part_in, in);
    if (reads_out) redistribute(*grids, *part_out, out);
  }
  double flops = 0;
  {
    const PhaseScope phase(Phase::compute);
    parts_together(all, [&] { flops = apply(*make_dirac(dirac_param, *links, job.storage), *part_out, *part_in); });
  }
  const PhaseScope phase(Phase::comms);
  redistribute(*grids, out, *part_out);
  return flops;
}

} // namespace quda
