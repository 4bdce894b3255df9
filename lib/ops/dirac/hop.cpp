#include "ops/dirac/hop.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "comms/replicated_sum.h"
#include "core/error.h"
#include "core/exact_sum.h"
#include "ops/blas/block.h"
#include "ops/dirac/far_neighbours.h"

namespace quda
{

namespace
{

  /// The field that the twist multiplies; null if it multiplies the sum.
  const ColorSpinorField *twisted_field(const HopFields &fields)
  {
    if (!fields.twist || fields.twist->factor == HopTwist::sum) return nullptr;
    return fields.twist->factor == HopTwist::x ? fields.end.x : fields.end.y;
  }

} // namespace

SpinorView HopFields::view(const ColorSpinorField &field) const
{
  SpinorView view = field.view();
  if (first_layer < 0) return view;
  FieldView &layers = view.field;
  layers.data = static_cast<char *>(layers.data) + first_layer * layers.inner_stride * layers.precision;
  if (first_layer % 2) { // even sites lie where odd ones do
    layers.data = static_cast<char *>(layers.data) + layers.parity_stride * layers.precision;
    layers.parity_stride = -layers.parity_stride;
  }
  if (alone) {
    layers.inner = layers.fifth = 1;
    return view;
  }
  layers.inner_stride *= 2;
  layers.inner /= 2;
  layers.fifth /= 2;
  return view;
}

void check_hop(const HopKind &kind, const HopFields &fields)
{
  const char *function = kind.function;
  const ColorSpinorField &out = fields.out, &in = fields.in;
  const GaugeField &links = fields.links;
  for (const ColorSpinorField *f : {static_cast<const ColorSpinorField *>(&out), &in})
    if (!f->native() || f->spins() != kind.spins || f->colors() != 3)
      fail(ErrorKind::internal, text("%s: spinors must be native, of %d spins and 3 colors", function, kind.spins));
  if (in.precision() != out.precision() || links.precision() != out.precision() || !links.native())
    fail(ErrorKind::bad_argument,
         text("%s: precisions of links (%d bytes), in (%d) and out (%d) must be one", function,
              bytes_of(links.precision()), bytes_of(in.precision()), bytes_of(out.precision())));
  if (in.parities() != out.parities() || in.inner() != out.inner())
    fail(ErrorKind::internal, text("%s: in and out differ in shape", function));
  if (out.parities() == 1 && (in.parity() + kind.length) % 2 != out.parity())
    fail(ErrorKind::bad_argument, text("%s: in is of parity %d and out of %d, %d steps from it", function, in.parity(),
                                       out.parity(), kind.length));
  const GaugeField *const beside = fields.long_links;
  if ((kind.long_length > 0) != (beside != nullptr) ||
      (beside && (!beside->native() || beside->precision() != links.precision() || beside->extended() ||
                  !same_sites(beside->lattice(), links.lattice()))))
    fail(ErrorKind::internal, text("%s: long links must be native, without a border, of the lattice and precision of "
                                   "the others",
                                   function));
  if (in.data() == out.data()) fail(ErrorKind::bad_argument, text("%s: in and out are one field", function));
  if (fields.first_layer >= 0 && (fields.first_layer >= (fields.alone ? out.fifth() : 2) || out.fifth() % 2 ||
                                  out.flavours() != 1 || (fields.alone && out.rhs() != 1)))
    fail(ErrorKind::internal, text("%s: every other of %d layers from %d on, %d flavours", function, out.fifth(),
                                   fields.first_layer, out.flavours()));
  if (!same_sites(in.lattice(), out.lattice()) || !same_sites(in.lattice(), links.lattice()) || links.extended())
    fail(ErrorKind::internal, text("%s: fields of different lattices, or links with a border", function));
  const Epilogue &end = fields.end;
  const auto check_beside = [&](const char *name, const ColorSpinorField *field) {
    if (!field) return;
    check_same_spinors(function, out, *field);
    if (field->precision() != out.precision() || !field->native())
      fail(ErrorKind::bad_argument, text("%s: %s must be native and of out's precision (%d bytes), has %d", function,
                                         name, bytes_of(out.precision()), bytes_of(field->precision())));
  };
  check_beside("x", end.x);
  check_beside("y", end.y);
  check_beside("w", end.dot_with);
  if (end.sums() && !fields.sums) fail(ErrorKind::internal, text("%s: no place for sums", function));
  bool of_x = end.x != nullptr;
  for (std::size_t j = 0; j < end.a.size(); j++) of_x = of_x && end.a[j] == 1;
  if (end.change && !of_x) fail(ErrorKind::internal, text("%s: a change from anything but x", function));
  if (fields.twist) {
    const auto &[term, factor] = *fields.twist;
    const bool of_sum = factor == HopTwist::sum;
    if (kind.spins != 4 || out.flavours() > 2 || (term.b != 0 && (out.flavours() != 2 || of_sum)) ||
        (of_sum && out.flavours() != 1))
      fail(ErrorKind::internal, text("%s: such a twist of %d flavours", function, out.flavours()));
    if (term.b != 0 && twisted_field(fields) && twisted_field(fields)->data() == out.data())
      fail(ErrorKind::internal, text("%s: what is twisted is out, and its flavours are mixed", function));
  }
  const auto check_list = [&](char name, const blas::Coefficients &list) {
    if (list.listed() && list.size() != static_cast<std::size_t>(in.rhs()))
      fail(ErrorKind::bad_argument, text("%s: %zu coefficients %c for %d right-hand sides; one for all or one each",
                                         function, list.size(), name, in.rhs()));
  };
  check_list('b', end.b);
  if (end.x) check_list('a', end.a);
  if (end.y) check_list('c', end.c);
}

bool crosses_ranks(const HopKind &kind, const LatticeView &lattice)
{
  bool cut = false;
  for (int d = 0; d < 4; d++) cut = cut || (lattice.cut[d] && kind.legs >> (2 * d) & 3);
  return cut;
}

StencilCall whole_hop(const HopKind &kind, const HopFields &fields)
{
  StencilCall call {};
  call.in = fields.view(fields.in);
  call.links = fields.links.view();
  call.legs = kind.legs;
  call.dagger = fields.dagger;
  call.parity = fields.parity(fields.out);
  call.parities = fields.out.parities();
  const LatticeView &lattice = call.in.field.lattice;
  call.count = lattice.volume_cb * lattice.parts;
  // neighbours that have left the second-level cache when they are read again: of its 1 MiB, half holds
  // links and spinors that were read
  const int reals = fields.links.reals() + (fields.long_links ? fields.long_links->reals() : 0);
  const long long visit =
      (8LL * reals * bytes_of(fields.in.precision()) + fields.inner() * fields.in.record_bytes()) * lattice.width;
  if (kind.length == 1 && kind.legs == all_legs)
    call.far = far_neighbours(fields.in.lattice(), lattice.width, (1 << 19) / visit);
  return call;
}

LongLegsCall long_legs(const HopFields &fields)
{
  return {fields.long_links->view(), {}, fields.long_links->unit() / fields.links.unit()};
}

AddToCall finish_of(const HopFields &fields)
{
  const Epilogue &end = fields.end;
  AddToCall finish {};
  finish.out = fields.view(fields.out);
  if (end.x) finish.y = fields.view(*end.x);
  if (end.y) finish.x = fields.view(*end.y);
  const bool listed = end.b.listed() || (end.x && end.a.listed()) || (end.y && end.c.listed());
  finish.coefficients = listed ? fields.out.rhs() : 1;
  for (int n = 0; n < finish.coefficients; n++) {
    const auto rhs = static_cast<std::size_t>(n);
    finish.b[n] = end.b[rhs] * fields.links.unit();
    if (end.x) finish.c[n] = end.a[rhs];
    if (end.y) finish.a[n] = end.c[rhs];
  }
  if (fields.twist && (fields.twist->factor == HopTwist::sum || twisted_field(fields))) {
    const TwistTerm &term = fields.twist->term;
    finish.twist = {fields.twist->factor == HopTwist::sum ? FinishTwistCall::of_sum : FinishTwistCall::of_x,
                    term.scale * term.one, term.scale * term.a, term.scale * term.b};
  }
  finish.sums.norm = end.norm;
  finish.sums.change = end.change;
  finish.sums.dot = end.dot_with != nullptr;
  if (finish.sums.dot) finish.sums.w = fields.view(*end.dot_with);
  return finish;
}

namespace
{

