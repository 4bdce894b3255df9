/// The exact one-flavour action of Moebius fermions (Chen and Chiu, arXiv:1403.1683; Jung et al., arXiv:1706.05843) of
/// masses m_1 < m_2, b - c = 1 and an even Ls. D(m) = D_W + (1 - T(m)) (b + c T(m))^-1 with the shift T of fifth.h, whose
/// P_+ part S(m) leads from s - 1 to s; H(m) = gamma5 R5 D(m), Hermitian. With g_s = (-c / b)^s / b and q = (c / b)^Ls
///   R5 [D(m_2) - D(m_1)] = k (v v^T P_- + w w^T P_+),   v_s = g_s, w_s = g_{Ls-1-s},
///   k = (b + c) (m_2 - m_1) / ((1 + m_1 q) (1 + m_2 q)),
/// so that with H' = H(m_2) - k w w^T P_+ = H(m_1) - k v v^T P_-
///   det D(m_1) / det D(m_2) = 1 / (det A_- det A_+),   A_- = 1 - k v^T H(m_1)^-1 v,   A_+ = 1 + k w^T H'^-1 w,
/// each on the spinors of one chirality in four dimensions: S = phi^dag (P_- A_- P_- + P_+ A_+ P_+) phi. Inverses of A + p
/// are those of H with another weight of the term:
///   (A_- + p)^-1 = [1 + k/(1+p) v^T (H(m_1) - k/(1+p) v v^T)^-1 v] / (1+p),
///   (A_+ + p)^-1 = [1 - k/(1+p) w^T (H' + k/(1+p) w w^T)^-1 w] / (1+p)
#pragma once

#include <cmath>
#include <stdexcept>

namespace reference
{

class OneFlavourAction
{
public:
  OneFlavourAction(int Ls, double b, double c, double m_1, double m_2)
      : Ls_(Ls)
      , b_(b)
      , c_(c)
      , m_ {m_1, m_2}
  {
    if (Ls < 2 || Ls % 2 || std::abs(b - c - 1) > 1e-12 || b <= 0)
      throw std::invalid_argument("one flavour: an even Ls and b - c = 1, please");
  }

  /// k
  double weight() const
  {
    const double q = std::pow(c_ / b_, Ls_);
    return (b_ + c_) * (m_[1] - m_[0]) / ((1 + m_[0] * q) * (1 + m_[1] * q));
  }
  /// w_s, or v_s
  double of_slice(bool plus, int s) const { return std::pow(-c_ / b_, plus ? Ls_ - 1 - s : s) / b_; }
  /// The mass of T, and of H without its term.
  double mass(bool plus) const { return m_[plus]; }
  /// The weight of the term beside H(mass), in units of k, of A itself and of the inverse of A + p.
  double shift(bool plus) const { return plus ? -1 : 0; }
  double shift_of_inverse(bool plus, double p) const { return plus ? 1 / (1 + p) - 1 : -1 / (1 + p); }

private:
  int Ls_;
  double b_, c_;
  double m_[2];
};

} // namespace reference
