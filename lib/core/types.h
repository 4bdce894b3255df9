#pragma once
/// Vocabulary of the host side. Values are those of the C interface, so that interface/ converts by value after
/// it has checked them; rooms below interface/ know these names only.

namespace quda
{

enum class Precision : int { quarter = 1, half = 2, single = 4, double_ = 8 };

enum class Reconstruct : int { none = 18, r13 = 13, r12 = 12, r10 = 10, r9 = 9, r8 = 8 };

enum class LinkType : int { su3 = 0, general = 1, three = 2, momentum = 3, coarse = 4, smeared = 5, twolink = 6 };

enum class GaugeOrder : int {
  native = 0,
  qdp = 1,
  qdpjit = 2,
  cps_wilson = 3,
  milc = 4,
  milc_site = 5,
  bqcd = 6,
  tifr = 7,
  tifr_padded = 8
};

enum class DiracOrder : int { native = 0, dirac = 1, qdp = 2, qdpjit = 3, cps_wilson = 4, lex = 5, tifr_padded = 6 };

enum class GammaBasis : int { degrand_rossi = 0, ukqcd = 1, chiral = 2, dirac_pauli = 3 };

enum class TBoundary : int { antiperiodic = -1, periodic = 1 };

enum class SiteSubset : int { parity = 1, full = 2 };

/// Location of a field's memory: host memory of any order, or memory of the target in use.
enum class Location : int { host = 1, device = 2 };

constexpr int bytes_of(Precision p) { return static_cast<int>(p); }

} // namespace quda
