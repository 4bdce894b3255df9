/// Matrices in the fifth dimension of domain-wall fermions. With the shift
///   (T psi)_s = P_+ psi_{s-1} + P_- psi_{s+1}, psi_{-1} = -mass psi_{Ls-1}, psi_Ls = -mass psi_0,
/// P_+- = (1 +- gamma5) / 2, gamma5 = diag(1, 1, -1, -1), they are a + b T, with a and b one number a layer, their
/// inverses, and products of the two: the domain-wall hop in s is 2 T; M5 is 1 - 2 kappa5 T or, for Moebius fermions,
/// 1 + (kappa_b / kappa_c) T; the matrix before their hop is b + c T. One chirality may have a further term with
/// the layer at the end.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "ops/dirac/epilogue.h"
#include "ops/halo/message_buffer.h"

namespace quda
{

struct FifthTable;

enum class Chirality { plus, minus };

class FifthMatrix
{
public:
  using Number = std::complex<double>;
  using Numbers = std::vector<Number>; // s

  /// (out)_s = a_s psi_s + b_s (T psi)_s; as many layers as numbers, 1 to 32.
  FifthMatrix(Numbers a, const Numbers &b, double mass);

  int layers() const { return static_cast<int>(of_[0].own.size()); }
  /// The same and, for this chirality, + u_s psi_end, `end` the last layer (plus) or the first (minus). For no inverse.
  FifthMatrix with_column(Chirality chirality, const Numbers &u) const;
  FifthMatrix adjoint() const;
  /// Inverse of a matrix that is no inverse itself. Error (bad_argument): a singular matrix.
  FifthMatrix inverse() const;
  /// This matrix, not an inverse, times `inverse`, which is one, neither of them an adjoint.
  FifthMatrix after(const FifthMatrix &inverse) const;

  bool recursive() const;
  bool walled() const;
  bool is_complex() const;
  /// Flops for a spinor.
  long long flops() const;

private:
  friend void apply_fifth(ColorSpinorField &, const ColorSpinorField &, const FifthMatrix &);
  friend void fifth_hop(ColorSpinorField &, const ColorSpinorField &, const GaugeField &, const FifthMatrix &, bool,
                        const Epilogue &, Sums *);

  /// One chirality: numbers of fifth_call.h, own_s psi_s + before_s psi_before + last_s psi_last after the recursion
  /// psi_s += recursion_s psi_before. Sweeps go to larger s (plus) or smaller.
  struct Sweep {
    Numbers own, before, last, recursion;
  };
  FifthMatrix() = default;
  /// The layer before s in the sweep; -1 at its first.
  int before(int chirality, int s) const;
  int end(int chirality) const { return chirality == 0 ? layers() - 1 : 0; }
  bool any(Numbers Sweep::*which) const;
  FifthTable table(bool single) const;

  Sweep of_[2];
  bool adjoint_ = false;
  mutable std::shared_ptr<const DeviceBuffer> table_[2]; // in double and in single precision
};

/// out = matrix in. in, out: native spinors of 4 spins and 3 colors, of one shape and precision, with as many fifth()
/// slices as the matrix; out may be in. Fields on one parity may be on opposite ones: in a checkerboard of five
/// dimensions neighbouring layers stand on the same sites. Collective: while its kernels are tuned.
void apply_fifth(ColorSpinorField &out, const ColorSpinorField &in, const FifthMatrix &matrix);

/// Layers of a native field of one flavour as right-hand sides of fields without a fifth dimension, in the same
/// memory.
ColorSpinorField layers_as_columns(const ColorSpinorField &field);

/// out = a x + b A D in + c y and sums over it (epilogue.h), A a real matrix, D Wilson's hop on each layer, D^dag with
/// dagger; otherwise as wilson_hop() (ops/dirac/wilson.h).
void fifth_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, const FifthMatrix &matrix,
               bool dagger, const Epilogue &end = {}, Sums *sums = nullptr);
/// Whether there is a kernel for it: not on GPUs, nor in fixed point, where the hop's sums would be rounded elsewhere.
bool has_fifth_hop(const GaugeField &links, const FifthMatrix &matrix);

} // namespace quda
