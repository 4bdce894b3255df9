#pragma once

/**
 * @file
 * Entry points for Fortran: every argument by address, names in lower case with a trailing underscore. Each calls
 * the function of quda.h in its comment; that header describes shapes, ownership, errors, and collectivity.
 */

#include "quda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Start and end */

/** initCommsGridQuda() with ranks counted x fastest. @param[in] grid four extents of the process grid */
void comm_set_gridsize_(int *grid);
/** initQuda(). @param[in] device number of the device */
void init_quda_(int *device);
/** initQudaDevice(). @param[in] device number of the device */
void init_quda_device_(int *device);
/** initQudaMemory() */
void init_quda_memory_(void);
/** endQuda() */
void end_quda_(void);

/** Tell the library of host memory that transfers will use; does nothing. @param[in] ptr first byte @param[in] bytes
 * size */
void register_pinned_quda_(void *ptr, size_t *bytes);
/** Forget about it; does nothing. @param[in] ptr first byte */
void unregister_pinned_quda_(void *ptr);

/* Parameter structures */

/** newQudaGaugeParam(). @param[out] param the structure, set to the defaults */
void new_quda_gauge_param_(QudaGaugeParam *param);
/** newQudaInvertParam(). @param[out] param the structure, set to the defaults */
void new_quda_invert_param_(QudaInvertParam *param);

/* Gauge fields */

/** loadGaugeQuda(). @param[in] h_gauge links @param[in,out] param gauge field */
void load_gauge_quda_(void *h_gauge, QudaGaugeParam *param);
/** freeGaugeQuda() */
void free_gauge_quda_(void);
/** Free the copies of lower precision of the resident gauge field; they come back when needed. */
void free_sloppy_gauge_quda_(void);
/** Put staggered phases on the resident gauge field. */
void apply_staggered_phase_quda_(void);
/** Take them off. */
void remove_staggered_phase_quda_(void);
/** plaqQuda(). @param[out] plaq mean, spatial, temporal */
void plaq_quda_(double plaq[3]);
/** updateGaugeFieldQuda(). @param[in,out] gauge links @param[in] momentum A @param[in] dt step
 *  @param[in] conj_mom true: A^dag @param[in] exact true: closed form @param[in] param gauge field */
void update_gauge_field_quda_(void *gauge, void *momentum, double *dt, bool *conj_mom, bool *exact,
                              QudaGaugeParam *param);

/* Forces and momenta */

/** computeGaugeForceQuda() with the paths of a gauge action. @param[in,out] mom momentum @param[in] gauge links
 *  @param[in] num_loop_types 1: plaquettes, 2: and rectangles, 3: and parallelograms @param[in] coeff weight of each
 *  @param[in] dt step @param[in] param gauge field */
void compute_gauge_force_quda_(void *mom, void *gauge, int *num_loop_types, double *coeff, double *dt,
                               QudaGaugeParam *param);
/** computeStaggeredForceQuda(). @param[in,out] mom momentum @param[in] dt step @param[in] delta factor
 *  @param[in] gauge not read @param[in] x not read @param[in] gauge_param gauge field @param[in] invert_param solutions
 */
void compute_staggered_force_quda_(void *mom, double *dt, double *delta, void *gauge, void *x,
                                   QudaGaugeParam *gauge_param, QudaInvertParam *invert_param);
/** momActionQuda(). @param[out] kin energy @param[in] momentum momentum @param[in] param gauge field */
void kinetic_quda_(double *kin, void *momentum, QudaGaugeParam *param);

/* Clover term */

/** loadCloverQuda(). @param[in,out] h_clover A @param[in,out] h_clovinv its inverse @param[in,out] inv_param parameters
 */
void load_clover_quda_(void *h_clover, void *h_clovinv, QudaInvertParam *inv_param);
/** freeCloverQuda() */
void free_clover_quda_(void);
/** cloverQuda(). @param[out] h_out result @param[in] h_in source @param[in] inv_param parameters @param[in] parity
 * which
 *  @param[in] inverse 1: inverse */
void clover_quda_(void *h_out, void *h_in, QudaInvertParam *inv_param, QudaParity *parity, int *inverse);

/* Operators and solvers */

/** dslashQuda(). @param[out] h_out result @param[in] h_in source @param[in] inv_param operator @param[in] parity of
 * h_out */
void dslash_quda_(void *h_out, void *h_in, QudaInvertParam *inv_param, QudaParity *parity);
/** MatQuda(). @param[out] h_out result @param[in] h_in source @param[in] inv_param operator */
void mat_quda_(void *h_out, void *h_in, QudaInvertParam *inv_param);
/** MatDagMatQuda(). @param[out] h_out result @param[in] h_in source @param[in] inv_param operator */
void mat_dag_mat_quda_(void *h_out, void *h_in, QudaInvertParam *inv_param);
/** invertQuda(). @param[in,out] h_x solution @param[in] h_b source @param[in,out] param operator and solver */
void invert_quda_(void *h_x, void *h_b, QudaInvertParam *param);
/** invertMultiShiftQuda(). @param[out] h_x solutions, one after the other @param[in] h_b source
 *  @param[in,out] param operator and solver */
void invert_multishift_quda_(void *h_x, void *h_b, QudaInvertParam *param);
/** flushChronoQuda(). @param[in] index which history; negative: all */
void flush_chrono_quda_(int *index);

#ifdef __cplusplus
}
#endif
