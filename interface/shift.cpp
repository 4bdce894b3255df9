/// Covariant shifts of quark fields on the resident links.
///
///   covDevQuda : out(x) = U_dir(x) in(x + dir), dir 0 to 3; U_d(x - d)^dag in(x - d), d = dir - 4, dir 4 to 7
///   shiftQuda  : the first (sym 1), the second with d = dir (sym 2), half their sum (sym 3)
///   spinTasteQuda : the staggered operator of a spin and a taste (ops/dirac/spin_taste.h), for fields with one spin
/// dslash_type determines the number of spins: 1 for staggered kinds and the Laplace operator, else 4. cuda_prec is
/// that of the resident links or a lower one. secs and gflops as in dslashQuda().

#include "quda.h"

#include "interface/application.h"
#include "interface/jobs.h"
#include "interface/quark_job.h"
#include "ops/dirac/covariant_sum.h"
#include "ops/dirac/spin_taste.h"

namespace quda
{

namespace
{

  QuarkJob prepare_shift(Checks &checks, void *h_out, const void *h_in, const QudaInvertParam *param)
  {
    check_struct(checks.function, param);
    QuarkJob quarks = link_job(checks, *param, checks.session.wilson);
    add_fields(checks.function, quarks, *param, {"h_out", h_out, -1}, {"h_in", h_in, -1});
    return quarks;
  }

  void carry_out_shift(QuarkJob &job, QudaInvertParam &param, int legs, double factor)
  {
    carry_out(job, param, [&](const Dirac &dirac, ColorSpinorField &out, const ColorSpinorField &in) {
      covariant_sum(out, in, job.links->copy(job.storage), legs, {.b = factor});
      return 2 * dirac.dslash_flops(1) * (factor == 1 ? 1 : 2);
    });
  }

  Job<> shift(Checks &checks, void *h_out, void *h_in, int dir, int sym, QudaInvertParam *param)
  {
    check_range(checks.function, "dir", dir, 0, 3);
    check_range(checks.function, "sym", sym, 1, 3);
    checks.same("dir", dir);
    checks.same("sym", sym);
    return {prepare_shift(checks, h_out, h_in, param), [=](QuarkJob &job) {
              const int legs = (sym & 1 ? leg_ahead(dir) : 0) | (sym & 2 ? leg_behind(dir) : 0);
              carry_out_shift(job, *param, legs, sym == 3 ? 0.5 : 1);
            }};
  }

  Job<> spin_taste_job(Checks &checks, void *h_out, void *h_in, int spin, int taste, QudaInvertParam *param)
  {
    check_range(checks.function, "spin", spin, 0, 15);
    check_range(checks.function, "taste", taste, 0, 15);
    checks.same("spin", spin);
    checks.same("taste", taste);
    QuarkJob quarks = prepare_shift(checks, h_out, h_in, param);
    check_color_vectors(checks.function, quarks, *param);
    return {std::move(quarks), [=](QuarkJob &job) {
              carry_out(job, *param, [&](const Dirac &, ColorSpinorField &out, const ColorSpinorField &in) {
                spin_taste(out, in, &job.links->copy(job.storage), spin, taste);
                return spin_taste_flops(in, spin, taste);
              });
            }};
  }

} // namespace

constexpr JobOf<::shiftQuda> jobs::shiftQuda {"shiftQuda", shift};
constexpr JobOf<::spinTasteQuda> jobs::spinTasteQuda {"spinTasteQuda", spin_taste_job};

} // namespace quda

extern "C" {

void covDevQuda(void *h_out, void *h_in, int dir, QudaInvertParam *inv_param)
{
  quda::guard_collective(
      __func__,
      [&](quda::Checks &checks) {
        quda::check_range(checks.function, "dir", dir, 0, 7);
        checks.same("dir", dir);
        return quda::prepare_shift(checks, h_out, h_in, inv_param);
      },
      [&](quda::QuarkJob &job) {
        const int legs = dir < 4 ? quda::leg_ahead(dir) : quda::leg_behind(dir - 4);
        quda::carry_out_shift(job, *inv_param, legs, 1);
      });
}

void shiftQuda(void *h_out, void *h_in, int dir, int sym, QudaInvertParam *param)
{
  quda::jobs::shiftQuda.call(h_out, h_in, dir, sym, param);
}

void spinTasteQuda(void *h_out, void *h_in, int spin, int taste, QudaInvertParam *param)
{
  quda::jobs::spinTasteQuda.call(h_out, h_in, spin, taste, param);
}

} // extern "C"
