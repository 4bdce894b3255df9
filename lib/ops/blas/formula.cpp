#include "ops/blas/formula.h"

#include <algorithm>
#include <vector>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/blas/streams.h"
#include "ops/launch.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(BlasTable, blas_table)

}

namespace quda::blas
{

[[noreturn]] static void differ(const char *function, const Operand &a, const Operand &b, const char *what,
                                long long in_a, long long in_b)
{
  fail(ErrorKind::bad_argument,
       text("blas::%s: %s has %s = %lld, %s has %lld; they must agree", function, a.name, what, in_a, b.name, in_b));
}

void check_alike(const char *function, const Operand &a, const Operand &b, Precisions precisions)
{
  const ColorSpinorField &x = *a.field, &y = *b.field;
  const auto compare = [&](const char *what, long long in_a, long long in_b) {
    if (in_a != in_b) differ(function, a, b, what, in_a, in_b);
  };
  if (precisions == Precisions::equal) compare("precision", bytes_of(x.precision()), bytes_of(y.precision()));
  compare("spins", x.spins(), y.spins());
  compare("colors", x.colors(), y.colors());
  compare("fifth", x.fifth(), y.fifth());
  compare("flavours", x.flavours(), y.flavours());
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
  compare("lanes", p.lanes(), q.lanes());
}

void check_operand(const char *function, const Operand &a)
{
  if (!a.field->native())
    fail(ErrorKind::bad_argument, text("blas::%s: %s has order = %d; native (0) is allowed", function, a.name,
                                       static_cast<int>(a.field->order())));
  const Precision precision = a.field->precision();
  if (precision == Precision::quarter)
    fail(ErrorKind::unsupported, text("blas::%s: %s has precision = %d, which is not supported; 8 (double), 4 (single) "
                                      "and 2 (half) are",
                                      function, a.name, bytes_of(precision)));
}

LaunchFunction<BlasCall> kernel_of(const BlasFormula &formula, const char *function, Precision precision)
{
  return Kernels<BlasCall> {"blas", {&formula.kernels}}.find(function, bytes_of(precision));
}

/// Whether memory overlaps. Columns of one field interleave, with the period of the field's records, or its parities.
bool overlap(const ColorSpinorField &x, const ColorSpinorField &y)
{
  const char *const p = static_cast<const char *>(x.data());
  const char *const q = static_cast<const char *>(y.data());
  if (p >= q + y.bytes() || q >= p + x.bytes()) return false;
  const FieldView &a = x.layout(), &b = y.layout();
  const auto period_of = [](const FieldView &f) {
    return (f.lattice.width > 1 ? f.record_stride : f.parity_stride) * f.precision;
  };
  const long long in_a = a.inner * a.inner_stride * a.precision, in_b = b.inner * b.inner_stride * b.precision;
  const long long period = period_of(a);
  if (period != period_of(b)) return true;
  if (period == 0) return p < q + in_b && q < p + in_a;
  const long long step = ((q - p) % period + period) % period;
  return step < in_a || step + in_b > period;
}

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

  /// Number of distinct fields among these operands.
  int distinct(const Request &r, unsigned mask)
  {
    int n = 0;
    for (int k = 0; k < blas_operands; k++) n += has(mask, k) && !among(r, k, mask, k);
    return n;
  }

  /// Whether operand k is written and its old numbers are read.
  bool overwritten(const Request &r, int k)
  {
    return has(r.formula.writes, k) && among(r, k, r.formula.reads, blas_operands);
  }

  /// Every formula has an x.
  const ColorSpinorField &shape_of(const Request &r) { return *r.operand[0].field; }

  /// A written field must be no other operand, except where the formula allows it.
  void check_memory(const Request &r, int written, int other)
  {
    const Operand &a = r.operand[written], &b = r.operand[other];
    if (a.field->data() == b.field->data()) {
      if (has(r.formula.in_place, other)) return;
      fail(ErrorKind::bad_argument,
           text("blas::%s: %s is written and may not be the same field as %s", r.function, a.name, b.name));
    }
    if (overlap(*a.field, *b.field))
      fail(ErrorKind::bad_argument,
           text("blas::%s: %s is written and overlaps %s in part", r.function, a.name, b.name));
  }

