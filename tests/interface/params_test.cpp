/// The parameter table: defaults, the check of every rule, messages, printing, and the header written from it.

#include "core/error.h"
#include "interface/guard.h"
#include "interface/params/complete_param.h"
#include "interface/params/param_table.h"
#include "interface/params/param_value.h"
#include "quda.h"
#include "quda_ext.h"
#include "tests/core/captured_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>

namespace
{

using quda::check;
using quda::Error;
using quda::first;

/// The message of the Error that `call` throws; empty if it throws none.
std::string refusal(const std::function<void()> &call)
{
  try {
    call();
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), quda::ErrorKind::bad_argument);
    return error.what();
  }
  return "";
}

template <class... Words> void expect_words(const std::string &message, Words... words)
{
  for (const std::string &word : {std::string(words)...})
    EXPECT_NE(message.find(word), std::string::npos) << "\"" << word << "\" is missing in: " << message;
}

template <class Param> class ParamTable : public testing::Test
{
};

using AllParams = testing::Types<QudaGaugeParam, QudaInvertParam, QudaEigParam, QudaMultigridParam,
                                 QudaGaugeObservableParam, QudaGaugeSmearParam, QudaBLASParam, QudaQuarkSmearParam>;

class StructNames
{
public:
  template <class Param> static std::string GetName(int) { return quda::params::table<Param>().name; }
};
TYPED_TEST_SUITE(ParamTable, AllParams, StructNames);

TYPED_TEST(ParamTable, RowsCoverTheStructureInOrder)
{
  const auto &table = quda::params::table<TypeParam>();
  EXPECT_EQ(table.size, sizeof(TypeParam));
  std::size_t end = 0;
  for (const auto &field : table.fields) {
    SCOPED_TRACE(field.name);
    const bool in_union = std::strcmp(field.name, "pad") == 0;
    if (in_union) end = field.offset;
    EXPECT_GE(field.offset, end);
    EXPECT_LT(field.offset - end, 8u) << "a member is missing before this one";
    end = field.offset + field.element_size * static_cast<std::size_t>(field.count());
    EXPECT_GT(std::strlen(field.documentation), 3u);
  }
  EXPECT_LT(table.size - end, 8u) << "a member is missing at the end";
}

TYPED_TEST(ParamTable, DefaultsLeaveNothingOfTheMemoryBefore)
{
  TypeParam one, other;
  std::memset(static_cast<void *>(&one), 0xa5, sizeof(one));
  std::memset(static_cast<void *>(&other), 0x5a, sizeof(other));
  const auto &table = quda::params::table<TypeParam>();
  quda::params::fill_defaults(table, &one);
  quda::params::fill_defaults(table, &other);
  EXPECT_EQ(std::memcmp(&one, &other, sizeof(one)), 0);
}

// a default is allowed or marked as not chosen; zero that must be replaced is the one exception
TYPED_TEST(ParamTable, DefaultsFollowTheirRules)
{
  const TypeParam param = quda::default_param<TypeParam>();
  for (const auto &field : quda::params::table<TypeParam>().fields) {
    const char *element = quda::params::element_at(field, &param, field.count() - 1);
    EXPECT_EQ(quda::params::element_unset(field, element), field.initial.unset) << field.name;
    const auto kind = field.rule.kind;
    const bool zero_to_replace = field.initial.number == 0 &&
                                 (kind == quda::params::RuleKind::positive || kind == quda::params::RuleKind::not_null);
    if (!field.initial.unset && !zero_to_replace) {
      EXPECT_TRUE(quda::params::element_allowed(field, element)) << field.name;
    }
  }
}

TYPED_TEST(ParamTable, PrintsEachMemberOnceAndStaysShort)
{
  TypeParam param = quda::default_param<TypeParam>();
  const auto &table = quda::params::table<TypeParam>();
  // the longest values, and different ones, so that nothing is abbreviated
  for (const auto &field : table.fields) {
    for (int i = 0; i < field.count(); i++) {
      char *element = const_cast<char *>(quda::params::element_at(field, &param, i));
      const double number = -1.23456e-300 * (1 + i % 7);
      if (field.type == quda::params::ValueType::real) std::memcpy(element, &number, sizeof(number));
      if (field.type == quda::params::ValueType::text) std::memset(element, 'a' + i, field.element_size - 1);
    }
  }
  const std::string lines = quda::params::describe(table, &param);
  EXPECT_LT(lines.size(), 32u * 1024) << "a pipe holds 64 KiB, the log's prefix comes on top";
  EXPECT_EQ(lines.find(std::string(table.title) + ":\n"), 0u);
  for (const auto &field : table.fields) {
    const std::string start = std::string("\n") + field.name + " = ";
    const auto found = lines.find(start);
    ASSERT_NE(found, std::string::npos) << field.name;
    EXPECT_EQ(lines.find(start, found + 1), std::string::npos) << field.name;
  }
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), static_cast<long>(table.fields.size()) + 1);
}

