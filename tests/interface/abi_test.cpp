/// The C interface against its description in abi_data.def: layouts in C and C++, enumerator values, signatures, what
/// newQuda*Param returns, and the names that libquda.so exports. Runs where the description's source is absent.
/// The library is found by QUDA_LIBRARY_PATH, of the environment or of the build.

#include "abi_entries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

extern "C" {
extern const AbiEntry abi_entries_as_c[];
extern const size_t n_abi_entries_as_c;
double _Complex abi_calls_as_c(void);
}

namespace
{

using Differences = std::vector<std::string>;

/// What all tests of this file found, printed at the end.
struct Summary : ::testing::Environment {
  static inline int compared = 0, differences = 0;
  void TearDown() override { std::printf("abi: %d differences (%d facts compared)\n", differences, compared); }
};
const ::testing::Environment *const summary = ::testing::AddGlobalTestEnvironment(new Summary);

void expect_none(const Differences &differences, int compared)
{
  Summary::compared += compared;
  Summary::differences += static_cast<int>(differences.size());
  for (const std::string &difference : differences) ADD_FAILURE() << difference;
  EXPECT_GT(compared, 0);
}

void compare(Differences &differences, const AbiEntry &entry)
{
  if (entry.found != entry.wanted)
    differences.push_back(std::string(entry.what) + " is " + std::to_string(entry.found) + ", must be " +
                          std::to_string(entry.wanted));
}

// clang-format off
#define ABI_FUNCTION(...)
#define ABI_DEFAULT(...)
const AbiEntry entries[] = {
#include "abi_data.def"
};
#undef ABI_FUNCTION
#undef ABI_DEFAULT
#undef ABI_STRUCT
#undef ABI_FIELD
#undef ABI_ENUMERATOR
#define ABI_STRUCT(...)
#define ABI_FIELD(...)
#define ABI_ENUMERATOR(...)
// clang-format on

TEST(Abi, LayoutsAndValues)
{
  Differences differences;
  for (const AbiEntry &entry : entries) compare(differences, entry);
  expect_none(differences, static_cast<int>(std::size(entries)));
}

TEST(Abi, LayoutsAndValuesInC)
{
  Differences differences;
  for (size_t i = 0; i < n_abi_entries_as_c; i++) compare(differences, abi_entries_as_c[i]);
  expect_none(differences, static_cast<int>(n_abi_entries_as_c));
  EXPECT_EQ(n_abi_entries_as_c, std::size(entries));
  EXPECT_EQ(static_cast<double>(__real__ abi_calls_as_c()), INT_MIN + 3.0);
}

struct Function {
  const char *name;
  bool same_signature;
};

// clang-format off
#define ABI_FUNCTION(name, result, ...) {#name, std::is_same_v<decltype(&name), result (*)(__VA_ARGS__)>},
#define ABI_DEFAULT(...)
const Function functions[] = {
#include "abi_data.def"
};
#undef ABI_FUNCTION
#undef ABI_DEFAULT
// clang-format on

TEST(Abi, Signatures)
{
  Differences differences;
  for (const Function &function : functions)
    if (!function.same_signature) differences.push_back(std::string(function.name) + " has another signature");
  expect_none(differences, static_cast<int>(std::size(functions)));
}

enum Mark { unset, open };

/// What an element must be: a number, QUDA's mark of an unset value, or either zero or that mark.
struct Expected {
  Expected(double number)
      : number(number)
  {
  }
  Expected(Mark mark)
      : marked(true)
      , mark(mark)
  {
  }
  std::string text() const { return !marked ? std::to_string(number) : mark == unset ? "unset" : "zero or unset"; }

