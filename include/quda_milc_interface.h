#pragma once

#include "quda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct QudaMILCSiteArg_s {
  void *site;
  void *link;
  size_t link_offset;
  void *mom;
  size_t mom_offset;
  size_t size;
} QudaMILCSiteArg_t;

typedef struct QudaInvertArgs_s {
  int max_iter;
  QudaParity evenodd;
  int mixed_precision;
  double boundary_phase[4];
  int make_resident_solution;
  int use_resident_solution;
  QudaInverterType solver_type;
  double tadpole;
  double naik_epsilon;
} QudaInvertArgs_t;

typedef struct QudaEigArgs_s {
  QudaPrecision prec_ritz;
  int nev;
  int max_search_dim;
  int deflation_grid;
  double tol_restart;
  int eigcg_max_restarts;
  int max_restart_num;
  double inc_tol;
  double eigenval_tol;
  QudaExtLibType solver_ext_lib;
  QudaExtLibType deflation_ext_lib;
  QudaFieldLocation location_ritz;
  QudaMemoryType mem_type_ritz;
  char *vec_infile;
  char *vec_outfile;
} QudaEigArgs_t;

typedef struct QudaLayout_s {
  const int *latsize;
  const int *machsize;
  int device;
} QudaLayout_t;

typedef struct QudaInitArgs_s {
  QudaVerbosity verbosity;
  QudaLayout_t layout;
} QudaInitArgs_t;

typedef struct QudaHisqParams_s {
  int reunit_allow_svd;
  int reunit_svd_only;
  double reunit_svd_abs_error;
  double reunit_svd_rel_error;
  double force_filter;
} QudaHisqParams_t;

typedef struct QudaFatLinkArgs_s {
  int su3_source;
  int use_pinned_memory;
} QudaFatLinkArgs_t;

typedef struct QudaContractArgs_s {
  int n_mom;
  int *mom_modes;
  QudaFFTSymmType *fft_type;
  int *source_position;
  double flops;
  double dtime;
} QudaContractArgs_t;

typedef struct QudaTwoLinkQuarkSmearArgs_s {
  int n_steps;
  double width;
  int compute_2link;
  int delete_2link;
  int t0;
  int laplaceDim;
} QudaTwoLinkQuarkSmearArgs_t;