TYPED_TEST(ParamTable, RefusesNullAndAForeignSize)
{
  expect_words(refusal([] { quda::check_struct<TypeParam>("someCall", nullptr); }), "someCall",
               quda::params::table<TypeParam>().name, "null");
  TypeParam param = quda::default_param<TypeParam>();
  EXPECT_EQ(refusal([&] { quda::check_struct("someCall", &param); }), "");
  if constexpr (requires { param.struct_size; }) {
    EXPECT_EQ(param.struct_size, static_cast<std::size_t>(INT_MIN));
    param.struct_size = sizeof(param);
    EXPECT_EQ(refusal([&] { quda::check_struct("someCall", &param); }), "");
    param.struct_size = sizeof(param) - 8;
    expect_words(refusal([&] { quda::check_struct("someCall", &param); }), "someCall", "struct_size",
                 std::to_string(sizeof(param) - 8), std::to_string(sizeof(param)));
  }
}

TEST(Params, DefaultsHostsRelyOn)
{
  const QudaGaugeParam gauge = newQudaGaugeParam();
  EXPECT_EQ(gauge.location, QUDA_CPU_FIELD_LOCATION);
  for (int extent : gauge.X) EXPECT_EQ(extent, INT_MIN);
  EXPECT_EQ(gauge.anisotropy, DBL_MIN);
  EXPECT_EQ(gauge.scale, 1);
  EXPECT_EQ(gauge.cpu_prec, QUDA_INVALID_PRECISION);
  EXPECT_EQ(gauge.return_result_gauge, 1);
  EXPECT_EQ(gauge.use_resident_gauge, 0);

  const QudaInvertParam invert = newQudaInvertParam();
  EXPECT_EQ(invert.tol_restart, 5e-5);
  EXPECT_EQ(invert.ca_lambda_max, -1);
  EXPECT_EQ(invert.split_grid[5], 1);
  EXPECT_EQ(invert.kappa, DBL_MIN);
  EXPECT_EQ(invert.eig_param, nullptr);
  EXPECT_STREQ(invert.madwf_param_infile, "");
  EXPECT_EQ(invert.residual_type, QUDA_L2_RELATIVE_RESIDUAL);

  const QudaMultigridParam multigrid = newQudaMultigridParam();
  EXPECT_EQ(multigrid.n_level, INT_MIN);
  EXPECT_EQ(multigrid.geo_block_size[4][5], INT_MIN);
  EXPECT_EQ(multigrid.setup_tol[4], 5e-6);
  EXPECT_STREQ(multigrid.vec_infile[4], "");

  EXPECT_EQ(newQudaEigParam().n_ev_deflate, -1);
  EXPECT_EQ(newQudaGaugeObservableParam().max_length, INT_MIN);
  EXPECT_EQ(newQudaGaugeSmearParam().dir_ignore, -1);
  EXPECT_EQ(newQudaBLASParam().batch_count, 1);
}

TEST(Params, OnlyTheNamedMembersAreChecked)
{
  QudaGaugeParam param = newQudaGaugeParam();
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  EXPECT_EQ(refusal([&] { check("someCall", param, &QudaGaugeParam::cpu_prec, &QudaGaugeParam::location); }), "");
  expect_words(refusal([&] { check("someCall", param, &QudaGaugeParam::cpu_prec, &QudaGaugeParam::X); }), "someCall",
               "QudaGaugeParam.X[0]", "unset", "even number");
}

