#include "ops/blas/formula.h"

#include <algorithm>
#include <vector>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(BlasTable, blas_table)

}

namespace quda::blas
{

namespace
{

  bool has(unsigned mask, int k) { return mask >> k & 1; }

  /// Whether operand k is the same memory as one of `mask` before operand `end`.
  bool among(const Request &r, int k, unsigned mask, int end)
  {
    for (int j = 0; j < end; j++)
      if (has(mask, j) && r.operand[j].field->data() == r.operand[k].field->data()) return true;
    return false;
  }

  /// Fields that these operands are.
  int distinct(const Request &r, unsigned mask)
  {
    int n = 0;
    for (int k = 0; k < blas_operands; k++) n += has(mask, k) && !among(r, k, mask, k);
    return n;
  }

  /// Written, and the old numbers are read.
  bool overwritten(const Request &r, int k)
  {
    return has(r.formula.writes, k) && among(r, k, r.formula.reads, blas_operands);
  }

  /// Every formula has an x.
  const ColorSpinorField &shape_of(const Request &r) { return *r.operand[0].field; }

  [[noreturn]] void differ(const Request &r, const Operand &a, const Operand &b, const char *what, long long in_a,
                           long long in_b)
  {
    fail(ErrorKind::bad_argument, text("blas::%s: %s has %s = %lld, %s has %lld; they must agree", r.function, a.name,
                                       what, in_a, b.name, in_b));
  }

  void check_alike(const Request &r, const Operand &a, const Operand &b)
  {
    const ColorSpinorField &x = *a.field, &y = *b.field;
    const auto compare = [&](const char *what, long long in_a, long long in_b) {
      if (in_a != in_b) differ(r, a, b, what, in_a, in_b);
    };
    compare("precision", bytes_of(x.precision()), bytes_of(y.precision()));
    compare("spins", x.spins(), y.spins());
    compare("colors", x.colors(), y.colors());
    compare("inner", x.inner(), y.inner());
    compare("subset", static_cast<int>(x.subset()), static_cast<int>(y.subset()));
    compare("parity", x.parity(), y.parity());
    if (&x.lattice() == &y.lattice()) return;
    static constexpr const char *local[] = {"X[0]", "X[1]", "X[2]", "X[3]"};
    static constexpr const char *global[] = {"global X[0]", "global X[1]", "global X[2]", "global X[3]"};
    static constexpr const char *origin[] = {"origin[0]", "origin[1]", "origin[2]", "origin[3]"};
    static constexpr const char *blocks[] = {"S[0] (lane split)", "S[1] (lane split)", "S[2] (lane split)",
                                             "S[3] (lane split)"};
    const Lattice &p = x.lattice(), &q = y.lattice();
    for (int d = 0; d < 4; d++) {
      compare(local[d], p.X(d), q.X(d));
      compare(global[d], p.global_X()[d], q.global_X()[d]);
      compare(origin[d], p.origin()[d], q.origin()[d]);
      compare(blocks[d], p.S()[d], q.S()[d]);
    }
  }

  /// A field that is written is no other operand, but where the formula allows it.
  void check_memory(const Request &r, int written, int other)
  {
    const Operand &a = r.operand[written], &b = r.operand[other];
    const char *const p = static_cast<const char *>(a.field->data());
    const char *const q = static_cast<const char *>(b.field->data());
    if (p == q) {
      if (has(r.formula.in_place, other)) return;
      fail(ErrorKind::bad_argument,
           text("blas::%s: %s is written and may not be the same field as %s", r.function, a.name, b.name));
    }
    if (p < q + b.field->bytes() && q < p + a.field->bytes())
      fail(ErrorKind::bad_argument,
           text("blas::%s: %s is written and overlaps %s in part", r.function, a.name, b.name));
  }

  void check(const Request &r)
  {
    const unsigned all = r.formula.reads | r.formula.writes;
    for (int k = 0; k < blas_operands; k++) {
      if (!has(all, k)) continue;
      const Operand &a = r.operand[k];
      if (!a.field->native())
        fail(ErrorKind::bad_argument, text("blas::%s: %s has order = %d; native (0) is allowed", r.function, a.name,
                                           static_cast<int>(a.field->order())));
      if (!a.field->whole())
        fail(ErrorKind::unsupported,
             text("blas::%s: %s is some columns of a field, which is not supported", r.function, a.name));
      const Precision precision = a.field->precision();
      if (precision != Precision::double_ && precision != Precision::single)
        fail(ErrorKind::unsupported, text("blas::%s: %s has precision = %d, which is not supported; 8 (double) and 4 "
                                          "(single) are",
                                          r.function, a.name, bytes_of(precision)));
      if (a.field != r.operand[0].field) check_alike(r, r.operand[0], a);
    }
    for (int k = 0; k < blas_operands; k++)
      for (int j = 0; has(r.formula.writes, k) && j < blas_operands; j++)
        if (j != k && has(all, j)) check_memory(r, k, j);
  }