  double number = 0;
  bool marked = false;
  Mark mark = open;
};

struct Run {
  Expected what;
  int n;
};

struct Element {
  double number;
  bool unset;
};

template <class T> void append_elements(const T &member, std::vector<Element> &elements)
{
  if constexpr (std::is_array_v<T>) {
    for (const auto &element : member) append_elements(element, elements);
  } else if constexpr (std::is_same_v<T, double _Complex>) {
    append_elements(double(__real__ member), elements);
    append_elements(double(__imag__ member), elements);
  } else if constexpr (std::is_pointer_v<T>) {
    elements.push_back({member ? 1.0 : 0.0, false});
  } else if constexpr (std::is_floating_point_v<T>) {
    elements.push_back({member, member == DBL_MIN});
  } else if constexpr (std::is_same_v<T, bool> || sizeof(T) == 1) {
    elements.push_back({static_cast<double>(member), false});
  } else {
    elements.push_back({static_cast<double>(member), member == static_cast<T>(INT_MIN)});
  }
}

template <class T>
int check_default(Differences &differences, const std::string &name, const T &member, std::initializer_list<Run> runs)
{
  std::vector<Element> elements;
  append_elements(member, elements);
  size_t i = 0;
  std::optional<double> neighbours; // an open element may also hold what the others of its array hold
  for (const Run &run : runs) {
    if (!run.what.marked) neighbours = run.what.number;
    for (int k = 0; k < run.n && i < elements.size(); k++, i++) {
      const Element &found = elements[i];
      const bool is_open = run.what.marked && run.what.mark == open;
      const bool good = is_open ? found.unset || found.number == 0 || found.number == neighbours
                                : (run.what.marked ? found.unset : found.number == run.what.number);
      if (!good)
        differences.push_back("default of " + name + ", element " + std::to_string(i) + ", is " +
                              std::to_string(found.number) + ", must be " + run.what.text());
    }
  }
  if (i != elements.size()) differences.push_back(name + " has " + std::to_string(elements.size()) + " elements");
  return static_cast<int>(i);
}

TEST(Abi, Defaults)
{
  Differences differences;
  int compared = 0;
  // clang-format off
#define ABI_FUNCTION(...)
#define ABI_DEFAULT(name, field, ...) { \
    static const name param = new##name(); \
    compared += check_default(differences, #name "." #field, param.field, {__VA_ARGS__}); }
#include "abi_data.def"
#undef ABI_FUNCTION
#undef ABI_DEFAULT
  // clang-format on
  expect_none(differences, compared);
}

/// Names that a shared library exports, as the linker spells them.
std::set<std::string> exported_names(const std::string &path)
{
  std::set<std::string> names;
  FILE *listing = popen(("nm -D --defined-only '" + path + "'").c_str(), "r");
  if (!listing) return names;
  char line[1024], name[1024];
  while (std::fgets(line, sizeof(line), listing))
    if (std::sscanf(line, "%*s %*s %1023s", name) == 1)
      names.insert(std::string(name).substr(0, std::string(name).find('@')));
  pclose(listing);
  return names;
}

TEST(Abi, ExportedNames)
{
  std::string path;
#ifdef QUDA_LIBRARY_PATH
  path = QUDA_LIBRARY_PATH;
#endif
  if (const char *chosen = std::getenv("QUDA_LIBRARY_PATH")) path = chosen;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared library at '" << path << "' (QUDA_LIBRARY_PATH)";

  std::set<std::string> wanted {"qudaSetErrorHandler",
                                "qudaGetLastError",
                                "qudaClearLastError",
                                "heatbathQuda",
                                "gradientFlowQuda",
                                "multigridProfileQuda",
                                "newQudaMultigridTuneParam",
                                "tuneMultigridQuda",
                                "newQudaGradientFlowParam",
                                "invertMultiSrcMultiShiftQuda",
                                "newQudaHeatbathParam",
                                "gaugeFixingFFTRotationQuda",
                                "gaugeFixingOVRRotationQuda",
                                "gaugeForceQuda",
                                "computeQuarkForceQuda",
                                "computeQuarkPairForceQuda",
                                "stoutQuda",
                                "stoutGaugeQuda",
                                "thinGaugeQuda",
                                "stoutForceQuda",
                                "laphElementalsQuda",
                                "domainWallQuarkQuda",
                                "domainWallSourceQuda",
                                "qudaSetSchwarzBlock",
                                "qudaSetMultigridFilter",
                                "_ZN4quda4pool14device_malloc_EPKcS2_im",
                                "_ZN4quda4pool12device_free_EPKcS2_iPv"};
  for (const Function &function : functions) wanted.insert(function.name);
  const std::set<std::string> found = exported_names(path);

  Differences differences;
  for (const std::string &name : wanted)
    if (!found.count(name)) differences.push_back(name + " is not exported");
  for (const std::string &name : found)
    if (!wanted.count(name)) differences.push_back(name + " is exported");
  expect_none(differences, static_cast<int>(wanted.size()));
  std::printf("%s exports %d names\n", path.c_str(), static_cast<int>(found.size()));
}

} // namespace