TEST(Params, UnsetIsRefusedUnlessOptional)
{
  const QudaInvertParam param = newQudaInvertParam();
  const auto message = [&](auto member) { return refusal([&] { check("invertQuda", param, member); }); };
  expect_words(message(&QudaInvertParam::kappa), "invertQuda", "QudaInvertParam.kappa", "unset", "finite");
  expect_words(message(&QudaInvertParam::dslash_type), "QudaInvertParam.dslash_type", "unset", "QUDA_WILSON_DSLASH (0)",
               "QUDA_COVDEV_DSLASH (12)");
  expect_words(message(&QudaInvertParam::maxiter), "QudaInvertParam.maxiter", "0 or greater");
  expect_words(message(&QudaInvertParam::b_5), "QudaInvertParam.b_5[0]", "unset");
  EXPECT_EQ(message(&QudaInvertParam::cuda_prec_sloppy), "");
  EXPECT_EQ(message(&QudaInvertParam::schwarz_type), "");
  EXPECT_EQ(message(&QudaInvertParam::true_res), "");
  EXPECT_TRUE(quda::is_unset(param, &QudaInvertParam::cuda_prec_sloppy));
  EXPECT_FALSE(quda::is_unset(param, &QudaInvertParam::omega));
}

TEST(Params, EachRuleRefuses)
{
  QudaGaugeParam gauge = newQudaGaugeParam();
  const auto of_gauge = [&](auto member) { return refusal([&] { check("loadGaugeQuda", gauge, member); }); };

  // even extents
  for (int d = 0; d < 4; d++) gauge.X[d] = 4 + 2 * d;
  EXPECT_EQ(of_gauge(&QudaGaugeParam::X), "");
  gauge.X[2] = 7;
  expect_words(of_gauge(&QudaGaugeParam::X), "loadGaugeQuda", "QudaGaugeParam.X[2] = 7",
               "an even number, 2 or greater");
  gauge.X[2] = 0;
  expect_words(of_gauge(&QudaGaugeParam::X), "X[2] = 0");
  gauge.X[2] = -4;
  expect_words(of_gauge(&QudaGaugeParam::X), "X[2] = -4");

  // an enumerator of its type, and a selection of them
  gauge.cuda_prec = static_cast<QudaPrecision>(3);
  expect_words(of_gauge(&QudaGaugeParam::cuda_prec), "cuda_prec = 3 (no QudaPrecision)", "QUDA_HALF_PRECISION (2)");
  gauge.cpu_prec = QUDA_HALF_PRECISION;
  const std::string host = of_gauge(&QudaGaugeParam::cpu_prec);
  expect_words(host, "cpu_prec = 2 (QUDA_HALF_PRECISION)", "QUDA_SINGLE_PRECISION (4), QUDA_DOUBLE_PRECISION (8)");
  gauge.t_boundary = QUDA_ANTI_PERIODIC_T;
  EXPECT_EQ(of_gauge(&QudaGaugeParam::t_boundary), "");
  gauge.type = QUDA_WILSON_LINKS; // an alias
  EXPECT_EQ(of_gauge(&QudaGaugeParam::type), "");

  // numbers
  gauge.anisotropy = 0;
  expect_words(of_gauge(&QudaGaugeParam::anisotropy), "anisotropy = 0", "other than 0");
  gauge.anisotropy = std::numeric_limits<double>::infinity();
  expect_words(of_gauge(&QudaGaugeParam::anisotropy), "anisotropy = inf");
  gauge.scale = std::numeric_limits<double>::quiet_NaN();
  expect_words(of_gauge(&QudaGaugeParam::scale), "scale = nan", "a finite number");
  gauge.overlap = -1;
  expect_words(of_gauge(&QudaGaugeParam::overlap), "overlap = -1", "0 or greater");
  gauge.use_resident_gauge = 2;
  expect_words(of_gauge(&QudaGaugeParam::use_resident_gauge), "use_resident_gauge = 2", "0 to 1");

  QudaInvertParam invert = newQudaInvertParam();
  const auto of_invert = [&](auto member) { return refusal([&] { check("dslashQuda", invert, member); }); };
  invert.covdev_mu = 8;
  expect_words(of_invert(&QudaInvertParam::covdev_mu), "covdev_mu = 8", "0 to 7");
  invert.Ls = QUDA_MAX_DWF_LS + 1;
  expect_words(of_invert(&QudaInvertParam::Ls), "Ls = 33", "1 to 32");
  invert.heavy_quark_check = 0;
  expect_words(of_invert(&QudaInvertParam::heavy_quark_check), "heavy_quark_check = 0", "greater than 0");
  invert.tol = -1e-9;
  expect_words(of_invert(&QudaInvertParam::tol), "tol = -1e-09", "0 or greater");
  invert.residual_type = static_cast<QudaResidualType>(QUDA_L2_RELATIVE_RESIDUAL | QUDA_HEAVY_QUARK_RESIDUAL);
  EXPECT_EQ(of_invert(&QudaInvertParam::residual_type), "");
  invert.residual_type = static_cast<QudaResidualType>(8);
  expect_words(of_invert(&QudaInvertParam::residual_type), "residual_type = 8", "0 to 7");
  std::memset(invert.madwf_param_infile, 'x', sizeof(invert.madwf_param_infile));
  expect_words(of_invert(&QudaInvertParam::madwf_param_infile), "madwf_param_infile = a text without an end",
               "at most 255 characters");

  // both parts of a complex number
  for (int s = 0; s < 4; s++) {
    reinterpret_cast<double *>(invert.b_5)[2 * s] = 1.5;
    reinterpret_cast<double *>(invert.b_5)[2 * s + 1] = 0;
  }
  EXPECT_EQ(of_invert(first(4, &QudaInvertParam::b_5)), "");
  expect_words(of_invert(first(5, &QudaInvertParam::b_5)), "b_5[4]", "unset");
  reinterpret_cast<double *>(invert.b_5)[5] = std::nan("");
  expect_words(of_invert(first(4, &QudaInvertParam::b_5)), "b_5[2] = (1.5,nan)");

  const QudaEigParam eig = newQudaEigParam();
  expect_words(refusal([&] { check("eigensolveQuda", eig, &QudaEigParam::invert_param); }),
               "QudaEigParam.invert_param = null", "not null");

  QudaGaugeSmearParam smear = newQudaGaugeSmearParam();
  smear.rk_order = 2;
  expect_words(refusal([&] { check("performWFlowQuda", smear, &QudaGaugeSmearParam::rk_order); }), "rk_order = 2",
               "0, 3, 4");
}

