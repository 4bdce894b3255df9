/// Copies as the library makes them (`to = from`), fields of both parities.
///   copy_half half = half     copy_to_half half = single     copy_from_half single = half
///   copy_to_single single = double   copy_to_double double = single
///   load_.. native fields from the host's arrays: spinors (dirac), links (qdp, milc); save_.. back
///   rebuild_12, rebuild_8 whole links from compressed ones; compress_8 the other way; 13 and 9 of long links
///   link_norm |U|^2 of all links

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/blas.h"
#include "ops/copy/reorder.h"

namespace quda::bench
{

namespace
{

  class CopySpinors : public Kernel
  {
  public:
    CopySpinors(const Setting &setting, Precision to, Precision from)
        : host_(*setting.host)
        , to_(host_.native_spinors(to, setting.nrhs))
        , from_(host_.native_spinors(from, setting.nrhs))
    {
      host_.fill(from_);
    }
    void run() override { to_ = from_; }
    bool check() override
    {
      blas::zero(to_);
      run();
      const Precision worse =
          bytes_of(to_.precision()) < bytes_of(from_.precision()) ? to_.precision() : from_.precision();
      return host_.agrees(
          to_, [&](int p, std::size_t x) { return host_.spinors()[p * host_.lattice().half() + x]; },
          HostData::tolerance(worse));
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(to_);
    }

  private:
    HostData &host_;
    ColorSpinorField to_, from_;
  };

  Entry copy_between(const char *name, Precision to, Precision from, const char *table, Computes computes)
  {
    return {.name = name,
            .computes = computes,
            .tables = {table},
            .features = to == from ? "streaming stores" : "conversion, streaming stores",
            .loose = computes == Computes::half ? 1 : 1e7,
            .work =
                [=](const Setting &s) {
                  return Work {.read = s.spinors(from), .written = s.spinors(to), .shape = Shape::copy};
                },
            .make = [=](const Setting &s) { return std::make_unique<CopySpinors>(s, to, from); }};
  }

  /// Links of a host's arrays into a native field, or back.
  class CopyLinks : public Kernel
  {
  public:
    CopyLinks(const Setting &s, GaugeOrder order, bool load)
        : native_(s.host->native_links(s.precision, s.reconstruct))
        , foreign_(describe(s, order))
        , load_(load)
    {
      foreign_ = native_;
    }
    void run() override
    {
      if (load_)
        native_ = foreign_;
      else
        foreign_ = native_;
    }
    static Work work(const Setting &s, bool load)
    {
      const double foreign = 72 * s.sites() * sizeof(double);
      return {.read = load ? foreign : s.links(), .written = load ? s.links() : foreign, .shape = Shape::copy};
    }
    Checksum checksum() override
    {
      run();
      return checksum_of(native_);
    }

  private:
    GaugeFieldParam describe(const Setting &s, GaugeOrder order)
    {
      numbers_.resize(static_cast<std::size_t>(72 * s.sites()));
      GaugeFieldParam param = native_.param();
      param.precision = Precision::double_;
      param.reconstruct = Reconstruct::none;
      param.order = order;
      param.location = Location::host;
      param.create = Create::reference;
      for (int mu = 0; mu < 4; mu++) param.data[mu] = numbers_.data() + mu * numbers_.size() / 4;
      return param;
    }

    GaugeField native_;
    std::vector<double> numbers_;
    GaugeField foreign_;
    bool load_;
  };

  Entry copy_links(const char *name, GaugeOrder order, bool load)
  {
    return {.name = name,
            .needs = Needs::links,
            .tables = {"reorder"},
            .features = "reordering",
            .work = [=](const Setting &s) { return CopyLinks::work(s, load); },
            .make = [=](const Setting &s) { return std::make_unique<CopyLinks>(s, order, load); },
            .reference = plain([](HostData &host) { return host.links(); }),
            .times_reference = false};
  }

  /// Links of a number of reals a link from others.
  Entry rebuilding(const char *name, Reconstruct to, Reconstruct from)
  {
    const int reals_to = static_cast<int>(to), reals_from = static_cast<int>(from);
    return {.name = name,
            .needs = Needs::own,
            .tables = {reals_to == 18        ? "rebuild"
                       : over_their_unit(to) ? "compress_fit"
                                             : "compress"},
            .features = "reconstruction",
            .loose = 10,
            .work =
                [=](const Setting &s) {
                  const double reals = 4 * s.sites() * s.real();
                  return Work {.flops = 4 * s.sites() * (std::min(reals_from, reals_to) > 9 ? 42 : 200),
                               .read = reals * reals_from,
                               .written = reals * reals_to,
                               .shape = Shape::copy};
                },
            .make = runs([=](const Setting &s) {
              return [old = s.host->native_links(s.precision, from),
                      links = s.host->native_links(s.precision, to)]() mutable -> const GaugeField & {
                rebuild_links(old.lattice(), {old.view(), links.view().field, 1, 1e-3, nullptr}, old.precision());
                return links;
              };
            }),
            .reference = plain([](HostData &host) { return host.links(); }),
            .times_reference = false};
  }

  constexpr Precision half = Precision::half, single = Precision::single, wide = Precision::double_;

  const Registered copies[] = {
      copy_between("copy_half", half, half, "copy_bytes", Computes::half),
      copy_between("copy_to_half", half, single, "convert", Computes::half),
      copy_between("copy_from_half", single, half, "convert", Computes::half),
      copy_between("copy_to_single", single, wide, "reorder", Computes::floating),
      copy_between("copy_to_double", wide, single, "reorder", Computes::floating),
      copy_links("load_qdp", GaugeOrder::qdp, true),
      copy_links("load_milc", GaugeOrder::milc, true),
      copy_links("save_milc", GaugeOrder::milc, false),
      Entry {.name = "load_spinors",
             .tables = {"reorder"},
             .features = "reordering",
             .work =
                 [](const Setting &s) {
                   return Work {.read = s.spinors(Precision::double_), .written = s.spinors(), .shape = Shape::copy};
                 },
             .make = runs([](const Setting &s) {
               return [host = s.host,
                       field = s.host->native_spinors(s.precision, s.nrhs)]() mutable -> const ColorSpinorField & {
                 host->fill(field);
                 return field;
               };
             }),
             .reference = plain([](HostData &host) { return host.spinors(); }),
             .times_reference = false},
      rebuilding("rebuild_12", Reconstruct::none, Reconstruct::r12),
      rebuilding("rebuild_8", Reconstruct::none, Reconstruct::r8),
      rebuilding("compress_8", Reconstruct::r8, Reconstruct::none),
      rebuilding("rebuild_13", Reconstruct::none, Reconstruct::r13),
      rebuilding("compress_13", Reconstruct::r13, Reconstruct::none),
      rebuilding("compress_9", Reconstruct::r9, Reconstruct::none),
      Entry {.name = "link_norm",
             .needs = Needs::own,
             .tables = {"link_norm"},
             .work =
                 [](const Setting &s) {
                   const double reals = 72 * s.sites();
                   return Work {.flops = 2 * reals, .read = reals * s.real(), .shape = Shape::dot};
                 },
             .make = runs([](const Setting &s) {
               return [links = s.host->native_links(s.precision, Reconstruct::none)] { return link_norm2(links); };
             })},
  };

} // namespace

} // namespace quda::bench
