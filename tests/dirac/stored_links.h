#pragma once
/// Links as the library stores them, and what operators on them are compared with: the forms that a test of operators
/// goes through.

#include <string>
#include <vector>

#include "core/log.h"
#include "dirac/make_dirac.h"
#include "ops/links/link_set.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/native_fields.h"
#include "support/untuned.h"

namespace dirac_test
{

/// Links as the library stores them.
struct Stored {
  reference::GaugeField gauge;
  quda::LinkStorage storage;

  template <class Numbers> Numbers rounded(const Numbers &numbers) const
  {
    return storage.precision == quda::Precision::single ? reference::rounded_to_single(numbers)
           : storage.precision == quda::Precision::half ? reference::rounded_to_half(numbers)
                                                        : numbers;
  }
  /// So many fields of random numbers.
  std::vector<reference::Spinors> source(int fields) const
  {
    std::vector<reference::Spinors> psi;
    for (int n = 0; n < fields; n++) psi.push_back(rounded(reference::random_spinors(gauge.lattice, 5 + n)));
    return psi;
  }
  double allowed(double in_half = 1e-3) const
  {
    return storage.precision == quda::Precision::double_  ? 1e-12
           : storage.precision == quda::Precision::single ? 5e-6
                                                          : in_half;
  }
  std::string name() const
  {
    const auto &X = gauge.lattice.X;
    return quda::text("%d %d %d %d  %-10s %d bytes recon %d", X[0], X[1], X[2], X[3],
                      quda::target_name(quda::target().kind()), quda::bytes_of(storage.precision),
                      static_cast<int>(storage.reconstruct));
  }
};

/// What a test goes through: lattices, of which all but the first in double alone unless in_all, and so many on fibers,
/// which are slow.
struct Forms {
  std::vector<reference::Coords> shapes = {{2, 4, 6, 8}, {6, 6, 6, 6}};
  double anisotropy = 1;
  bool in_all = false;
  std::size_t on_fibers = 1;
};

/// On all targets, shapes, precisions and reconstructs.
template <class Body> void on_stored_links(const Body &body, const Forms &forms = {})
{
  support::on_targets([&] {
    for (std::size_t n = 0; n < forms.shapes.size(); n++) {
      const reference::Coords &shape = forms.shapes[n];
      if (n >= forms.on_fibers && quda::target().kind() == quda::Target::fiber) break;
      for (const quda::Precision precision :
           {quda::Precision::double_, quda::Precision::single, quda::Precision::half}) {
        if (n > 0 && !forms.in_all && precision != quda::Precision::double_) break;
        for (const quda::Reconstruct reconstruct : {quda::Reconstruct::none, quda::Reconstruct::r12}) {
          Stored links = {reference::random_gauge(reference::Lattice(shape), 11), {precision, reconstruct}};
          reference::set_up_links(links.gauge, forms.anisotropy, -1);
          links.gauge = links.rounded(links.gauge);
          if (reconstruct == quda::Reconstruct::r12)
            links.gauge = reference::reconstructed_12(links.gauge, forms.anisotropy, -1);
          SCOPED_TRACE(links.name());
          body(links);
        }
      }
    }
  });
}

constexpr support::LinkForm in_double = {quda::Precision::double_, quda::Reconstruct::none, 1, -1};

} // namespace dirac_test