TEST(Params, LevelsInUseAreChecked)
{
  QudaMultigridParam param = newQudaMultigridParam();
  for (int level = 0; level < 2; level++)
    for (int d = 0; d < QUDA_MAX_DIM; d++) param.geo_block_size[level][d] = 2;
  const auto message = [&](int levels) {
    return refusal([&] { check("newMultigridQuda", param, first(levels, &QudaMultigridParam::geo_block_size)); });
  };
  EXPECT_EQ(message(2), "");
  expect_words(message(3), "geo_block_size[2][0]");
  param.geo_block_size[1][3] = 0;
  expect_words(message(2), "geo_block_size[1][3] = 0", "greater than 0");
}

// members of a union share their offset
TEST(Params, TheSizeTellsMembersOfAUnionApart)
{
  QudaGaugeParam param = newQudaGaugeParam();
  param.pad = INT_MIN;
  expect_words(refusal([&] { check("someCall", param, &QudaGaugeParam::pad); }), "QudaGaugeParam.pad");
  EXPECT_EQ(refusal([&] { check("someCall", param, &QudaGaugeParam::use_split_gauge_bkup); }), "");
}

TEST(Params, ArgumentsThatAreNoMembers)
{
  expect_words(refusal([] { quda::check_argument("dslashQuda", "parity", static_cast<QudaParity>(2)); }), "dslashQuda",
               "parity = 2 (no QudaParity)", "QUDA_EVEN_PARITY (0), QUDA_ODD_PARITY (1)");
  expect_words(refusal([] { quda::check_argument("dslashQuda", "parity", QUDA_INVALID_PARITY); }), "unset");
  EXPECT_EQ(refusal([] { quda::check_argument("dslashQuda", "parity", QUDA_ODD_PARITY); }), "");
  expect_words(refusal([] { quda::check_not_null("plaqQuda", "plaq", nullptr); }), "plaqQuda", "plaq", "null");
  expect_words(refusal([] { quda::check_range("initQuda", "device", 17, -1, 15); }), "device = 17", "-1 to 15");
}