  BlasCall call_of(const Request &r)
  {
    BlasCall call {};
    call.shape = shape_of(r).view().field;
    call.parities = shape_of(r).parities();
    for (int k = 0; k < blas_operands; k++)
      if (has(r.formula.reads | r.formula.writes, k)) call.data[k] = r.operand[k].field->data();
    for (int i = 0; i < blas_coefficients; i++) {
      call.re[i] = r.coefficient[i].real();
      call.im[i] = r.coefficient[i].imag();
    }
    return call;
  }

  /// The index space: the order of memory (Streams in the targets' storage.h).
  struct Extents {
    unsigned points, rows;
    explicit Extents(const ColorSpinorField &x)
    {
      const LatticeView &lattice = x.view().field.lattice;
      const bool lanes = target().lanes() > 1;
      points = lattice.volume_cb * lattice.parts * (lanes ? x.inner() : 1);
      rows = x.parities() * (lanes ? 1 : x.inner());
    }
  };

  KeyText aux(const Request &r)
  {
    const ColorSpinorField &x = shape_of(r);
    return key_text("prec=", bytes_of(x.precision()), ",Ns=", x.spins(), ",Nc=", x.colors(), ",inner=", x.inner(),
                    ",parities=", x.parities(), ",fields=", distinct(r, r.formula.reads | r.formula.writes));
  }

  /// A formula as the tuner knows it.
  template <class Base> class Formula : public Base
  {
  public:
    Formula(const Request &r, ExactLimbs *sums)
        : Formula(r, sums, Extents(shape_of(r)))
    {
    }

    void launch(const TuneParam &tp, void *stream) override
    {
      for (int i = 0; i < request_.formula.sums; i++) sums_[i] = {};
      kernel_(tp, stream, call_, sums_);
    }
    long long flops() const override { return request_.flops * (reals_ / 2); }
    long long bytes() const override { return traffic_ * reals_ * call_.shape.precision; }
    bool has_prefetch() const override { return true; }
    /// What was read a moment ago is in the cache, and is faster written back from there.
    bool has_streaming() const override
    {
      for (int k = 0; k < blas_operands; k++)
        if (has(request_.formula.writes, k) && !overwritten(request_, k)) return true;
      return false;
    }
    TuneParam default_param() const override
    {
      TuneParam tp = Base::default_param();
      constexpr int ahead = 3072; // bytes
      const int record = call_.shape.reals * call_.shape.lattice.width * call_.shape.precision;
      if (tp.prefetch > 0) tp.prefetch = std::clamp(ahead / record, 1, 12);
      return tp;
    }
    void read_written() const override
    {
      for (int k = 0; k < blas_operands; k++)
        if (has(request_.formula.writes, k))
          target().read(call_.data[k], static_cast<std::size_t>(reals_) * call_.shape.precision);
    }
    std::vector<MemorySpan> in_place() const override
    {
      std::vector<MemorySpan> spans;
      for (int k = 0; k < blas_operands; k++)
        if (overwritten(request_, k)) spans.push_back({call_.data[k], request_.operand[k].field->bytes()});
      return spans;
    }

  private:
    Formula(const Request &r, ExactLimbs *sums, const Extents &n)
        : Base(shape_of(r).shared_lattice()->shared_communicator(), n.points, n.rows,
               volume_text(shape_of(r).lattice()).s, r.function, aux(r).s)
        , request_(r)
        , sums_(sums)
        , kernel_(instance(r.formula.launch, r.function, shape_of(r).precision()))
        , call_(call_of(r))
        , reals_(shape_of(r).sites() * shape_of(r).inner() * shape_of(r).reals())
        , traffic_(distinct(r, r.formula.reads) + distinct(r, r.formula.writes))
    {
    }

    const Request &request_;
    ExactLimbs *sums_;
    BlasFormula::Launch kernel_;
    BlasCall call_;
    long long reals_;
    int traffic_; // fields read and written
  };

} // namespace

void launch(const Request &request, ExactLimbs *sums)
{
  check(request);
  if (request.formula.sums > 0)
    Formula<TunableReduction>(request, sums).apply();
  else
    Formula<TunableKernel2D>(request, nullptr).apply();
}

template <int n> std::array<double, n> launch_sums(const Request &request)
{
  ExactLimbs sums[n];
  launch(request, sums);
  sum_limbs(shape_of(request).lattice().communicator(), sums, n);
  std::array<double, n> values;
  for (int i = 0; i < n; i++) values[i] = exact_value(sums[i]);
  return values;
}

template std::array<double, 1> launch_sums<1>(const Request &);
template std::array<double, 2> launch_sums<2>(const Request &);
template std::array<double, 3> launch_sums<3>(const Request &);

} // namespace quda::blas
