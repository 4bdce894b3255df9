/// The shared library loaded at run time, as language bindings do: found, used, closed, loaded again.

#include "quda.h"
#include "quda_ext.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <string>
#include <vector>

#include <dlfcn.h>

namespace
{

/// A function of a loaded library.
template <class Function> Function *find(void *library, const char *name, Function *)
{
  void *found = dlsym(library, name);
  EXPECT_NE(found, nullptr) << name;
  return reinterpret_cast<Function *>(found);
}
#define FIND(library, name) find(library, #name, &::name)

void keep(QudaErrorKind, const char *message, void *user)
{
  static_cast<std::vector<std::string> *>(user)->push_back(message);
}

TEST(Dlopen, LoadedUsedClosedTwice)
{
  const char *path = std::getenv("QUDA_LIBRARY_PATH");
  if (!path) GTEST_SKIP() << "QUDA_LIBRARY_PATH, the shared library, is not set";
  for (int turn = 0; turn < 2; turn++) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    std::vector<std::string> errors;
    FIND(library, qudaSetErrorHandler)(keep, &errors);
    FIND(library, setVerbosityQuda)(QUDA_SILENT, "", nullptr);
    FIND(library, initQuda)(-1);

    QudaGaugeParam param = FIND(library, newQudaGaugeParam)();
    for (int d = 0; d < 4; d++) param.X[d] = 4;
    param.type = QUDA_WILSON_LINKS;
    param.gauge_order = QUDA_MILC_GAUGE_ORDER;
    param.t_boundary = QUDA_PERIODIC_T;
    param.cpu_prec = param.cuda_prec = QUDA_DOUBLE_PRECISION;
    param.reconstruct = QUDA_RECONSTRUCT_NO;
    param.anisotropy = param.tadpole_coeff = 1;
    param.gauge_fix = QUDA_GAUGE_FIXED_NO;
    param.ga_pad = 0;
    std::vector<std::complex<double>> links(256 * 4 * 9);
    for (std::size_t k = 0; k < links.size(); k++) links[k] = k % 9 % 4 == 0;
    FIND(library, loadGaugeQuda)(links.data(), &param);
    double plaq[3] = {};
    FIND(library, plaqQuda)(plaq);
    EXPECT_EQ(plaq[0], 1);
    EXPECT_TRUE(errors.empty()) << errors.front();

    FIND(library, loadGaugeQuda)(nullptr, &param);
    EXPECT_EQ(errors.size(), 1u);
    FIND(library, endQuda)();
    FIND(library, qudaSetErrorHandler)(nullptr, nullptr);
    EXPECT_EQ(dlclose(library), 0);

    // what the library keeps for the life of the process stays with it
    void *kept = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(kept, nullptr) << "unloaded by dlclose";
    dlclose(kept);
  }
}

} // namespace