TEST(Params, UnsetMembersFollowOthers)
{
  QudaGaugeParam gauge = newQudaGaugeParam();
  gauge.cuda_prec = QUDA_DOUBLE_PRECISION;
  gauge.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
  gauge.reconstruct = QUDA_RECONSTRUCT_NO;
  gauge.reconstruct_sloppy = QUDA_RECONSTRUCT_12;
  gauge.reconstruct_precondition = QUDA_RECONSTRUCT_8;
  quda::complete_gauge_param(gauge);
  EXPECT_EQ(gauge.cuda_prec_eigensolver, QUDA_DOUBLE_PRECISION);
  EXPECT_EQ(gauge.cuda_prec_refinement_sloppy, QUDA_SINGLE_PRECISION);
  EXPECT_EQ(gauge.cuda_prec_precondition, QUDA_SINGLE_PRECISION);
  EXPECT_EQ(gauge.reconstruct_eigensolver, QUDA_RECONSTRUCT_12);
  EXPECT_EQ(gauge.reconstruct_refinement_sloppy, QUDA_RECONSTRUCT_12);
  EXPECT_EQ(gauge.reconstruct_precondition, QUDA_RECONSTRUCT_8);

  QudaInvertParam invert = newQudaInvertParam();
  invert.cuda_prec = QUDA_DOUBLE_PRECISION;
  invert.cuda_prec_sloppy = QUDA_HALF_PRECISION;
  invert.clover_cuda_prec = QUDA_SINGLE_PRECISION;
  quda::complete_invert_param(invert);
  quda::complete_clover_param(invert);
  EXPECT_EQ(invert.cuda_prec_eigensolver, QUDA_HALF_PRECISION);
  EXPECT_EQ(invert.chrono_precision, QUDA_DOUBLE_PRECISION);
  EXPECT_EQ(invert.clover_cuda_prec_precondition, QUDA_SINGLE_PRECISION);
}

TEST(Params, PrintsToTheLog)
{
  QudaGaugeParam param = newQudaGaugeParam();
  for (int d = 0; d < 4; d++) param.X[d] = 4 + 2 * d;
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.anisotropy = 2.464;
  CapturedLog log(quda::Verbosity::silent, "run: ");
  printQudaGaugeParam(&param);
  expect_words(log.text(), "run: QUDA Gauge Parameters:\n", "run: X = 4 6 8 10\n", "run: anisotropy = 2.464\n",
               "run: cpu_prec = 8 (QUDA_DOUBLE_PRECISION)\n", "run: type = -2147483648 (unset)\n",
               "run: site_size = 0\n");
}

TEST(Params, PrintsTheLevelsInUse)
{
  QudaMultigridParam param = newQudaMultigridParam();
  param.n_level = 2;
  for (int level = 0; level < QUDA_MAX_MG_LEVEL; level++) {
    param.n_vec[level] = 24 + level;
    for (int d = 0; d < QUDA_MAX_DIM; d++) param.geo_block_size[level][d] = d < 4 ? 4 - 2 * level : 1;
  }
  CapturedLog log;
  printQudaMultigridParam(&param);
  expect_words(log.text(), "n_vec = 24 25\n", "geo_block_size = 4 4 4 4 1 1 | 2 2 2 2 1 1\n",
               "vec_infile = \"\" \"\"\n");
}

TEST(Params, EveryPrintFunctionPrints)
{
  const auto printed = [](auto print, auto param) {
    CapturedLog log;
    print(&param);
    return log.text();
  };
  expect_words(printed(printQudaInvertParam, newQudaInvertParam()), "QUDA Inverter Parameters:\n",
               "tol_restart = 5e-05\n", "true_res = 0 (all 128)\n", "b_5 = (2.22507e-308,0) (unset) (all 32)\n");
  expect_words(printed(printQudaEigParam, newQudaEigParam()), "QUDA Eig Parameters:\n", "invert_param = null\n");
  expect_words(printed(printQudaGaugeObservableParam, newQudaGaugeObservableParam()), "plaquette = 0 0 0\n");
  expect_words(printed(printQudaBLASParam, newQudaBLASParam()), "batch_count = 1\n");
}

TEST(Params, PrintingNothingIsAnError)
{
  std::string message;
  qudaSetErrorHandler(
      [](QudaErrorKind kind, const char *text, void *seen) {
        EXPECT_EQ(kind, QUDA_ERROR_KIND_BAD_ARGUMENT);
        *static_cast<std::string *>(seen) = text;
      },
      &message);
  printQudaGaugeParam(nullptr);
  qudaSetErrorHandler(nullptr, nullptr);
  expect_words(message, "printQudaGaugeParam", "QudaGaugeParam", "null");
}

TEST(Params, TheHeaderIsUpToDate)
{
  if (std::system("python3 -c pass") != 0) GTEST_SKIP() << "python3 is not at hand";
  EXPECT_EQ(std::system("python3 '" QUDA_SOURCE_DIR "/utils/generate_param_headers.py' --check"), 0);
}

} // namespace
