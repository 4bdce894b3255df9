/// The C functions that make and print parameter structures. Collective: no.

#include "quda.h"

#include "core/log.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"

#include <string>

namespace quda
{

namespace
{

  // the structure must be returned in any case: a failure is reported, then the zeroed structure is returned
  template <class Param> Param make(const char *function)
  {
    Param param {};
    guard(function, [&] { param = default_param<Param>(); });
    return param;
  }

  // line by line, so that the log's prefix stands before each
  void print_lines(const std::string &lines)
  {
    for (std::size_t start = 0, end; start < lines.size(); start = end + 1) {
      end = lines.find('\n', start);
      print(Verbosity::silent, "%.*s\n", static_cast<int>(end - start), lines.data() + start);
    }
  }

  int used_levels(const QudaMultigridParam &param)
  {
    return param.n_level >= 1 && param.n_level <= QUDA_MAX_MG_LEVEL ? param.n_level : QUDA_MAX_MG_LEVEL;
  }

  template <class Param> int used_levels(const Param &) { return QUDA_MAX_MG_LEVEL; }

  template <class Param> void print_param(const char *function, const Param *param)
  {
    guard(function, [&] {
      check_struct(function, param);
      if (log_rank_prints()) print_lines(params::describe(params::table<Param>(), param, used_levels(*param)));
    });
  }

} // namespace

} // namespace quda

extern "C" {

QudaGaugeParam newQudaGaugeParam(void) { return quda::make<QudaGaugeParam>(__func__); }
QudaInvertParam newQudaInvertParam(void) { return quda::make<QudaInvertParam>(__func__); }
QudaEigParam newQudaEigParam(void) { return quda::make<QudaEigParam>(__func__); }
QudaMultigridParam newQudaMultigridParam(void) { return quda::make<QudaMultigridParam>(__func__); }
QudaGaugeObservableParam newQudaGaugeObservableParam(void) { return quda::make<QudaGaugeObservableParam>(__func__); }
QudaGaugeSmearParam newQudaGaugeSmearParam(void) { return quda::make<QudaGaugeSmearParam>(__func__); }
QudaBLASParam newQudaBLASParam(void) { return quda::make<QudaBLASParam>(__func__); }

void printQudaGaugeParam(QudaGaugeParam *param) { quda::print_param(__func__, param); }
void printQudaInvertParam(QudaInvertParam *param) { quda::print_param(__func__, param); }
void printQudaEigParam(QudaEigParam *param) { quda::print_param(__func__, param); }
void printQudaMultigridParam(QudaMultigridParam *param) { quda::print_param(__func__, param); }
void printQudaGaugeObservableParam(QudaGaugeObservableParam *param) { quda::print_param(__func__, param); }
void printQudaBLASParam(QudaBLASParam *param) { quda::print_param(__func__, param); }

} // extern "C"
