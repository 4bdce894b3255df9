#pragma once
/// The instances of a kernel, from lists of types. A launch unit ends with
///
///   QUDA_INSTANCES(plaquette, PlaquetteCall, Sum2D<Plaquette, PlaquetteArg>, Floating, WilsonLinks)
///
/// which makes the kernel for each precision and reconstruct of the lists that the build holds (QUDA_PRECISION, a bit
/// mask of the bytes of a real; QUDA_RECONSTRUCT: 18 is 4, 13 and 12 are 2, 9 and 8 are 1) and leaves a null pointer
/// for others. In a unit named *.by_precision.launch.cpp, which is compiled once per precision, the list is
/// cut down to that precision.

#include "core/kernel_table.h"
#include "core/number.h"
#include <launch.h>
#include <reduce.h>

#ifndef QUDA_PRECISION
#define QUDA_PRECISION 14
#endif
#ifndef QUDA_RECONSTRUCT
#define QUDA_RECONSTRUCT 6
#endif
#ifndef QUDA_UNIT_PRECISION
#define QUDA_UNIT_PRECISION 0
#endif

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int reconstruct_bit(int reals) { return reals == 18 || reals == 10 ? 4 : reals > 11 ? 2 : 1; }

/// Stored types that a kernel is made for, as far as the build has them.
template <class... S> struct Precisions {
  template <class T> static constexpr bool built = (QUDA_PRECISION & sizeof(T)) != 0;
};
/// The same, in every build.
template <class... S> struct EveryPrecision {
  template <class T> static constexpr bool built = true;
};
using Floating = Precisions<double, float>;
using Stored = Precisions<double, float, Half>;

/// Reconstruct families.
template <int... reals> struct Reconstructs {
  static constexpr bool built(int r) { return (QUDA_RECONSTRUCT & reconstruct_bit(r)) != 0; }
};
/// Other numbers that a kernel's type depends on.
template <int... v> struct Variants {
  static constexpr bool built(int) { return true; }
};
using WilsonLinks = Reconstructs<18, 12>;
using LongLinks = Reconstructs<18, 13, 9>;
using NoVariants = Variants<0>;

/// Launch kinds of a kernel: over sites, along one to three axes, or as sums of its return values, which go to
/// call.sums. Arg<S, variant> is made from (call, tp).
template <template <class> class Kernel, template <class, int> class Arg> struct Launch1D {
  template <class S, int variant, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    launch_1d<Kernel>(tp, stream, Arg<S, variant>(call, tp));
  }
};
template <template <class> class Kernel, template <class, int> class Arg> struct Launch2D {
  template <class S, int variant, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    launch_2d<Kernel>(tp, stream, Arg<S, variant>(call, tp));
  }
};
template <template <class> class Kernel, template <class, int> class Arg> struct Launch3D {
  template <class S, int variant, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    launch_3d<Kernel>(tp, stream, Arg<S, variant>(call, tp));
  }
};
template <template <class> class Kernel, template <class, int> class Arg> struct Sum2D {
  template <class S, int variant, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    launch_sum_2d<Kernel>(tp, stream, Arg<S, variant>(call, tp), call.sums);
  }
};

template <template <class> class Kernel, template <class, int> class Arg> struct Sum3D {
  template <class S, int variant, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    launch_sum_3d<Kernel>(tp, stream, Arg<S, variant>(call, tp), call.sums);
  }
};

#ifdef QUDA_SITE_SUMS
/// Over sites, with sums that go to call.finish.sums.limbs.
template <template <class> class Kernel, template <class, int> class Arg> struct LaunchSiteSums {
  template <class S, int variant, class Call> static void launch(const TuneParam &tp, void *stream, const Call &call)
  {
    launch_site_sums<Kernel>(tp, stream, Arg<S, variant>(call, tp), call.finish.sums.limbs);
  }
};
#endif

/// unit: part of the type, since the tables of a unit's precisions are different tables.
template <class Call, class Launch, class Stored, class Family, int unit = QUDA_UNIT_PRECISION> struct Instances;

template <class Call, class Launch, template <class...> class Stored, class... S, template <int...> class Family,
          int... variant, int unit>
struct Instances<Call, Launch, Stored<S...>, Family<variant...>, unit> {
  template <class T> static constexpr bool here = unit == 0 || unit == sizeof(T);
  static constexpr int count = (0 + ... + (here<S> ? static_cast<int>(sizeof...(variant)) : 0));
  struct Rows {
    KernelInstance<Call> row[count > 0 ? count : 1];
  };

  template <class T, int v> static constexpr LaunchFunction<Call> function()
  {
    if constexpr (Stored<S...>::template built<T> && Family<variant...>::built(v))
      return &Launch::template launch<T, v, Call>;
    else
      return nullptr;
  }
  template <class T> static constexpr void add(Rows &rows, int &n)
  {
    if constexpr (here<T>) ((rows.row[n++] = {static_cast<int>(sizeof(T)), variant, function<T, variant>()}), ...);
  }
  static constexpr Rows make()
  {
    Rows rows {};
    [[maybe_unused]] int n = 0;
    (add<S>(rows, n), ...);
    return rows;
  }

  static constexpr Rows rows = make();
  static constexpr KernelTable<Call> table = {rows.row, count};
};

} // namespace quda::QUDA_TARGET_NAMESPACE

#if QUDA_UNIT_PRECISION == 8
#define QUDA_UNIT_KERNELS(name) name##_kernels_8
#elif QUDA_UNIT_PRECISION == 4
#define QUDA_UNIT_KERNELS(name) name##_kernels_4
#elif QUDA_UNIT_PRECISION == 2
#define QUDA_UNIT_KERNELS(name) name##_kernels_2
#elif QUDA_UNIT_PRECISION == 1
#define QUDA_UNIT_KERNELS(name) name##_kernels_1
#else
#define QUDA_UNIT_KERNELS(name) name##_kernels
#endif

/// QUDA_INSTANCES(name, Call, launch, precisions, variants), at the target's namespace.
#define QUDA_INSTANCES(name, Call, ...)                                                                                \
  extern const KernelTable<Call> QUDA_UNIT_KERNELS(name);                                                              \
  const KernelTable<Call> QUDA_UNIT_KERNELS(name) = Instances<Call, __VA_ARGS__>::table;