  void check(const Request &r)
  {
    const unsigned all = r.formula.reads | r.formula.writes;
    for (int k = 0; k < blas_operands; k++) {
      if (!has(all, k)) continue;
      const Operand &a = r.operand[k];
      check_operand(r.function, a);
      if (a.field == r.operand[0].field) continue;
      check_alike(r.function, r.operand[0], a);
      if (a.field->rhs() != shape_of(r).rhs())
        differ(r.function, r.operand[0], a, "rhs", shape_of(r).rhs(), a.field->rhs());
    }
    static constexpr const char *name[] = {"a", "b", "c"};
    for (int i = 0; i < blas_coefficients; i++)
      if (r.coefficient[i].listed() && r.coefficient[i].size() != static_cast<std::size_t>(shape_of(r).rhs()))
        fail(ErrorKind::bad_argument,
             text("blas::%s: %zu coefficients %s; fields of %d right-hand sides need one, or one for each", r.function,
                  r.coefficient[i].size(), name[i], shape_of(r).rhs()));
    for (int k = 0; k < blas_operands; k++)
      for (int j = 0; has(r.formula.writes, k) && j < blas_operands; j++)
        if (j != k && has(all, j)) check_memory(r, k, j);
  }

  /// A run of right-hand sides in one launch.
  struct Range {
    int first;
    int count;
    bool groups; // a group for each, or all one vector
  };

  /// Whether the named operands have no gaps, so that sites and inner entries need no distinction.
  bool dense(const Request &r)
  {
    for (int k = 0; k < blas_operands; k++)
      if (has(r.formula.reads | r.formula.writes, k) && !r.operand[k].field->whole()) return false;
    return true;
  }

  BlasCall call_of(const Request &r, const Range &range, BlasCoefficients &coefficients, ExactLimbs *sums)
  {
    const ColorSpinorField &x = shape_of(r);
    BlasCall call {};
    call.coefficients = &coefficients;
    call.sums = sums;
    const bool flat = dense(r) && range.count == x.rhs() && (!range.groups || range.count == 1);
    call.shape = sum_view(x, range.groups ? 1 : range.count, range.groups ? range.count : 1, flat);
    for (int k = 0; k < blas_operands; k++)
      if (has(r.formula.reads | r.formula.writes, k))
        call.field[k] = stream_field(*r.operand[k].field, range.first, flat);
    for (int i = 0; i < blas_coefficients; i++)
      for (unsigned g = 0; g < call.shape.groups; g++) {
        coefficients.re[i][g] = r.coefficient[i][range.first + g].real();
        coefficients.im[i][g] = r.coefficient[i][range.first + g].imag();
      }
    return call;
  }

  KeyText aux(const Request &r, const Range &range)
  {
    const ColorSpinorField &x = shape_of(r);
    return key_text("prec=", bytes_of(x.precision()), ",Ns=", x.spins(), ",Nc=", x.colors(),
                    ",rhs=", rhs_class(range.count), ",layers=", x.layers(), ",groups=", static_cast<int>(range.groups),
                    ",dense=", static_cast<int>(dense(r)), ",parities=", x.parities(),
                    ",fields=", distinct(r, r.formula.reads | r.formula.writes));
  }

  /// A formula as a tunable launch.
  class Formula : public Tunable
  {
  public:
    Formula(const Request &r, const Range &range, BlasCoefficients &coefficients, ExactLimbs *sums)
        : Formula(r, range, call_of(r, range, coefficients, sums))
    {
    }

