#pragma once

#include "quda.h"

#ifdef __cplusplus
extern "C" {
#endif

void clover_quda_(void *, void *, QudaInvertParam *, QudaParity *, int *);
void free_clover_quda_(void);
void load_clover_quda_(void *, void *, QudaInvertParam *);
void dslash_quda_(void *, void *, QudaInvertParam *, QudaParity *);
void mat_dag_mat_quda_(void *, void *, QudaInvertParam *);
void mat_quda_(void *, void *, QudaInvertParam *);
void compute_gauge_force_quda_(void *, void *, int *, double *, double *, QudaGaugeParam *);
void compute_staggered_force_quda_(void *, double *, double *, void *, void *, QudaGaugeParam *, QudaInvertParam *);
void kinetic_quda_(double *, void *, QudaGaugeParam *);
void apply_staggered_phase_quda_(void);
void free_gauge_quda_(void);
void free_sloppy_gauge_quda_(void);
void load_gauge_quda_(void *, QudaGaugeParam *);
void remove_staggered_phase_quda_(void);
void update_gauge_field_quda_(void *, void *, double *, bool *, bool *, QudaGaugeParam *);
void comm_set_gridsize_(int *);
void end_quda_(void);
void init_quda_(int *);
void init_quda_device_(int *);
void init_quda_memory_(void);
void flush_chrono_quda_(int *);
void invert_multishift_quda_(void *, void *, QudaInvertParam *);
void invert_quda_(void *, void *, QudaInvertParam *);
void register_pinned_quda_(void *, size_t *);
void unregister_pinned_quda_(void *);
void plaq_quda_(double *);
void new_quda_gauge_param_(QudaGaugeParam *);
void new_quda_invert_param_(QudaInvertParam *);

#ifdef __cplusplus
}
#endif
