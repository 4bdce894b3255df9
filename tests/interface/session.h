#pragma once
/// What the tests of the C interface share: a session, a handler that keeps what it is told, structures filled as a
/// host code fills them, and one rank's part of fields of the plain reference.

#include "quda.h"
#include "quda_ext.h"

#include "core/environment_support.h"
#include "reference/dirac/wilson.h"
#include "reference/field.h"
#include "reference/gauge/links.h"
#include "reference/gauge/plaquette.h"
#include "reference/random.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace test
{

/// Errors go here while it lives. One that no test looks at fails the test.
class Handler
{
public:
  Handler()
      : outer_(current())
  {
    install(this);
  }
  ~Handler()
  {
    expect_seen();
    install(outer_);
  }
  Handler(const Handler &) = delete;
  Handler &operator=(const Handler &) = delete;

  static Handler *&current()
  {
    static Handler *handler = nullptr;
    return handler;
  }

  int calls() const { return seen_ = calls_; }
  QudaErrorKind kind() const { return calls(), kind_; }
  const std::string &text() const { return calls(), text_; }
  bool says(const std::string &words) const { return text().find(words) != std::string::npos; }
  void forget()
  {
    expect_seen();
    calls_ = seen_ = 0;
    kind_ = QUDA_ERROR_KIND_NONE;
    text_.clear();
  }

private:
  static void install(Handler *handler)
  {
    current() = handler;
    qudaSetErrorHandler(handler ? keep : nullptr, handler);
  }
  static void keep(QudaErrorKind kind, const char *message, void *user)
  {
    auto *handler = static_cast<Handler *>(user);
    handler->calls_++;
    handler->kind_ = kind;
    handler->text_ = message;
  }
  void expect_seen() const { EXPECT_EQ(calls_, seen_) << "an error that nobody looked at: " << text_; }

  Handler *const outer_;
  int calls_ = 0;
  mutable int seen_ = 0;
  QudaErrorKind kind_ = QUDA_ERROR_KIND_NONE;
  std::string text_;
};

/// What the library prints, in place of standard output.
class Output
{
public:
  explicit Output(QudaVerbosity verbosity = QUDA_SUMMARIZE)
      : file_(std::tmpfile())
  {
    setVerbosityQuda(verbosity, "", file_);
  }
  ~Output()
  {
    setVerbosityQuda(QUDA_SILENT, "", nullptr);
    std::fclose(file_);
  }
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  std::string text() const
  {
    std::string all;
    char buffer[4096];
    for (ssize_t n; (n = pread(fileno(file_), buffer, sizeof buffer, static_cast<off_t>(all.size()))) > 0;)
      all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }
  bool says(const std::string &words) const { return text().find(words) != std::string::npos; }

private:
  std::FILE *file_;
};

/// The library initialised, without a word; errors are looked at where the test does not do so itself.
class Session
{
public:
  explicit Session(const int *grid = nullptr)
  {
    if (!Handler::current()) handler_.emplace();
    setVerbosityQuda(QUDA_SILENT, "", nullptr);
    if (grid) initCommsGridQuda(4, grid, nullptr, nullptr);
    initQuda(-1);
  }
  ~Session() { endQuda(); }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

private:
  std::optional<Handler> handler_;
};

/// A test between beginning and end of the library.
class Begun : public testing::Test
{
protected:
  Handler handler;

private:
  Session session_;
};

/// Launches are not tuned: fields are small, and results never depend on it.
class Untuned : public testing::Test
{
protected:
  Handler handler;

private:
  Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  Session session_;
};

struct Storage {
  QudaPrecision host = QUDA_DOUBLE_PRECISION;
  QudaPrecision precision = QUDA_DOUBLE_PRECISION;
  QudaReconstructType reconstruct = QUDA_RECONSTRUCT_NO;
  QudaGaugeFieldOrder order = QUDA_QDP_GAUGE_ORDER;
  double anisotropy = 1;
  int t_boundary = 1;
};

inline QudaGaugeParam gauge_param(const reference::Coords &X, const Storage &storage = {})
{
  QudaGaugeParam param = newQudaGaugeParam();
  for (int d = 0; d < 4; d++) param.X[d] = X[d];
  param.type = QUDA_WILSON_LINKS;
  param.gauge_order = storage.order;
  param.anisotropy = storage.anisotropy;
  param.t_boundary = storage.t_boundary < 0 ? QUDA_ANTI_PERIODIC_T : QUDA_PERIODIC_T;
  param.cpu_prec = storage.host;
  param.cuda_prec = storage.precision;
  param.reconstruct = storage.reconstruct;
  param.gauge_fix = QUDA_GAUGE_FIXED_NO;
  param.ga_pad = 0;
  param.tadpole_coeff = 1;
  return param;
}

inline QudaInvertParam wilson_param(QudaPrecision precision = QUDA_DOUBLE_PRECISION, double kappa = 0.12)
{
  QudaInvertParam param = newQudaInvertParam();
  param.dslash_type = QUDA_WILSON_DSLASH;
  param.kappa = kappa;
  param.solution_type = QUDA_MAT_SOLUTION;
  param.matpc_type = QUDA_MATPC_EVEN_EVEN;
  param.dagger = QUDA_DAG_NO;
  param.mass_normalization = QUDA_KAPPA_NORMALIZATION;
  param.cpu_prec = precision;
  param.cuda_prec = precision;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.dirac_order = QUDA_DIRAC_ORDER;
  return param;
}

/// Links of one rank in the host's memory, in either order and precision.
template <class real> class HostLinks
{
public:
  HostLinks(const reference::GaugeField &gauge, const reference::Part &part, QudaGaugeFieldOrder order)
      : order_(order)
  {
    if (order == QUDA_MILC_GAUGE_ORDER)
      milc_ = reference::to_milc<real>(gauge, part);
    else
      qdp_ = reference::to_qdp<real>(gauge, part);
  }

  void *pointer()
  {
    for (int mu = 0; mu < 4; mu++) pointers_[mu] = qdp_[mu].data();
    return order_ == QUDA_MILC_GAUGE_ORDER ? static_cast<void *>(milc_.data()) : pointers_;
  }
  std::vector<real> all() const
  {
    std::vector<real> numbers = milc_;
    for (const auto &array : qdp_) numbers.insert(numbers.end(), array.begin(), array.end());
    return numbers;
  }
  void fill(real x)
  {
    for (real &number : milc_) number = x;
    for (auto &array : qdp_)
      for (real &number : array) number = x;
  }
  real *direction(int mu) { return qdp_[mu].data(); }

private:
  QudaGaugeFieldOrder order_;
  reference::QdpLinks<real> qdp_;
  std::vector<real> milc_;
  void *pointers_[4];
};

/// Links on one rank, resident.
inline void load_links(const reference::GaugeField &gauge, const Storage &storage = {})
{
  HostLinks<double> host(gauge, reference::Part(gauge.lattice), storage.order);
  QudaGaugeParam param = gauge_param(gauge.lattice.X, storage);
  loadGaugeQuda(host.pointer(), &param);
}

/// The largest difference; NaN comes through.
template <class A, class B> double largest_difference(const std::vector<A> &a, const std::vector<B> &b)
{
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); i++) {
    const double here = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(here <= largest)) largest = here;
  }
  return largest;
}

template <class T> bool same_bits(const std::vector<T> &a, const std::vector<T> &b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

} // namespace test