    void launch(const TuneParam &tp, void *stream) override
    {
      std::fill_n(call_.sums, request_.formula.sums * call_.shape.groups, ExactLimbs {});
      kernel_(tp, stream, call_);
    }
    long long flops() const override { return request_.flops * records_ * (shape_of(request_).reals() / 2); }
    long long bytes() const override { return traffic_ * records_ * shape_of(request_).record_bytes(); }
    bool has_prefetch() const override { return true; }
    /// Lines just read are in the cache, and are written back faster from there.
    bool has_streaming() const override
    {
      for (int k = 0; k < blas_operands; k++)
        if (has(request_.formula.writes, k) && !overwritten(request_, k)) return true;
      return false;
    }
    TuneParam default_param() const override
    {
      TuneParam tp = Tunable::default_param();
      constexpr int ahead = 3072; // bytes
      const int record = static_cast<int>(call_.shape.inner_stride) * bytes_of(shape_of(request_).precision());
      if (tp.prefetch > 0) tp.prefetch = std::clamp(ahead / record, 1, 12);
      if (shape_of(request_).rhs() == 1) tp.prefetch = 0; // one stream for each field needs no prefetch
      return tp;
    }
    void read_written() const override
    {
      for (int k = 0; k < blas_operands; k++)
        if (has(request_.formula.writes, k))
          target().read(request_.operand[k].field->data(), request_.operand[k].field->bytes());
    }
    std::vector<MemorySpan> written_between() const override
    {
      std::vector<MemorySpan> spans;
      for (int k = 0; k < blas_operands; k++)
        if (has(request_.formula.reads | request_.formula.writes, k))
          spans.push_back({request_.operand[k].field->data(), request_.operand[k].field->bytes()});
      return spans;
    }
    std::vector<MemorySpan> in_place() const override
    {
      std::vector<MemorySpan> spans;
      for (int k = 0; k < blas_operands; k++)
        if (overwritten(request_, k))
          spans.push_back({request_.operand[k].field->data(), request_.operand[k].field->bytes()});
      return spans;
    }

  protected:
    bool reduces() const override { return request_.formula.sums > 0; }

  private:
    Formula(const Request &r, const Range &range, const BlasCall &call)
        : Tunable(shape_of(r).shared_lattice()->shared_communicator(), call.shape.points, call.shape.rows,
                  call.shape.groups, volume_text(shape_of(r).lattice()).s, r.function, aux(r, range).s)
        , request_(r)
        , kernel_(kernel_of(r.formula, r.function, shape_of(r).precision()))
        , call_(call)
        , records_(records_of(shape_of(r)) * range.count)
        , traffic_(distinct(r, r.formula.reads) + distinct(r, r.formula.writes))
    {
    }

    const Request &request_;
    LaunchFunction<BlasCall> kernel_;
    BlasCall call_;
    long long records_;
    int traffic_; // fields read and written
  };

} // namespace

std::vector<ExactLimbs> launch_here(const Request &request, Sums over)
{
  check(request);
  const int rhs = shape_of(request).rhs(), n = request.formula.sums;
  Range range = {0, rhs, over == Sums::each_rhs};
  for (const Coefficient &a : request.coefficient) range.groups = range.groups || a.listed();
  // sums over all right-hand sides of an update with a coefficient for each are added up exactly
  std::vector<ExactLimbs> sums(static_cast<std::size_t>(n) * (range.groups ? rhs : 1));
  for (range.first = 0; range.first < rhs; range.first += range.count) {
    range.count = range.groups ? std::min(rhs - range.first, blas_groups) : rhs;
    BlasCoefficients coefficients; // only set for the groups
    Formula(request, range, coefficients, sums.data() + static_cast<std::size_t>(n) * range.first).apply();
  }
  for (int k = 0; k < blas_operands; k++)
    if (has(request.formula.writes, k)) const_cast<ColorSpinorField *>(request.operand[k].field)->mark_written();
  if (over == Sums::whole && range.groups) {
    for (int g = 1; g < rhs; g++)
      for (int i = 0; i < n; i++) exact_merge(sums[i], sums[g * n + i]);
    sums.resize(n);
  }
  return sums;
}

std::vector<double> launch(const Request &request, Sums over)
{
  std::vector<ExactLimbs> sums = launch_here(request, over);
  if (sums.empty()) return {};
  sum_limbs(shape_of(request).lattice().communicator(), sums.data(), static_cast<int>(sums.size()));
  std::vector<double> values;
  for (const ExactLimbs &sum : sums) values.push_back(exact_value(sum));
  return values;
}

} // namespace quda::blas