  /// Part of the tune key.
  const char *twist_name(const HopFields &fields)
  {
    if (!fields.twist) return "";
    if (fields.twist->factor == HopTwist::sum) return ",twist";
    return fields.twist->term.b != 0 ? ",mix_y" : fields.twist->factor == HopTwist::y ? ",twist_y" : ",twist_x";
  }
  long long twist_flops(const HopFields &fields)
  {
    if (!fields.twist || !(fields.twist->factor == HopTwist::sum || twisted_field(fields))) return 0;
    return fields.twist->term.b != 0 ? 120 : 72;
  }

} // namespace

SiteLaunch hop_pass(const HopKind &kind, const HopFields &fields, const StencilCall &call, const char *part,
                    std::span<ExactLimbs> limbs)
{
  const FieldView &in = call.in.field;
  const int *cut = in.lattice.cut;
  const Epilogue &end = fields.end;
  const auto is_out = [&](const ColorSpinorField *field) { return field && field->data() == fields.out.data(); };
  const bool dot = end.dot_with, change = end.change, norm = end.norm;
  const long long legs = std::popcount(static_cast<unsigned>(kind.legs));
  const int reals = fields.links.reals() + (fields.long_links ? fields.long_links->reals() : 0);
  const int spinors = 2 + (end.x != nullptr) + (end.y != nullptr) + dot;
  const long long sites = static_cast<long long>(call.count) * call.parities * in.lattice.lanes / in.lattice.parts;
  return {.name = kind.name,
          .lattice = fields.out.lattice(),
          .extent = {call.count, static_cast<unsigned>(call.parities)},
          .aux = key_text("prec=", in.precision, ",recon=", reals, ",rhs=", rhs_class(in.rhs),
                          ",layers=", in.inner / in.rhs, fields.first_layer < 0 || fields.alone ? "" : ",every_other",
                          ",legs=", kind.legs, ",parities=", call.parities, end.y ? ",y" : "", end.x ? ",x" : "",
                          norm ? ",norm" : "", change ? ",change" : "", dot ? ",dot" : "", twist_name(fields),
                          ",cut=", !!cut[0], !!cut[1], !!cut[2], !!cut[3], ",", part),
          .flops = sites * in.inner *
                   (kind.flops + (end.y ? kind.flops_y : 0) + twist_flops(fields) +
                    12 * kind.spins * ((end.x != nullptr) + norm) + 18 * kind.spins * change + 24 * kind.spins * dot),
          .bytes = sites * ((legs * reals + kind.reals) * in.precision +
                            static_cast<long long>(spinors) * in.inner * fields.out.record_bytes()),
          .prefetch = true,
          .streaming = true,
          .variants = in.rhs,
          .prefetch_bytes = in.inner * in.lattice.width * static_cast<int>(fields.out.record_bytes()),
          // links in the last cache are not worth a prefetch if a site has one entry: docs/performance.md
          .asks_beyond = in.inner == 1 ? static_cast<long long>(target().last_cache() / 3) : 0,
          .in_place = is_out(end.x) || is_out(end.y) ? memory_of(fields.out) : MemorySpan {},
          .written = memory_of(fields.out),
          .sums = limbs};
}

HopLimbs::HopLimbs(const HopFields &fields)
    : total_(fields.end.sums() ? static_cast<std::size_t>(FinishSumsCall::each) * fields.out.rhs() : 0)
{
}

void HopLimbs::merge()
{
  for (std::size_t i = 0; i < pass_.size(); i++) exact_merge(total_[i], pass_[i]);
}

std::span<ExactLimbs> HopLimbs::of_pass()
{
  merge();
  pass_.assign(total_.size(), ExactLimbs {});
  return pass_;
}

void HopLimbs::enter(const HopFields &fields)
{
  if (total_.empty()) return;
  merge();
  const Epilogue &end = fields.end;
  Sums &sums = *fields.sums;
  const auto place = [&](std::size_t rhs, int sum) {
    return FinishSumsCall::each * rhs + static_cast<std::size_t>(sum);
  };
  const auto rhs = static_cast<std::size_t>(fields.out.rhs());
  // the requested sums, one after the other
  std::vector<ExactLimbs> wanted;
  const bool dot = end.dot_with != nullptr, asked[] = {end.norm, end.change, dot, dot};
  for (std::size_t j = 0; j < rhs; j++)
    for (int sum = 0; sum < FinishSumsCall::each; sum++)
      if (asked[sum]) wanted.push_back(total_[place(j, sum)]);
  sum_limbs(fields.out.lattice().communicator(), wanted.data(), static_cast<int>(wanted.size()));
  auto next = wanted.begin();
  for (std::size_t j = 0; j < rhs; j++) {
    if (end.norm) sums.norm.push_back(exact_value(*next++));
    if (end.change) sums.change.push_back(exact_value(*next++));
    if (dot) {
      const double re = exact_value(*next++);
      sums.dot.emplace_back(re, exact_value(*next++));
    }
  }
}

void sums_after(const HopFields &fields, const std::function<void(const HopFields &)> &hop)
{
  const Epilogue &end = fields.end;
  Epilogue without = end;
  without.norm = without.change = false;
  without.dot_with = nullptr;
  std::optional<ColorSpinorField> apart; // if a change is requested relative to overwritten numbers
  if (end.change && end.x->data() == fields.out.data()) apart.emplace(fields.out.param());
  ColorSpinorField &out = apart ? *apart : fields.out;
  hop({out, fields.in, fields.links, fields.dagger, without, nullptr, fields.twist, fields.long_links,
       fields.first_layer, fields.alone});
  Sums &sums = *fields.sums;
  const bool at_once = end.norm && end.dot_with && !end.change;
  if (end.change)
    for (const blas::NormChange &one : blas::block::normChange(out, *end.x)) {
      if (end.norm) sums.norm.push_back(one.norm2);
      sums.change.push_back(one.change);
    }
  if (at_once)
    for (const blas::DotNorm &one : blas::block::cDotNormB(*end.dot_with, out)) {
      sums.norm.push_back(one.norm2);
      sums.dot.push_back(one.dot);
    }
  if (end.norm && !end.change && !at_once)
    for (const double one : blas::block::norm2(out)) sums.norm.push_back(one);
  if (end.dot_with && !at_once)
    for (const blas::Complex one : blas::block::cdot(*end.dot_with, out)) sums.dot.push_back(one);
  if (apart) blas::copy(fields.out, *apart);
}

void each_part(const HopFields &fields, const std::function<void(const HopFields &)> &part)
{
  const Epilogue &end = fields.end;
  const int rhs = fields.out.rhs();
  if (rhs <= most_coefficients || (!end.b.listed() && !end.a.listed() && !end.c.listed())) return part(fields);
  for (int first = 0; first < rhs; first += most_coefficients) {
    const int count = std::min(most_coefficients, rhs - first);
    const auto some_of = [&](const ColorSpinorField *field) {
      std::optional<ColorSpinorField> some;
      if (field) some.emplace(field->columns(first, count));
      return some;
    };
    const auto x = some_of(end.x), y = some_of(end.y), w = some_of(end.dot_with);
    Epilogue some = end;
    some.b = end.b.part(first, count);
    some.a = end.a.part(first, count);
    some.c = end.c.part(first, count);
    some.x = x ? &*x : nullptr;
    some.y = y ? &*y : nullptr;
    some.dot_with = w ? &*w : nullptr;
    ColorSpinorField out = fields.out.columns(first, count);
    part({out, fields.in.columns(first, count), fields.links, fields.dagger, some, fields.sums, fields.twist,
          fields.long_links, fields.first_layer, fields.alone});
  }
  fields.out.mark_written();
}

} // namespace quda
