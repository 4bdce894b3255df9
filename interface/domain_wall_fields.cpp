/// Conversion between fields of domain-wall fermions and fields in four dimensions.
///
///   domainWallQuarkQuda  : P_- psi_0 + P_+ psi_{Ls-1} of a field psi of Ls slices, or the same in their middle
///   domainWallSourceQuda : a source in four dimensions on the end slices, P_+ of it on the first
/// P_+- = (1 +- gamma5) / 2. Both fields are on the host; in the DeGrand-Rossi basis P_+ is spins 0 and 1.

#include "quda_ext.h"

#include "interface/domain_wall.h"
#include "interface/quark_job.h"

#include <algorithm>
#include <vector>

namespace quda
{

namespace
{

  /// h_in or h_out of `quarks` is the field of Ls slices.
  struct SurfaceJob {
    QuarkJob quarks;
    std::vector<ColorSpinorField> four;
  };

  SurfaceJob prepare(Checks &checks, const QudaInvertParam *param, const HostArray &fifth, const HostArray &four,
                     bool from_fifth)
  {
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &QudaInvertParam::dslash_type);
    if (!domain_wall(param->dslash_type))
      refuse(
          function, "QudaInvertParam.dslash_type", param->dslash_type,
          "QUDA_DOMAIN_WALL_DSLASH, QUDA_DOMAIN_WALL_4D_DSLASH, QUDA_MOBIUS_DWF_DSLASH, QUDA_MOBIUS_DWF_EOFA_DSLASH");
    SurfaceJob job {quark_job(checks, *param, true), {}};
    check_not_null(function, four.name.c_str(), four.data);
    if (from_fifth)
      add_input(function, job.quarks, *param, fifth);
    else
      add_output(function, job.quarks, *param, fifth);
    ColorSpinorParam shape = (from_fifth ? job.quarks.h_in : job.quarks.h_out)[0].param();
    shape.fifth = 1;
    shape.create = Create::reference;
    shape.data = const_cast<void *>(four.data);
    job.four.emplace_back(shape);
    return job;
  }

  /// Shape of the same field in double precision, dirac order and DeGrand-Rossi basis.
  ColorSpinorField plain(const ColorSpinorField &like)
  {
    ColorSpinorParam param = like.param();
    param.precision = Precision::double_;
    param.order = DiracOrder::dirac;
    param.basis = GammaBasis::degrand_rossi;
    param.location = Location::host;
    return ColorSpinorField(param);
  }

  /// Calls take(place in four dimensions, place with slice) for the spins of a chirality at each site.
  template <class Take> void each_site(const ColorSpinorField &four, const ColorSpinorField &fifth,
                                       bool five_dimensions, int slice, int chirality, const Take &take)
  {
    const auto sites = static_cast<std::size_t>(four.lattice().volume_cb()),
               Ls = static_cast<std::size_t>(fifth.fifth()), s = static_cast<std::size_t>(slice);
    auto *const a = static_cast<double *>(four.data());
    auto *const b = static_cast<double *>(fifth.data());
    for (std::size_t p = 0; p < 2; p++)
      for (std::size_t x = 0; x < sites; x++) {
        const std::size_t parity = five_dimensions ? (p + s) % 2 : p, half = chirality == 0 ? 0 : 12;
        take(a + 24 * (p * sites + x) + half, b + 24 * ((parity * Ls + s) * sites + x) + half);
      }
  }

  void carry_out(SurfaceJob &job, QudaInvertParam &param, bool from_fifth, int of_plus, int of_minus)
  {
    job.quarks.timer.start();
    ColorSpinorField &h_fifth = (from_fifth ? job.quarks.h_in : job.quarks.h_out)[0], &h_four = job.four[0];
    ColorSpinorField fifth = plain(h_fifth), four = plain(h_four);
    (from_fifth ? fifth : four) = from_fifth ? h_fifth : h_four;
    if (!from_fifth) std::fill_n(static_cast<double *>(fifth.data()), fifth.bytes() / sizeof(double), 0.0);
    const bool five_dimensions = param.dslash_type == QUDA_DOMAIN_WALL_DSLASH;
    for (const int chirality : {0, 1})
      each_site(four, fifth, five_dimensions, chirality == 0 ? of_plus : of_minus, chirality,
                [&](double *a, double *b) { from_fifth ? std::copy_n(b, 12, a) : std::copy_n(a, 12, b); });
    (from_fifth ? h_four : h_fifth) = from_fifth ? four : fifth;
    report_work(job.quarks, param, 0);
  }

} // namespace

} // namespace quda

extern "C" {

void domainWallQuarkQuda(void *h_quark, void *h_fifth, int midpoint, QudaInvertParam *param)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Checks &checks) {
        check_range(checks.function, "midpoint", midpoint, 0, 1);
        checks.same("midpoint", midpoint);
        SurfaceJob job = prepare(checks, param, {"h_fifth", h_fifth, -1}, {"h_quark", h_quark, -1}, true);
        if (midpoint && param->Ls % 2)
          fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.Ls = %d with midpoint = 1; allowed: an even number",
                                             checks.function, param->Ls));
        return job;
      },
      [&](SurfaceJob &job) {
        const int Ls = param->Ls;
        carry_out(job, *param, true, midpoint ? Ls / 2 - 1 : Ls - 1, midpoint ? Ls / 2 : 0);
      });
}

void domainWallSourceQuda(void *h_fifth, void *h_source, QudaInvertParam *param)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Checks &checks) {
        return prepare(checks, param, {"h_fifth", h_fifth, -1}, {"h_source", h_source, -1}, false);
      },
      [&](SurfaceJob &job) { carry_out(job, *param, false, 0, param->Ls - 1); });
}

} // extern "C"
