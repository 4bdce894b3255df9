/// The Dirac operator of the options by the plain reference, on the whole lattice. No normalisation of the mass. Of
/// staggered fields the first spin is there, the others are zero; doublets and slices of a fifth dimension are
/// (parity, flavour, x_cb).
#pragma once

#include <optional>

#include "programs/common/host_gauge.h"
#include "programs/common/options.h"
#include "reference/dirac/clover.h"
#include "reference/dirac/domain_wall.h"
#include "reference/dirac/staggered.h"
#include "reference/dirac/twisted.h"

namespace program
{

class PlainOperator
{
public:
  PlainOperator(const HostGauge &gauge, const Options &options)
      : options_(options)
      , links_(gauge.reference_field())
      , wilson_(links_)
  {
    if (has_clover_term(options)) clover_.emplace(links_, options.clover_coeff);
    const double to_a = 2 * options.kappa, rho = clover_ && flavours(options) == 1 ? to_a * options.tm_rho : 0;
    if (twisted(options))
      twisted_.emplace(links_, clover_ ? options.clover_coeff : 0,
                       reference::Twisted::Twist {to_a * options.mu,
                                                  flavours(options) == 2 ? to_a * options.epsilon : 0, rho,
                                                  static_cast<int>(flavours(options))});
    if (domain_wall(options)) {
      const std::size_t Ls = flavours(options);
      const bool one_flavour = options.dslash_type == QUDA_MOBIUS_DWF_EOFA_DSLASH,
                 five = options.dslash_type == QUDA_DOMAIN_WALL_DSLASH;
      std::optional<reference::OneFlavour> term;
      if (one_flavour)
        term = {options.eofa_plus, options.eofa_shift, options.eofa_mq1, options.eofa_mq2, options.eofa_mq3};
      domain_wall_.emplace(links_, options.mass, options.m5,
                           std::vector<reference::Complex>(Ls, moebius(options) ? options.b5 : 1),
                           std::vector<reference::Complex>(Ls, moebius(options) ? options.c5 : 0), term,
                           five ? reference::Checkerboard::five : reference::Checkerboard::four);
    }
    if (options.dslash_type == QUDA_ASQTAD_DSLASH) long_links_.emplace(gauge.long_links(links_));
  }

  /// The parity that preconditioned fields are on.
  int parity() const { return options_.matpc % 2; }

  /// As dslashQuda, onto parity(), but for normalisation.
  reference::Spinors hop(const reference::Spinors &in) const
  {
    if (staggered(options_)) {
      const reference::Spinors out = staggered_hop(in, 1 - parity());
      return options_.dagger ? reference::scaled(out, -1) : out;
    }
    if (domain_wall_) {
      const reference::Slices psi = domain_wall_->whole(split(in), 1 - parity());
      return joined(domain_wall_->half(domain_wall_->hop(psi, options_.dagger), parity()));
    }
    if (twisted_) {
      const auto divided = [&](const reference::Flavours &psi, int on) {
        return twisted_->local(psi, on, options_.dagger, Form::inverse);
      };
      const bool inverse_first = options_.dagger && symmetric();
      const reference::Flavours psi = inverse_first ? divided(split(in), 1 - parity()) : split(in),
                                D = twisted_->hop_to(parity(), psi, options_.dagger);
      return joined(inverse_first ? D : divided(D, parity()));
    }
    return clover_ ? clover_->hop_to(parity(), in, options_.dagger) : wilson_.hop_to(parity(), in, options_.dagger);
  }

  /// M, or M_pc (pc); with --dagger its adjoint, and with `adjoint` the adjoint of that.
  reference::Spinors apply(bool pc, const reference::Spinors &in, bool adjoint = false) const
  {
    const bool dagger = options_.dagger != adjoint;
    const double kappa = options_.kappa;
    if (staggered(options_)) {
      const double twice = 2 * options_.mass;
      if (!pc) return combined(twice, in, dagger ? 1 : -1, staggered_hop(in, -1));
      return combined(twice * twice, in, -1, staggered_hop(staggered_hop(in, parity()), 1 - parity()));
    }
    if (domain_wall_) {
      if (pc) return joined(domain_wall_->matrix_pc(parity(), symmetric(), split(in), dagger));
      const auto half = static_cast<std::ptrdiff_t>(in.size() / 2);
      const reference::Slices even = split({in.begin(), in.begin() + half}), odd = split({in.begin() + half, in.end()}),
                              out = domain_wall_->matrix(
                                  reference::sum(1, domain_wall_->whole(even, 0), 1, domain_wall_->whole(odd, 1)),
                                  dagger);
      reference::Spinors all = joined(domain_wall_->half(out, 0)), of_odd = joined(domain_wall_->half(out, 1));
      all.insert(all.end(), of_odd.begin(), of_odd.end());
      return all;
    }
    if (twisted_)
      return joined(pc ? twisted_->matrix_pc(parity(), symmetric(), split(in), kappa, dagger)
                       : twisted_->matrix(split(in), kappa, dagger));
    if (clover_) {
      reference::Spinors out =
          pc ? clover_->matrix_pc(parity(), symmetric(), in, kappa, dagger) : clover_->matrix(in, kappa, dagger);
      if (options_.dslash_type == QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH) add_hasenbusch(out, in, pc, dagger);
      return out;
    }
    return pc ? wilson_.matrix_pc(parity(), in, kappa, dagger) : wilson_.matrix(in, kappa, dagger);
  }

