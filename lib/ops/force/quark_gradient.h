#pragma once
/// Gradients of Wilson-type operators between pairs of quark fields with respect to links. With M = A - kappa
/// D, A a clover term 1 - c sum_{mu > nu} gamma_mu gamma_nu F_{mu nu} or a constant, all forces are sums of Re l^dag D r
/// and Re l^dag gamma_mu gamma_nu F r: the operator and the action define pairs and weights
/// (dirac/quark_force.h). Gradients are as in ops/force/link_gradient.h, whose add_gradient_force() turns them into
/// momenta. Fields are native, of one precision and lattice, without borders unless stated otherwise.

#include <optional>
#include <span>

#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "fields/site_field.h"
#include "ops/links/link_set.h"

namespace quda
{

/// Pairs of full fields of four spins in the DeGrand-Rossi basis, l and r, right-hand side by right-hand side, with a
/// weight each; layers of a fifth dimension, 32 at most with flavours, are further pairs of the same weight.
struct QuarkPairs {
  const ColorSpinorField &left, &right;
  std::span<const double> weights;
};

/// gradient = gradient of sum_i w_i Re l_i^dag D r_i, D Wilson's hop, over all sites, layers and flavours; add: to
/// the old one. links: the links of D, whole; their numbers are not read. Collective over their communicator: half
/// spinors cross cut faces while the interior is done.
void hop_gradient(GaugeField &gradient, const QuarkPairs &pairs, const GaugeField &links, bool add);

/// The tensor that clover terms are contracted with (kernels/force/clover_tensor.launch.cpp), in double or single.
SiteField clover_tensor_like(const GaugeField &links);

/// tensor = sum_i w_i of_parity[parity of x] T_i(x), T_i from gamma_mu gamma_nu r_i and l_i; add: to the old one.
/// Collective while tuned.
void clover_tensor(SiteField &tensor, const QuarkPairs &pairs, const double (&of_parity)[2], bool add);

/// tensor += of_parity[parity of x] T(x), T from a field of Hermitian matrices like a clover term. Collective while
/// tuned.
void add_to_clover_tensor(SiteField &tensor, const CloverField &term, const double (&of_parity)[2]);

/// gradient += gradient of sum_x sum_{mu > nu} Re tr(F_{mu nu} T_{mu nu}), F the field strength. links: whole.
/// Collective.
void add_leaves_gradient(GaugeField &gradient, const LinkSet &links, const SiteField &tensor);

/// Number of right-hand sides of such a field that a caller should collect for one call.
int quark_pairs_together(const ColorSpinorParam &field);

/// The gradient of an action, accumulated from pairs and determinants. All functions are collective.
class QuarkGradient
{
public:
  /// The set, of whole links, must outlive it.
  explicit QuarkGradient(const LinkSet &links)
      : links_(links)
  {
  }
  /// hop sum_i w_i Re l_i^dag D r_i + sum_x clover[parity of x] sum_i w_i Re l_i^dag sum_{mu > nu} gamma_mu gamma_nu F
  /// r_i
  void add(const QuarkPairs &pairs, double hop, const double (&clover)[2]);
  /// sum_x of_parity[parity of x] sum_{mu > nu} Re tr(gamma_mu gamma_nu F B), B Hermitian like a clover term
  void add(const CloverField &term, const double (&of_parity)[2]);
  /// The accumulated gradient; the last call.
  GaugeField take();

private:
  const LinkSet &links_;
  std::optional<GaugeField> gradient_;
  std::optional<SiteField> tensor_;
};

} // namespace quda
