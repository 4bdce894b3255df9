/// Copies of spinor fields: `to = from` in lib/fields.

#include <algorithm>
#include <cmath>

#include "fields/color_spinor_field.h"
#include "ops/copy/reorder.h"

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

  /// to spins = (to from DeGrand-Rossi) (from from DeGrand-Rossi)^T from spins
  void set_rotation(ReorderCall &call, GammaBasis to, GammaBasis from)
  {
    const Rotation a = from_degrand_rossi(to), b = from_degrand_rossi(from);
    for (int s = 0; s < 4; s++)
      for (int t = 0; t < 4; t++) {
        call.rotation[s][t] = 0;
        for (int k = 0; k < 4; k++) call.rotation[s][t] += a.r[s][k] * b.r[t][k];
      }
    call.rotate = 1;
  }

  ReorderEnd native_end(const ColorSpinorField &field)
  {
    ReorderEnd end {};
    end.native = 1;
    end.field = field.view().field;
    return end;
  }

  /// The host array of a field, within the target's reach while this lives.
  class ForeignSpinors
  {
  public:
    ForeignSpinors(const ColorSpinorField &field, bool load)
        : layout_(field.layout())
        , staged_(field.data(), parity_bytes(layout_), field.parities(), layout_.parity_stride * layout_.precision,
                  load)
    {
    }
    void store() const { staged_.store(); }
    /// lattice: of the native side.
    ReorderEnd end(const LatticeView &lattice) const
    {
      ReorderEnd end {};
      end.field = layout_;
      end.field.lattice = lattice;
      end.field.parity_stride = staged_.pitch() / layout_.precision;
      end.data[0] = staged_.get();
      return end;
    }

  private:
    static std::size_t parity_bytes(const FieldView &f)
    {
      return static_cast<std::size_t>(f.inner * f.inner_stride) * f.precision;
    }

    FieldView layout_;
    Staged staged_;
  };

  ReorderCall whole_spinors(const ColorSpinorField &to, const ColorSpinorField &from, const ReorderEnd &to_end,
                            const ReorderEnd &from_end)
  {
    ReorderCall call {};
    call.to = to_end;
    call.from = from_end;
    call.parity = to.parity();
    call.parities = to.parities();
    call.inner = to.inner();
    call.reals = to.reals();
    call.spins = to.spins();
    if (to.spins() == 4 && to.basis() != from.basis()) set_rotation(call, to.basis(), from.basis());
    return call;
  }

} // namespace

void copy(ColorSpinorField &to, const ColorSpinorField &from)
{
  check_same_spinors(to, from);
  const bool same_lanes = to.lattice().max_width() == from.lattice().max_width() &&
                          std::equal(to.lattice().S(), to.lattice().S() + 4, from.lattice().S());
  if (to.native() && from.native() && same_lanes) {
    reorder(to.lattice(), whole_spinors(to, from, native_end(to), native_end(from)), to.precision(), from.precision(),
            "SpinorCopy");
  } else if (to.native() && !from.native()) {
    const ForeignSpinors array(from, true);
    const ReorderEnd end = native_end(to);
    reorder(to.lattice(), whole_spinors(to, from, end, array.end(end.field.lattice)), to.precision(), from.precision(),
            "SpinorLoad");
  } else if (!to.native() && from.native()) {
    const ForeignSpinors array(to, false);
    const ReorderEnd end = native_end(from);
    reorder(from.lattice(), whole_spinors(to, from, array.end(end.field.lattice), end), to.precision(),
            from.precision(), "SpinorSave");
    array.store();
  } else {
    // two foreign arrays, or two ways to lay sites over lanes: one more step
    ColorSpinorParam param = from.param();
    param.order = from.native() ? DiracOrder::dirac : DiracOrder::native;
    param.location = from.native() ? Location::host : Location::device;
    if (param.precision == Precision::half) param.precision = Precision::single;
    if (param.order == DiracOrder::native) param.basis = GammaBasis::degrand_rossi;
    ColorSpinorField between(param);
    copy(between, from);
    copy(to, between);
  }
  to.mark_written();
}

} // namespace quda