  /// Of M x = b, solved up to a residual that is there on parity() alone: solution and residual of M_pc's system.
  reference::Spinors solution_pc(const reference::Spinors &x) const
  {
    if (!symmetric() || !options_.dagger) return x;
    if (domain_wall_) return joined(domain_wall_->local(split(x), true, false));
    if (twisted_) return joined(twisted_->local(split(x), parity(), true));
    return clover_ ? reference::times(clover_->A, x, parity()) : x;
  }
  reference::Spinors residual_pc(const reference::Spinors &r) const
  {
    if (staggered(options_)) return reference::scaled(r, 2 * options_.mass);
    if (!symmetric() || options_.dagger) return r;
    if (domain_wall_) return joined(domain_wall_->local(split(r), false, true));
    if (twisted_) return joined(twisted_->local(split(r), parity(), false, Form::inverse));
    return clover_ ? reference::times(clover_->A_inverse, r, parity()) : r;
  }

  /// What M_pc (pc) or M is multiplied by in --mass-normalization. Of staggered operators: in solves, as the hop is;
  /// MatQuda takes them as they are.
  double normalisation(bool pc) const
  {
    if (staggered(options_)) return options_.normalization == QUDA_KAPPA_NORMALIZATION ? 1 / (2 * options_.mass) : 1;
    return reference::normalisation_factor(static_cast<reference::Normalisation>(options_.normalization), pc,
                                           domain_wall_ ? 0.5 / (5 + options_.m5) : options_.kappa);
  }

  /// The share of a process of the clover term, in QUDA_PACKED_CLOVER_ORDER.
  std::vector<double> packed_clover(const reference::Part &part) const
  {
    return reference::to_packed<double>(clover_.value().A, links_.lattice, part);
  }

private:
  using Form = reference::Twisted::Form;

  /// Flavours apart, and in one field.
  reference::Flavours split(const reference::Spinors &in) const
  {
    reference::Flavours out(flavours(options_));
    for (std::size_t i = 0; i < in.size(); i++) out[i / links_.lattice.half() % out.size()].push_back(in[i]);
    return out;
  }
  reference::Spinors joined(const reference::Flavours &in) const
  {
    const auto half = static_cast<std::ptrdiff_t>(links_.lattice.half());
    reference::Spinors out;
    for (std::ptrdiff_t first = 0; first < static_cast<std::ptrdiff_t>(in[0].size()); first += half)
      for (const reference::Spinors &one : in) out.insert(out.end(), one.begin() + first, one.begin() + first + half);
    return out;
  }

  /// + i mu gamma5 (A / 2)^n in on the sites of parity(): n = 0, or of symmetric forms 1 in M_pc and 2 in M.
  void add_hasenbusch(reference::Spinors &out, const reference::Spinors &in, bool pc, bool dagger) const
  {
    reference::Spinors added = reference::applied(reference::gamma5(reference::Basis::degrand_rossi),
                                                  pc ? in : reference::half_of(in, parity()));
    double twist = dagger ? -options_.mu : options_.mu;
    for (int n = 0; symmetric() && n < (pc ? 1 : 2); n++, twist /= 2)
      added = reference::times(clover_->A, added, parity());
    const std::size_t first = pc ? 0 : static_cast<std::size_t>(parity()) * added.size();
    for (std::size_t i = 0; i < added.size(); i++) out[first + i] += reference::Complex(0, twist) * added[i];
  }

  /// D in, of sites of one parity onto the other, or of all (-1).
  reference::Spinors staggered_hop(const reference::Spinors &in, int parity) const
  {
    reference::Spinors whole = in;
    if (parity >= 0) {
      whole.assign(links_.lattice.volume(), reference::Spinor::Zero());
      reference::set_half(whole, parity, in);
    }
    const reference::Staggered plain = {links_, long_links_ ? &*long_links_ : nullptr};
    const reference::ColorVectors D = plain.hop(reference::spins_of<1>(whole));
    for (std::size_t i = 0; i < whole.size(); i++) {
      whole[i].setZero();
      whole[i].row(0) = D[i];
    }
    return parity < 0 ? whole : reference::half_of(whole, 1 - parity);
  }
  static reference::Spinors combined(double a, const reference::Spinors &x, double b, const reference::Spinors &y)
  {
    reference::Spinors out(x.size());
    for (std::size_t i = 0; i < x.size(); i++) out[i] = a * x[i] + b * y[i];
    return out;
  }

  bool symmetric() const { return options_.matpc <= QUDA_MATPC_ODD_ODD; }

  const Options &options_;
  reference::GaugeField links_;
  reference::Wilson wilson_;
  std::optional<reference::CloverWilson> clover_;
  std::optional<reference::Twisted> twisted_;
  std::optional<reference::DomainWall> domain_wall_;
  std::optional<reference::GaugeField> long_links_;
};

/// loadCloverQuda, where the operator has such a term; its numbers are the plain operator's unless the library shall
/// compute them. Collective.
void load_clover(const HostGauge &gauge, const Options &options);

} // namespace program
