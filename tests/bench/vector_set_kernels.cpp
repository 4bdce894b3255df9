/// Sets of vectors (lib/ops/blas/vector_set.h), of 64 vectors, on lattices beyond 16^4 of eight: they have to lie in
/// memory at once.
///   rotate  half as many from all of them, in place

#include <cmath>
#include <numbers>

#include "bench/host_data.h"
#include "bench/kernel.h"
#include "ops/blas/vector_set.h"

namespace quda::bench
{

namespace
{

  int vectors_of(const Setting &s) { return s.sites() > 16 * 16 * 16 * 16 ? 8 : 64; }

  class Rotate : public Kernel
  {
  public:
    explicit Rotate(const Setting &s)
        : host_(*s.host)
        , V_(vectors_of(s))
        , Q_(V_.size(), V_.size() / 2)
    {
      V_.prepare(host_.native_spinors(s.precision, 1).param());
      // columns of a unitary matrix, so that no number of runs makes vectors large
      const double m = V_.size();
      for (int i = 0; i < Q_.rows(); i++)
        for (int j = 0; j < Q_.columns(); j++)
          Q_(i, j) = std::polar(1 / std::sqrt(m), 2 * std::numbers::pi * i * j / m);
      fill();
    }
    void run() override { V_.rotate(Q_); }
    static Work work(const Setting &s)
    {
      const double m = vectors_of(s), k = m / 2, one = s.spinors(s.precision) / s.nrhs;
      return {.flops = 8 * m * k * 12 * s.sites(),
              .read = m * one,
              .written = k * one,
              .touched = m * one,
              .shape = Shape::update};
    }
    /// Vector i is i + 1 times the host's spinors at first.
    bool check() override
    {
      fill();
      run();
      bool good = true;
      for (int j = 0; j < Q_.columns(); j++) {
        blas::Complex sum = 0;
        for (int i = 0; i < Q_.rows(); i++) sum += (i + 1.0) * Q_(i, j);
        good = good && host_.agrees(
                           V_[j],
                           [&](int p, std::size_t x) {
                             return reference::Spinor(sum * host_.spinors()[p * host_.lattice().half() + x]);
                           },
                           Q_.rows() * HostData::tolerance(V_[j].precision()));
      }
      return good;
    }
    Checksum checksum() override
    {
      fill();
      run();
      return checksum_of(V_[0]);
    }

  private:
    void fill()
    {
      ColorSpinorField one = host_.native_spinors(V_[0].precision(), 1);
      host_.fill(one);
      for (int i = 0; i < V_.size(); i++) {
        blas::copy(V_[i], one);
        blas::ax(i + 1.0, V_[i]);
      }
    }

    HostData &host_;
    blas::VectorSet V_;
    blas::Matrix Q_;
  };

  const Registered vector_set_entry({.name = "rotate",
                                     .needs = Needs::own,
                                     .computes = Computes::any,
                                     .tables = {"rotate"},
                                     .features = "in place, panels",
                                     .work = Rotate::work,
                                     .make = made<Rotate>});

} // namespace

} // namespace quda::bench
