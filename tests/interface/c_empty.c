#include "c_api.h"

#include "quda.h"
#include "quda_fortran.h"
#include "quda_milc_interface.h"

#include <stddef.h>

static void free_everything(void)
{
  int which = -1;
  freeGaugeQuda();
  freeUniqueGaugeQuda(QUDA_WILSON_LINKS);
  freeUniqueGaugeQuda(QUDA_ASQTAD_FAT_LINKS);
  freeUniqueGaugeQuda(QUDA_ASQTAD_LONG_LINKS);
  freeUniqueGaugeQuda(QUDA_SMEARED_LINKS);
  freeUniqueGaugeQuda(QUDA_TWOLINK_LINKS);
  freeGaugeSmearedQuda();
  freeGaugeTwoLinkQuda();
  freeCloverQuda();
  flushChronoQuda(0);
  flushChronoQuda(-1);
  flushPoolQuda(QUDA_MEMORY_DEVICE);
  flushPoolQuda(QUDA_MEMORY_HOST_PINNED);
  destroyGaugeFieldQuda(NULL);
  destroyDeflationQuda(NULL);
  destroyMultigridQuda(NULL);

  qudaFreePinned(NULL);
  qudaFreeManaged(NULL);
  qudaFreeGaugeField();
  qudaFreeTwoLink();
  qudaFreeCloverField();
  qudaDestroyGaugeField(NULL);
  qudaMultigridDestroy(NULL);

  free_gauge_quda_();
  free_sloppy_gauge_quda_();
  free_clover_quda_();
  flush_chrono_quda_(&which);
}

void c_empty(void)
{
  setVerbosityQuda(QUDA_SILENT, "", stdout);
  free_everything();
  endQuda();
  initQuda(-1);
  free_everything();
  endQuda();
  free_everything();
  qudaFinalize();
  end_quda_();
}
