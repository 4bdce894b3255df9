/// Contractions of quark fields of the host.
///
///   contractQuda   : site by site; OPEN x^dag_a y_b, DR x^dag Gamma_G y, STAGGERED x^dag y, spins in the DeGrand-Rossi
///                    basis. A call is local to its rank: its lattice knows no other rank, so that neither tuning nor
///                    copies wait for one
///   contractFTQuda : summed over time or z slices, times plane waves; STAGGERED_FT_T sum_k x_k^dag y_k, DR_FT
///                    tr X^dag (gamma5 Gamma_G) Y (gamma5 Gamma_G) of propagators (kernels/contract/propagators)
/// Computed in the host's precision; cuda_prec is not read.

#include "quda.h"
#include "quda_ext.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_spinors.h"
#include "interface/jobs.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/contract/plane_waves.h"
#include "ops/contract/propagators.h"
#include "ops/contract/sitewise.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace quda
{

namespace
{

  /// A value of cType, and the contraction of contractQuda that belongs to it.
  struct Type {
    int value;
    const char *name;
    bool staggered;
    Contraction contraction;
  };
  constexpr Type types[] = {
      {QUDA_CONTRACT_TYPE_OPEN, "QUDA_CONTRACT_TYPE_OPEN", false, Contraction::open},
      {QUDA_CONTRACT_TYPE_DR, "QUDA_CONTRACT_TYPE_DR", false, Contraction::bilinears},
      {QUDA_CONTRACT_TYPE_DR_CORRECTED, "QUDA_CONTRACT_TYPE_DR_CORRECTED", false, Contraction::corrected_bilinears},
      {QUDA_CONTRACT_TYPE_STAGGERED, "QUDA_CONTRACT_TYPE_STAGGERED", true, Contraction::staggered}};
  /// A type of contractFTQuda with the direction of its slices.
  struct SlicedType : Type {
    int direction;
  };
  constexpr SlicedType sliced_types[] = {
      {{QUDA_CONTRACT_TYPE_STAGGERED_FT_T, "QUDA_CONTRACT_TYPE_STAGGERED_FT_T", true, Contraction::staggered}, 3},
      {{QUDA_CONTRACT_TYPE_DR_FT_T, "QUDA_CONTRACT_TYPE_DR_FT_T", false, Contraction::bilinears}, 3},
      {{QUDA_CONTRACT_TYPE_DR_FT_Z, "QUDA_CONTRACT_TYPE_DR_FT_Z", false, Contraction::bilinears}, 2}};

  template <class One, int n> const One &type_of(const char *function, const One (&all)[n], QudaContractType cType)
  {
    std::string allowed;
    for (const One &type : all) {
      if (type.value == static_cast<int>(cType)) return type;
      allowed += text("%s%s (%d)", allowed.empty() ? "" : ", ", type.name, type.value);
    }
    bool known = false; // whether it is one of QUDA's
    for (const auto &other : params::enum_table<QudaContractType>().enumerators) known = known || other.value == cType;
    fail(known ? ErrorKind::unsupported : ErrorKind::bad_argument,
         text("%s: cType = %s; allowed: %s", function, value_text(cType).c_str(), allowed.c_str()));
  }

  /// The fields' spins follow from dslash_type; a contraction of others would read beyond the fields.
  void check_spins(const char *function, const Type &type, const QudaInvertParam &param)
  {
    const bool staggered = type.staggered;
    if (staggered == one_spin(param.dslash_type)) return;
    const char *one = "QUDA_STAGGERED_DSLASH, QUDA_ASQTAD_DSLASH, QUDA_LAPLACE_DSLASH";
    fail(ErrorKind::bad_argument,
         text("%s: QudaInvertParam.dslash_type = %s, of fields with %s, with cType = %s; allowed: %s%s", function,
              value_text(param.dslash_type).c_str(), staggered ? "four spins" : "one spin", type.name,
              staggered ? "" : "any but ", one));
  }

  /// Checks the layout of the host's fields; returns their spins.
  int check_fields(const char *function, const Type &type, const QudaInvertParam *param, const int *X)
  {
    using P = QudaInvertParam;
    check_struct(function, param);
    check(function, *param, &P::dslash_type, &P::cpu_prec, &P::dirac_order);
    check_spins(function, type, *param);
    const int spins = type.staggered ? 1 : 4;
    if (spins == 4) check(function, *param, &P::gamma_basis);
    check_host_spinors(function, *param, X);
    return spins;
  }

  /// A checked contraction.
  struct ContractionJob {
    Contraction type;
    ColorSpinorField x, y;
    SiteField result;
  };

  ContractionJob prepare(const char *function, const void *x, const void *y, void *result, QudaContractType cType,
                         const QudaInvertParam *param, const int *X)
  {
    check_not_null(function, "x", x);
    check_not_null(function, "y", y);
    check_not_null(function, "result", result);
    const Type &type = type_of(function, types, cType);
    const int spins = check_fields(function, type, param, X);
    const auto lattice = Lattice::create(X, make_single_communicator());
    ColorSpinorField h_x = host_spinors(*param, lattice, spins, x), h_y = host_spinors(*param, lattice, spins, y);
    SiteFieldParam products = contraction_param(h_x, type.contraction);
    products.create = Create::reference;
    products.data = result;
    return {type.contraction, std::move(h_x), std::move(h_y), SiteField(products)};
  }

  void carry_out(ContractionJob &job)
  {
    std::optional<ColorSpinorField> x, y;
    std::optional<SiteField> result;
    {
      const PhaseScope phase(Phase::init);
      x.emplace(native_block({&job.x, 1}, job.x.precision()));
      y.emplace(native_block({&job.y, 1}, job.y.precision()));
      result.emplace(contraction_param(*x, job.type));
    }
    {
      const PhaseScope phase(Phase::h2d);
      *x = job.x;
      *y = job.y;
    }
    {
      const PhaseScope phase(Phase::compute);
      contract(*x, *y, *result, job.type);
    }
    const PhaseScope phase(Phase::d2h);
    job.result = *result;
  }

  // ---- summed over slices ----

  struct SlicedContractionJob {
    int direction;
    std::vector<ColorSpinorField> x, y;
    std::vector<PlaneWave> waves;
    int origin[4];
    double *result;
  };

  /// Arguments of contractFTQuda besides the fields.
  struct Waves {
    const int *source_position;
    int n_mom;
    const int *mom_modes;
    const QudaFFTSymmType *fft_type;
  };

  std::vector<PlaneWave> check_waves(Checks &checks, const Waves &given, bool symmetries)
  {
    const char *function = checks.function;
    check_not_null(function, "source_position", given.source_position);
    check_range(function, "n_mom", given.n_mom, 1, 1 << 20);
    check_not_null(function, "mom_modes", given.mom_modes);
    if (symmetries) check_not_null(function, "fft_type", given.fft_type);
    checks.same("n_mom", given.n_mom);
    checks.same("source_position", given.source_position, 4);
    checks.same("mom_modes", given.mom_modes, 4 * given.n_mom);
    std::vector<PlaneWave> waves(given.n_mom);
    for (int i = 0; i < 4 * given.n_mom; i++) {
      PlaneWave &wave = waves[i / 4];
      wave.mode[i % 4] = given.mom_modes[i];
      wave.kind[i % 4] = Wave::exponential;
      if (!symmetries) continue;
      const QudaFFTSymmType type = given.fft_type[i];
      check_argument(function, text("fft_type[%d]", i).c_str(), type);
      checks.same({nullptr, "fft_type", i, guarded::Choice::Kind::integer, type});
      if (type == QUDA_FFT_SYMM_EVEN) wave.kind[i % 4] = Wave::cosine;
      if (type == QUDA_FFT_SYMM_ODD) wave.kind[i % 4] = Wave::sine;
    }
    return waves;
  }

  SlicedContractionJob prepare_sliced(Checks &checks, void **x, void **y, void **result, QudaContractType cType,
                                      const void *cs_param_ptr, int src_colors, const int *X,
                                      const int *source_position, int n_mom, const int *mom_modes,
                                      const QudaFFTSymmType *fft_type)
  {
    const QudaInvertParam *param = static_cast<const QudaInvertParam *>(cs_param_ptr);
    const Waves given {source_position, n_mom, mom_modes, fft_type};
    const char *function = checks.function;
    check_not_null(function, "x", x);
    check_not_null(function, "y", y);
    check_not_null(function, "result", result);
    check_not_null(function, "*result", *result);
    const SlicedType &type = type_of(function, sliced_types, cType);
    check_not_null(function, "cs_param_ptr", param);
    const int spins = check_fields(function, type, param, X);
    check_range(function, "src_colors", src_colors, 1, 64);
    checks.same("cType", static_cast<int>(cType));
    checks.same("src_colors", src_colors);
    checks.same("QudaInvertParam.cpu_prec", static_cast<int>(param->cpu_prec));
    checks.same("X", X, 4);
    SlicedContractionJob contraction {
        type.direction, {}, {}, check_waves(checks, given, type.staggered), {}, static_cast<double *>(*result)};
    std::copy_n(given.source_position, 4, contraction.origin);
    for (int i = 0; i < spins * src_colors; i++) {
      check_not_null(function, text("x[%d]", i).c_str(), x[i]);
      check_not_null(function, text("y[%d]", i).c_str(), y[i]);
      contraction.x.push_back(host_spinors(*param, checks.session.lattice(X), spins, x[i]));
      contraction.y.push_back(host_spinors(*param, checks.session.lattice(X), spins, y[i]));
    }
    return contraction;
  }

  void carry_out_sliced(SlicedContractionJob &job)
  {
    std::optional<ColorSpinorField> x, y;
    {
      const PhaseScope phase(Phase::h2d);
      x.emplace(native_block(job.x, job.x[0].precision()));
      y.emplace(native_block(job.y, job.y[0].precision()));
      load_block(*x, job.x);
      load_block(*y, job.y);
    }
    std::vector<std::complex<double>> sums;
    {
      const PhaseScope phase(Phase::compute);
      SiteField numbers(propagators_param(*x));
      contract_propagators(*x, *y, numbers);
      sums = sum_plane_waves(numbers, job.direction, job.waves, job.origin);
    }
    for (std::size_t i = 0; i < sums.size(); i++) {
      job.result[2 * i] += sums[i].real();
      job.result[2 * i + 1] += sums[i].imag();
    }
  }

} // namespace

constexpr JobOf<::contractFTQuda> jobs::contractFTQuda {"contractFTQuda", by<prepare_sliced, carry_out_sliced>};

} // namespace quda

extern "C" void contractQuda(const void *x, const void *y, void *result, const QudaContractType cType,
                             QudaInvertParam *param, const int *X)
{
  const char *function = __func__;
  quda::guard(function, [&] {
    std::optional<quda::ContractionJob> job;
    {
      const quda::PhaseScope phase(quda::Phase::preamble);
      quda::require_initialised(function);
      job.emplace(quda::prepare(function, x, y, result, cType, param, X));
    }
    quda::carry_out(*job);
  });
}

extern "C" void contractFTQuda(void **x, void **y, void **result, const QudaContractType cType, void *cs_param_ptr,
                               const int src_colors, const int *X, const int *const source_position, const int n_mom,
                               const int *const mom_modes, const QudaFFTSymmType *const fft_type)
{
  quda::jobs::contractFTQuda.call(x, y, result, cType, cs_param_ptr, src_colors, X, source_position, n_mom, mom_modes,
                                  fft_type);
}
