/// Fortran entry points: names in lower case with an underscore, every argument by address. Each forwards to the C
/// function of quda.h, which documents arguments, ownership and errors. Solutions of several shifts are contiguous in
/// one array.

#include "quda.h"
#include "quda_fortran.h"

#include "interface/gauge_action_paths.h"
#include "interface/params/param_table.h"
#include "interface/quark_job.h"

#include <vector>

namespace
{

/// Fortran host codes number their ranks with x running fastest; fdata: the four extents of the process grid.
int rank_of_coordinates(const int *coords, void *fdata)
{
  const int *grid = static_cast<const int *>(fdata);
  return ((coords[3] * grid[2] + coords[2]) * grid[1] + coords[1]) * grid[0] + coords[0];
}

} // namespace

extern "C" {

void comm_set_gridsize_(int *grid) { initCommsGridQuda(4, grid, grid ? rank_of_coordinates : nullptr, grid); }

void register_pinned_quda_(void *, size_t *) {} // transfers detect the kind of memory of a pointer themselves
void unregister_pinned_quda_(void *) {}

void init_quda_(int *device) { initQuda(*device); }
void init_quda_device_(int *device) { initQudaDevice(*device); }
void init_quda_memory_(void) { initQudaMemory(); }
void end_quda_(void) { endQuda(); }

void new_quda_gauge_param_(QudaGaugeParam *param) { *param = newQudaGaugeParam(); }
void new_quda_invert_param_(QudaInvertParam *param) { *param = newQudaInvertParam(); }

void load_gauge_quda_(void *h_gauge, QudaGaugeParam *param) { loadGaugeQuda(h_gauge, param); }
void free_gauge_quda_(void) { freeGaugeQuda(); }
void plaq_quda_(double plaq[3]) { plaqQuda(plaq); }

void load_clover_quda_(void *h_clover, void *h_clovinv, QudaInvertParam *param)
{
  loadCloverQuda(h_clover, h_clovinv, param);
}
void free_clover_quda_(void) { freeCloverQuda(); }
void clover_quda_(void *h_out, void *h_in, QudaInvertParam *param, QudaParity *parity, int *inverse)
{
  cloverQuda(h_out, h_in, param, *parity, *inverse);
}

void update_gauge_field_quda_(void *gauge, void *momentum, double *dt, bool *conj_mom, bool *exact,
                              QudaGaugeParam *param)
{
  updateGaugeFieldQuda(gauge, momentum, *dt, *conj_mom, *exact, param);
}
void compute_staggered_force_quda_(void *mom, double *dt, double *delta, void *gauge, void *,
                                   QudaGaugeParam *gauge_param, QudaInvertParam *invert_param)
{
  computeStaggeredForceQuda(mom, *dt, *delta, gauge, nullptr, gauge_param, invert_param);
}
void compute_gauge_force_quda_(void *mom, void *gauge, int *num_loop_types, double *coeff, double *dt,
                               QudaGaugeParam *param)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Checks &checks) {
        check_not_null(checks.function, "num_loop_types", num_loop_types);
        check_not_null(checks.function, "dt", dt);
        GaugeActionPaths::check(checks, *num_loop_types, "coeff", coeff);
        return GaugeActionPaths(*num_loop_types, coeff);
      },
      [&](GaugeActionPaths &paths) {
        computeGaugeForceQuda(mom, gauge, paths.steps(), paths.lengths(), paths.weights(), paths.count(),
                              GaugeActionPaths::longest, *dt, param);
      });
}
void kinetic_quda_(double *kin, void *momentum, QudaGaugeParam *param) { *kin = momActionQuda(momentum, param); }

void dslash_quda_(void *h_out, void *h_in, QudaInvertParam *param, QudaParity *parity)
{
  dslashQuda(h_out, h_in, param, *parity);
}
void flush_chrono_quda_(int *index) { flushChronoQuda(*index); }
void invert_quda_(void *h_x, void *h_b, QudaInvertParam *param) { invertQuda(h_x, h_b, param); }
void invert_multishift_quda_(void *h_x, void *h_b, QudaInvertParam *param)
{
  using namespace quda;
  guard_collective(
      __func__,
      [&](Checks &checks) {
        using P = QudaInvertParam;
        check_struct(checks.function, param);
        check(checks, *param, &P::solution_type, &P::num_offset);
        QuarkJob first = quark_job(checks, *param, false);
        const int parity = preconditioned(param->solution_type) ? 0 : -1;
        add_fields(checks.function, first, *param, {"h_x", h_x, parity}, {"h_b", h_b, parity});
        const ColorSpinorField &one = first.h_out[0];
        const long long bytes = one.sites() * one.layers() * one.record_bytes();
        std::vector<void *> x;
        for (int k = 0; k < param->num_offset; k++) x.push_back(static_cast<char *>(h_x) + k * bytes);
        return x;
      },
      [&](std::vector<void *> &x) { invertMultiShiftQuda(x.data(), h_b, param); });
}
/// Nothing to do: sloppy copies of the links are freed with the links.
void free_sloppy_gauge_quda_(void) {}
void mat_quda_(void *h_out, void *h_in, QudaInvertParam *param) { MatQuda(h_out, h_in, param); }
void mat_dag_mat_quda_(void *h_out, void *h_in, QudaInvertParam *param) { MatDagMatQuda(h_out, h_in, param); }

} // extern "C"