void qudaCloverDerivative(void *, void *, void *, int, int, double, int, int, int);
void qudaCloverTrace(void *, void *, int, int);
void qudaFreeCloverField(void);
void qudaLoadCloverField(int, int, QudaInvertArgs_t, void *, void *, QudaSolutionType, QudaSolveType, double, int, double *);
void qudaContractFT(int, QudaContractArgs_t *, void *const, void *const, double *);
void qudaDslash(int, int, QudaInvertArgs_t, const void *const, const void *const, void *, void *, int *);
void qudaShift(int, int, const void *const, void *, void *, int, int, int);
void qudaSpinTaste(int, int, const void *const, void *, void *, int, int, int);
void qudaAsqtadForce(int, const double *, const void *const *, const void *const *, const void *const, void *const);
void qudaCloverForce(void *, double, void **, void **, double *, double, double, int, double, void *, int, QudaInvertArgs_t);
void qudaComputeOprod(int, int, int, double **, double, void **, void **);
void qudaGaugeForce(int, int, double *, double, QudaMILCSiteArg_t *);
void qudaGaugeForcePhased(int, int, double *, double, QudaMILCSiteArg_t *, int);
void qudaHisqForce(int, int, int, double, double **, void **, const double *, const double *, const void *const, const void *const, const void *const, void *const);
double qudaMomAction(int, QudaMILCSiteArg_t *);
void qudaMomLoad(int, QudaMILCSiteArg_t *);
void qudaMomSave(int, QudaMILCSiteArg_t *);
void *qudaCreateExtendedGaugeField(void *, int, int);
void *qudaCreateGaugeField(void *, int, int);
void qudaDestroyGaugeField(void *);
void qudaFreeGaugeField(void);
void qudaLoadGaugeField(int, int, QudaInvertArgs_t, const void *);
void qudaRephase(int, void *, int, double);
void *qudaResidentExtendedGaugeField(void *, int, int);
void qudaSaveGaugeField(void *, void *);
void qudaUnitarizeSU3(int, double, QudaMILCSiteArg_t *);
void qudaUnitarizeSU3Phased(int, double, QudaMILCSiteArg_t *, int);
void qudaUpdateU(int, double, QudaMILCSiteArg_t *);
void qudaUpdateUPhased(int, double, QudaMILCSiteArg_t *, int);
void qudaUpdateUPhasedPipeline(int, double, QudaMILCSiteArg_t *, int, int);
void qudaGaugeFixingFFT(int, unsigned int, int, int, double, unsigned int, double, unsigned int, void *);
void qudaGaugeFixingOVR(int, unsigned int, int, int, double, double, unsigned int, unsigned int, QudaMILCSiteArg_t *);
void qudaFreeTwoLink(void);
void qudaHisqParamsInit(QudaHisqParams_t);
void qudaLoadKSLink(int, QudaFatLinkArgs_t, const double *, void *, void *, void *);
void qudaLoadUnitarizedLink(int, QudaFatLinkArgs_t, const double *, void *, void *, void *);
void qudaFinalize(void);
void qudaInit(QudaInitArgs_t);
void qudaSetLayout(QudaLayout_t);
void qudaSetMPICommHandle(void *);
void qudaCloverInvert(int, int, double, double, QudaInvertArgs_t, double, double, const void *, void *, void *, void *, void *, double *const, double *const, int *);
void qudaCloverMultishiftInvert(int, int, int, double *const, double, double, QudaInvertArgs_t, const double *, void *, void **, double *const, int *);
void qudaDDInvert(int, int, double, QudaInvertArgs_t, double, double, const int *const, const void *const, const void *const, void *, void *, double *const, double *const, int *);
void qudaEigCGCloverInvert(int, int, double, double, QudaInvertArgs_t, double, double, const void *, void *, void *, void *, void *, QudaEigArgs_t, const int, const int, double *const, double *const, int *);
void qudaEigCGInvert(int, int, double, QudaInvertArgs_t, double, double, const void *const, const void *const, void *, void *, QudaEigArgs_t, const int, const int, double *const, double *const, int *);
void qudaInvert(int, int, double, QudaInvertArgs_t, double, double, const void *const, const void *const, void *, void *, double *const, double *const, int *);
void qudaInvertMsrc(int, int, double, QudaInvertArgs_t, double, double, const void *const, const void *const, void **, void **, double *const, double *const, int *, int);
void qudaMultishiftInvert(int, int, int, double *const, QudaInvertArgs_t, const double *, const double *, const void *const, const void *const, void *, void **, double *const, double *const, int *);
void *qudaAllocateManaged(size_t);
void *qudaAllocatePinned(size_t);
void qudaFreeManaged(void *);
void qudaFreePinned(void *);
void qudaInvertMG(int, int, double, QudaInvertArgs_t, double, double, const void *const, const void *const, void *, int, void *, void *, double *const, double *const, int *);
void *qudaMultigridCreate(int, int, double, QudaInvertArgs_t, const void *const, const void *const, const char *const);
void qudaMultigridDestroy(void *);
void qudaGaugeLoopTracePhased(int, double *, int **, int *, double *, int, int, double, QudaMILCSiteArg_t *, int);
void qudaGaugeMeasurementsPhased(int, double *, double *, int, double *, int **, int *, double *, int, int, double, QudaMILCSiteArg_t *, int);
void qudaPlaquettePhased(int, double *, QudaMILCSiteArg_t *, int);
void qudaPolyakovLoopPhased(int, double *, int, QudaMILCSiteArg_t *, int);
void qudaTwoLinkGaussianSmear(int, int, void *, void *, QudaTwoLinkQuarkSmearArgs_t);

#ifdef __cplusplus
}
#endif
