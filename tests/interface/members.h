#pragma once
/// What tables of the parameters' members share: rows of members, each with a call in which another value changes what
/// it should, iterations, work, results or words. A member without a row is an error; what is documented as read by
/// nothing is known by its words.

#include "solves.h"

#include "core/environment_support.h"
#include "interface/params/param_table.h"

#include <complex>
#include <functional>
#include <set>
#include <string>

namespace test
{

/// What a host sees of a call.
struct Seen {
  std::vector<double> result;
  int iter = 0;
  double flops = 0;
  std::vector<double> told; // beside these
  std::string words, refused;
};

/// What is expected of another value.
using Differs = bool (*)(const Seen &before, const Seen &after);

inline double distance(const Seen &a, const Seen &b)
{
  double square = 0, size = 0;
  if (a.result.size() != b.result.size()) return INFINITY;
  for (std::size_t i = 0; i < a.result.size(); i++) {
    square += (a.result[i] - b.result[i]) * (a.result[i] - b.result[i]);
    size += a.result[i] * a.result[i];
  }
  return std::sqrt(square / size);
}
inline bool result(const Seen &a, const Seen &b) { return b.refused.empty() && !(distance(a, b) < 1e-4); }
/// Another way to the same.
inline bool rounding(const Seen &a, const Seen &b)
{
  return b.refused.empty() && distance(a, b) < 1e-4 && !same_bits(a.result, b.result);
}
inline bool fewer(const Seen &a, const Seen &b) { return b.refused.empty() && b.iter < a.iter; }
inline bool more(const Seen &a, const Seen &b) { return b.refused.empty() && b.iter > a.iter; }
inline bool more_work(const Seen &a, const Seen &b) { return b.refused.empty() && b.flops > a.flops; }
inline bool told(const Seen &a, const Seen &b) { return b.refused.empty() && !same_bits(a.told, b.told); }
inline bool words(const Seen &a, const Seen &b) { return b.refused.empty() && a.words != b.words; }
inline bool refused(const Seen &a, const Seen &b) { return a.refused.empty() && !b.refused.empty(); }

template <class Param> struct Row {
  const char *member;
  std::function<void(Param &)> change;
  Differs differs;
};

/// Calls that begin with the same parameters.
template <class Param> struct Group {
  const char *name;
  Param param;
  std::function<Seen(Param)> call;
  std::vector<Row<Param>> rows;
};

class Members : public testing::Test
{
protected:
  /// What a call says, and whether it is refused.
  template <class Call> Seen seen(const Call &call)
  {
    Seen all;
    const Output output(QUDA_SUMMARIZE);
    call(all);
    all.words = output.text();
    if (handler_.calls() > 0) all.refused = handler_.text();
    handler_.forget();
    return all;
  }

  template <class Param> std::set<std::string> expect_rows(const std::vector<Group<Param>> &groups)
  {
    std::set<std::string> done;
    for (const Group<Param> &group : groups) {
      const Seen before = group.call(group.param);
      EXPECT_EQ(before.refused, "") << group.name;
      for (const Row<Param> &row : group.rows) {
        Param param = group.param;
        row.change(param);
        const Seen after = group.call(param);
        EXPECT_TRUE(row.differs(before, after))
            << group.name << ", " << row.member << ": iterations " << before.iter << " and " << after.iter << ", work "
            << before.flops << " and " << after.flops << ", results " << distance(before, after) << " apart; "
            << after.refused;
        done.insert(row.member);
      }
    }
    return done;
  }

  /// Every member is in `done`, elsewhere, a result, or read by nothing.
  template <class Param> void expect_complete(const std::set<std::string> &done, const std::set<std::string> &elsewhere)
  {
    for (const quda::params::Field &field : quda::params::table<Param>().fields) {
      const bool silent = is_result(field) || is_never_read(field);
      EXPECT_EQ(done.count(field.name) + elsewhere.count(field.name) + silent, 1u)
          << quda::params::table<Param>().name << "." << field.name << " has no row, or more than one";
    }
  }
  static bool is_result(const quda::params::Field &field)
  {
    return std::string(field.documentation).starts_with("Result:");
  }
  static bool is_never_read(const quda::params::Field &field)
  {
    const std::string words = field.documentation;
    for (const char *start : {"Never read", "Deprecated and never read", "Kept for old callers"})
      if (words.starts_with(start)) return true;
    for (const char *end : {"a hint", "not needed", "storage needs none", "changes rounding only"})
      if (words.ends_with(end)) return true;
    return false;
  }
  /// Numbers become others, also such as are not allowed.
  template <class Param> static void spoil(const quda::params::Field &field, Param &param)
  {
    if (field.type == quda::params::ValueType::text || field.type == quda::params::ValueType::pointer) return;
    for (int i = 0; i < field.count(); i++) {
      char *const at = reinterpret_cast<char *>(&param) + field.offset + i * field.element_size;
      const double real = -7.5;
      const int whole = 3;
      if (field.type == quda::params::ValueType::real)
        std::memcpy(at, &real, sizeof real);
      else if (field.enumeration)
        std::memcpy(at, &field.enumeration->enumerators.back().value, sizeof whole);
      else
        std::memcpy(at, &whole, std::min(sizeof whole, field.element_size));
    }
  }

  Handler handler_;
  const Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  Session session_;
};

inline const reference::Lattice small({4, 4, 4, 4});
inline const reference::Part whole(small);

} // namespace test
