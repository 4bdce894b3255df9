#pragma once
/// APE and HYP smearing: links are replaced by the SU(3) matrix next to a weighted sum of the link and its staples, the
/// unitary factor of the polar decomposition (ops/gauge/project.h).
///   APE (Albanese et al., Phys. Lett. 192B (1987) 163): U' = P[(1 - alpha) + alpha / (2 (D - 1)) C U^dag] U
///   HYP (Hasenfratz and Knechtli, hep-lat/0103029)    : three such levels, in three dimensions two, in which no
///                                                       staple leaves the hypercubes that share the link
/// D is the number of smeared directions.

#include <vector>

#include "ops/smear/chain.h"

namespace quda
{

struct ProjectedSmearing {
  bool hyp = false;
  double alpha[3] = {0, 0, 0}; // APE: the first. HYP: outermost to innermost; in three dimensions the first is not used
  double anisotropy = 1;       // APE: its square is a factor of staples that leave and return along t
  bool smeared[4] = {true, true, true, true}; // directions whose links are smeared and that staples run through

  /// Directions except `ignored` (any other number: all four).
  static ProjectedSmearing ape(double alpha, int ignored);
  static ProjectedSmearing hyp_levels(double alpha1, double alpha2, double alpha3, int ignored);
};

class ProjectedChain : public SmearChain
{
public:
  /// links: native, stored whole, a border of smear_border in cut directions, current. Error (unsupported) for links
  /// stored by fewer numbers.
  ProjectedChain(GaugeField &&links, const ProjectedSmearing &smearing);
  /// One step. An error that all ranks find if sums of links have no unitary factor.
  void step() override;

private:
  ProjectedSmearing smearing_;
  std::vector<GaugeField> decorated_; // HYP: three fields of the first level, then those of the second
};

} // namespace quda
