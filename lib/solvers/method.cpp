#include "solvers/method.h"

#include <algorithm>

#include "solvers/bicgstab.h"
#include "solvers/block_cg.h"
#include "solvers/bicgstabl.h"
#include "solvers/ca_cg.h"
#include "solvers/ca_gcr.h"
#include "solvers/cg.h"
#include "solvers/cg3.h"
#include "solvers/descent.h"
#include "solvers/gcr.h"
#include "solvers/gmres_dr.h"
#include "solvers/pcg.h"
#include "solvers/pipelined_cg.h"

namespace quda
{

namespace
{

  using Made = std::unique_ptr<KrylovMethod>;
  using Operator = LinearOperator;
  using Options = MethodOptions;

  template <class M> Made plain(const Operator &A, const Options &) { return std::make_unique<M>(A); }
  template <class M> Made sized(const Operator &A, const Options &o) { return std::make_unique<M>(A, o.krylov); }
  template <class M> Made avoiding(const Operator &A, const Options &o)
  {
    return std::make_unique<M>(A, o.krylov, o.polynomials, o.spectrum);
  }
  template <Descent::Step step> Made descent(const Operator &A, const Options &o)
  {
    return std::make_unique<Descent>(A, step, o.omega);
  }

  Made gcr(const Operator &A, const Options &o) { return std::make_unique<GCR>(A, o.krylov, o.preconditioner); }
  Made pcg(const Operator &A, const Options &o) { return std::make_unique<PCG>(A, o.preconditioner); }
  Made gmresdr(const Operator &A, const Options &o)
  {
    return std::make_unique<GMRESDR>(A, o.space, o.kept, o.recycling);
  }

  /// Without a window this is conjugate gradients.
  Made eigcg(const Operator &A, const Options &o) { return std::make_unique<CG>(A, "eigCG", o.window); }

  using enum MethodRow::Reads;
  using enum System;
  constexpr unsigned basis = krylov | polynomials;

  // number, name, system, positive, options, maker
  constexpr MethodRow rows[] = {
      {Method::cg, "CG", direct, true, nothing, plain<CG>},
      {Method::bicgstab, "BiCGstab", direct, false, nothing, plain<BiCGstab>},
      {Method::gcr, "GCR", direct, false, krylov | preconditioner, gcr},
      {Method::mr, "MR", direct, false, omega, descent<Descent::Step::minimal_residual>},
      {Method::sd, "SD", direct, false, omega, descent<Descent::Step::steepest>},
      {Method::pcg, "PCG", direct, true, preconditioner, pcg},
      {Method::eigcg, "eigCG", direct, true, window, eigcg},
      {Method::inc_eigcg, "incremental eigCG", direct, true, window, eigcg},
      {Method::gmresdr, "GMRES-DR", direct, false, deflation, gmresdr},
      {Method::gmresdr_proj, "GMRES-Proj", direct, false, deflation | recycling, gmresdr},
      {Method::bicgstabl, "BiCGstab(l)", direct, false, krylov, sized<BiCGstabL>},
      {Method::cgne, "CGNE", normal_error, false, nothing, plain<CG>},
      {Method::cgnr, "CGNR", normal_residual, false, nothing, plain<CG>},
      {Method::cg3, "CG3", direct, true, nothing, plain<CG3>},
      {Method::cg3ne, "CG3NE", normal_error, false, nothing, plain<CG3>},
      {Method::cg3nr, "CG3NR", normal_residual, false, nothing, plain<CG3>},
      {Method::ca_cg, "CA-CG", direct, true, basis, avoiding<CACG>},
      {Method::ca_cgne, "CA-CGNE", normal_error, false, basis, avoiding<CACG>},
      {Method::ca_cgnr, "CA-CGNR", normal_residual, false, basis, avoiding<CACG>},
      {Method::ca_gcr, "CA-GCR", direct, false, basis, avoiding<CAGCR>},
      {Method::block_cg, "block CG", direct, true, nothing, plain<BlockCG>},
      {Method::pipelined_cg, "pipelined CG", direct, true, nothing, plain<PipelinedCG>},
  };

} // namespace

std::span<const MethodRow> methods() { return rows; }

const MethodRow *find_method(int number)
{
  const auto row = std::find_if(std::begin(rows), std::end(rows),
                                [=](const MethodRow &one) { return static_cast<int>(one.method) == number; });
  return row == std::end(rows) ? nullptr : row;
}

bool estimate_spectrum(MethodOptions &options, const MethodRow &method, System system, const LinearOperator &A,
                       const ColorSpinorField &start)
{
  Spectrum &spectrum = options.spectrum;
  if (!method.reads(MethodRow::polynomials) || options.polynomials == Polynomials::power || spectrum.most > 0)
    return false;
  const auto normal = seen_by_method(system, A);
  spectrum.most = largest_eigenvalue(normal ? *normal : A, start);
  if (spectrum.most == 0) options.polynomials = Polynomials::power;
  if (spectrum.least >= spectrum.most) spectrum.least = 0;
  return true;
}

} // namespace quda
