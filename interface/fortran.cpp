/// The Fortran entry points: names in lower case with an underscore, every argument by address. Each forwards to the C
/// function of quda.h, which documents arguments, ownership and errors.

#include "quda.h"
#include "quda_fortran.h"

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
void kinetic_quda_(double *kin, void *momentum, QudaGaugeParam *param) { *kin = momActionQuda(momentum, param); }

void dslash_quda_(void *h_out, void *h_in, QudaInvertParam *param, QudaParity *parity)
{
  dslashQuda(h_out, h_in, param, *parity);
}
void flush_chrono_quda_(int *index) { flushChronoQuda(*index); }
void invert_quda_(void *h_x, void *h_b, QudaInvertParam *param) { invertQuda(h_x, h_b, param); }
void mat_quda_(void *h_out, void *h_in, QudaInvertParam *param) { MatQuda(h_out, h_in, param); }
void mat_dag_mat_quda_(void *h_out, void *h_in, QudaInvertParam *param) { MatDagMatQuda(h_out, h_in, param); }

} // extern "C"
