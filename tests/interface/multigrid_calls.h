#pragma once
/// What the tests of multigrid through the C interface share: small cases on quenched links, hierarchies that end with
/// their scope.

#include "c_multigrid.h"
#include "hard_solves.h"

#include "core/environment_support.h"

#include <cstdio>
#include <functional>
#include <string>

namespace test
{

inline constexpr double light = 0.155;

class MultigridCalls : public Untuned
{
protected:
  /// The refusal of a call, which is then forgotten.
  std::string refused(QudaErrorKind kind, const std::function<void()> &call)
  {
    call();
    EXPECT_EQ(handler.calls(), 1);
    EXPECT_EQ(handler.kind(), kind) << handler.text();
    const std::string text = handler.text();
    handler.forget();
    return text;
  }
};

inline constexpr int small_blocks[1][4] = {{4, 4, 4, 4}}; // of which 2 2 2 4 are made on 4 4 4 8

/// A hierarchy that ends with its scope.
class Hierarchy
{
public:
  explicit Hierarchy(host_multigrid &host)
      : host_(host)
  {
    host_.inner.verbosity = QUDA_SILENT;
    handle_ = newMultigridQuda(&host.hierarchy);
    host_.outer.preconditioner = handle_;
  }
  ~Hierarchy() { destroyMultigridQuda(handle_); }
  Hierarchy(const Hierarchy &) = delete;
  Hierarchy &operator=(const Hierarchy &) = delete;

  void update(bool thin)
  {
    host_.hierarchy.thin_update_only = thin ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
    updateMultigridQuda(handle_, &host_.hierarchy);
    host_.hierarchy.thin_update_only = QUDA_BOOLEAN_FALSE;
  }

private:
  host_multigrid &host_;
  void *handle_;
};

/// The same solve without a preconditioner.
inline QudaInvertParam without(QudaInvertParam param)
{
  param.inv_type_precondition = QUDA_INVALID_INVERTER;
  param.preconditioner = nullptr;
  param.maxiter = 4000;
  param.reliable_delta = 0.1;
  return param;
}

inline void load_clover(const QudaInvertParam &outer)
{
  QudaInvertParam param = outer;
  param.compute_clover = param.compute_clover_inverse = 1;
  loadCloverQuda(nullptr, nullptr, &param);
}

using Matrix = std::function<Spinors(const Spinors &)>;

/// |b - A x| / |b| of a solve with a hierarchy, which takes fewer iterations than one without.
inline void expect_solved(const Case &on, host_multigrid &host, const Matrix &matrix)
{
  const Spinors b = source_for(on, host.outer, 5);
  const Spinors x = solved(on, b, host.outer);
  Spinors r = matrix(x);
  for (std::size_t i = 0; i < r.size(); i++) r[i] = b[i] - r[i];
  EXPECT_LT(norm(r) / norm(b), 1.2 * host.outer.tol);
  QudaInvertParam plain = without(host.outer);
  solved(on, b, plain);
  std::printf("  %d iterations of %d\n", host.outer.iter, plain.iter);
  EXPECT_LT(host.outer.iter, 0.4 * plain.iter);
  EXPECT_LT(host.outer.iter, host.outer.maxiter);
}

/// Links a little further on.
inline reference::GaugeField moved(const reference::GaugeField &links, unsigned seed)
{
  constexpr double step = 0.02;
  reference::GaugeField to = links;
  const reference::GaugeField by = reference::random_gauge(links.lattice, seed, reference::Kind::general);
  for (std::size_t mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < to.U[mu].size(); i++)
      to.U[mu][i] = reference::special_unitary(to.U[mu][i] + step * by.U[mu][i]);
  return to;
}

} // namespace test
