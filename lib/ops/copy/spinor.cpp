/// Copies of spinors, clover terms and other numbers a site: `to = from` in lib/fields. Host orders other than dirac are
/// converted to it on the host.

#include <cmath>
#include <cstring>
#include <vector>

#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"
#include "fields/site_field.h"
#include "ops/copy/reorder.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  struct Rotation {
    double r[4][4];
  };

  /// Spinors of a basis from spinors of the DeGrand-Rossi one: rows are new spins. Orthogonal.
  Rotation from_degrand_rossi(GammaBasis basis)
  {
    const double h = std::sqrt(0.5);
    switch (basis) {
    case GammaBasis::degrand_rossi:
      return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    case GammaBasis::ukqcd:
      return {{{0, h, 0, h}, {-h, 0, -h, 0}, {0, h, 0, -h}, {-h, 0, h, 0}}};
    case GammaBasis::chiral:
      return {{{0, 0, 0, -1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}}};
    case GammaBasis::dirac_pauli:
      return {{{0, -h, 0, -h}, {h, 0, h, 0}, {0, h, 0, -h}, {-h, 0, h, 0}}};
    }
    fail(ErrorKind::bad_argument, text("gamma basis = %d is not allowed", static_cast<int>(basis)));
  }

  /// The copy of numbers without a basis, in two steps if the fields' lanes hold different sites.
  template <class F> void copy_numbers(F &to, const F &from, const CopyNames &names)
  {
    if (in_one_step(to, from)) {
      ReorderCall call {};
      call.reals = to.reals();
      reorder(to, from, call, names);
    } else {
      auto param = from.param();
      set_between(param, from);
      param.native = !from.native();
      F between(param);
      copy(between, from);
      copy(to, between);
    }
    to.mark_written();
  }

  /// to spins = (to from DeGrand-Rossi) (from from DeGrand-Rossi)^T from spins
  void set_rotation(ReorderCall &call, GammaBasis to, GammaBasis from)
  {
    call.spins = 4;
    const Rotation a = from_degrand_rossi(to), b = from_degrand_rossi(from);
    for (int s = 0; s < 4; s++)
      for (int t = 0; t < 4; t++) {
        call.rotation[s][t] = 0;
        for (int k = 0; k < 4; k++) call.rotation[s][t] += a.r[s][k] * b.r[t][k];
      }
    call.rotate = 1;
  }

  bool of_other_host(const ColorSpinorField &field)
  {
    return field.order() == DiracOrder::qdp || field.order() == DiracOrder::cps_wilson;
  }

  /// The bytes of a host's array in QDP or CPS_WILSON order into those of one in dirac order, or back.
  void exchange_order(char *dirac, char *other, const ColorSpinorField &shape, bool back)
  {
    const std::size_t z = 2 * static_cast<std::size_t>(bytes_of(shape.precision())),
                      spins = static_cast<std::size_t>(shape.spins()),
                      colors = static_cast<std::size_t>(shape.colors()), record = spins * colors * z;
    const long long half = static_cast<long long>(shape.inner()) * shape.lattice().volume_cb(),
                    records = half * shape.parities();
    const bool qdp = shape.order() == DiracOrder::qdp, swapped = !qdp && shape.parities() == 2;
    for (long long i = 0; i < records; i++) {
      char *const a = dirac + static_cast<std::size_t>(i) * record, *const b = other +
                                                                               static_cast<std::size_t>(
                                                                                   swapped ? (i + half) % records : i) *
                                                                                   record;
      for (std::size_t s = 0; s < spins; s++)
        for (std::size_t c = 0; c < colors; c++) {
          char *const at_a = a + (s * colors + c) * z, *const at_b = b + (qdp ? c * spins + s : s * colors + c) * z;
          std::memcpy(back ? at_b : at_a, back ? at_a : at_b, z);
        }
    }
  }

  ColorSpinorParam in_dirac_order(const ColorSpinorField &field)
  {
    ColorSpinorParam param = field.param();
    param.order = DiracOrder::dirac;
    param.location = Location::host;
    return param;
  }

} // namespace

void copy(ColorSpinorField &to, const ColorSpinorField &from)
{
  check_same_spinors("copy of spinors", to, from);
  if (of_other_host(from)) {
    std::vector<char> bytes(from.bytes());
    target().copy(bytes.data(), from.data(), bytes.size());
    ColorSpinorField between(in_dirac_order(from));
    exchange_order(static_cast<char *>(between.data()), bytes.data(), from, false);
    return copy(to, between);
  }
  if (of_other_host(to)) {
    ColorSpinorField between(in_dirac_order(to));
    copy(between, from);
    std::vector<char> bytes(to.bytes());
    exchange_order(static_cast<char *>(between.data()), bytes.data(), to, true);
    target().copy(to.data(), bytes.data(), bytes.size());
    return to.mark_written();
  }
  if (in_one_step(to, from)) {
    ReorderCall call {};
    call.reals = to.reals();
    if (to.alternating() || from.alternating()) call.slices = to.fifth();
    if (to.spins() == 4 && to.basis() != from.basis()) set_rotation(call, to.basis(), from.basis());
    reorder(to, from, call, {"SpinorCopy", "SpinorLoad", "SpinorSave"});
  } else {
    ColorSpinorParam param = from.param();
    set_between(param, from);
    param.order = from.native() ? DiracOrder::dirac : DiracOrder::native;
    if (param.order == DiracOrder::native) param.basis = GammaBasis::degrand_rossi;
    ColorSpinorField between(param);
    copy(between, from);
    copy(to, between);
  }
  to.mark_written();
}

void copy(SiteField &to, const SiteField &from)
{
  check_same_numbers("copy of numbers a site", to, from);
  copy_numbers(to, from, {"SiteCopy", "SiteLoad", "SiteSave"});
}

void copy(CloverField &to, const CloverField &from)
{
  check_alike("copy of clover terms", difference(to, from));
  copy_numbers(to, from, {"CloverCopy", "CloverLoad", "CloverSave"});
}

} // namespace quda
