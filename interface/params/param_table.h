#pragma once

/// The parameter table: default, allowed values and documentation of each member of the public parameter structures.
///
/// The rows stand in interface/params/*_param.def, one a member, in the order of the structure:
///   PARAM_FIELD(type, name, extents, default, rule, "documentation, with the unit")
///   extents : empty, [n] or [n][m]; every element has the same default and rule
///   default : a number, an enumerator, NONE (null pointer, empty text) or UNSET, QUDA's mark that the caller must
///             choose
///   rule    : one of the names in namespace quda::params::rules; optional(rule) also accepts UNSET
///
/// They are read by newQuda*Param, printQuda*Param and check() through this file, and by
/// utils/generate_param_headers.py, which writes the documented structures of include/quda.h.
///
/// A call checks only the members it reads:
///   check_struct("loadGaugeQuda", param);
///   check("loadGaugeQuda", *param, &QudaGaugeParam::X, &QudaGaugeParam::cpu_prec);
///   check(call, *param, ...): and all ranks must have been given the same (interface/guard.h)
/// Errors   : Error(bad_argument), with function, member, value and the allowed values. Collective: no.

#include "quda.h"

#include "interface/guard.h"

#include <cstddef>
#include <limits>
#include <span>
#include <string>

namespace quda
{

namespace params
{

  /// QUDA's marks of values that nobody has chosen yet.
  constexpr int unset_int = std::numeric_limits<int>::min();
  constexpr double unset_double = std::numeric_limits<double>::min();

  struct Enumerator {
    const char *name;
    int value;
  };

  /// An enumeration of enum_quda.h: its name and its enumerators without the invalid one.
  struct EnumTable {
    const char *name;
    std::span<const Enumerator> enumerators;
  };

  /// Specialised for every enumeration of enum_quda.h.
  template <class Enum> const EnumTable &enum_table();
#define PARAM_ENUM(type, ...) template <> const EnumTable &enum_table<type>();
#include "enumerators.def"
#undef PARAM_ENUM

  enum class ValueType { integer, unsigned_integer, size, boolean, real, complex, enumerator, text, pointer };

  enum class RuleKind {
    any,
    finite,
    nonzero,
    positive,
    non_negative,
    even_extent,
    range,
    enumerated,
    one_of,
    not_null
  };

  /// Allowed values of a member.
  struct Rule {
    RuleKind kind;
    int low = 0, high = 0; ///< range: both ends included
    int n_allowed = 0;     ///< one_of: entries of allowed
    int allowed[4] = {};
    bool unset_allowed = false;
  };

  /// Value that newQuda*Param puts into a member.
  struct Default {
    double number;
    bool unset;
  };

  /// A member of a structure.
  struct Field {
    const char *name;
    ValueType type;
    std::size_t offset;       ///< bytes from the start of the structure
    std::size_t element_size; ///< bytes; of a text, all its characters
    int extents[2];           ///< elements; 1 if there is no such dimension
    bool is_array;
    Default initial;
    Rule rule;
    const EnumTable *enumeration; ///< null unless type is enumerator
    const char *documentation;

    int count() const { return extents[0] * extents[1]; }
  };

  /// A structure.
  struct Table {
    const char *name;
    const char *title; ///< heading of printQuda*Param's output
    std::size_t size;
    std::span<const Field> fields;
    std::size_t struct_size_offset; ///< no_struct_size if the structure has no such member
  };
  constexpr std::size_t no_struct_size = static_cast<std::size_t>(-1);

  /// Specialised for every parameter structure of quda.h.
  template <class Param> const Table &table();
  template <> const Table &table<QudaGaugeParam>();
  template <> const Table &table<QudaInvertParam>();
  template <> const Table &table<QudaEigParam>();
  template <> const Table &table<QudaMultigridParam>();
  template <> const Table &table<QudaGaugeObservableParam>();
  template <> const Table &table<QudaGaugeSmearParam>();
  template <> const Table &table<QudaBLASParam>();
  template <> const Table &table<QudaQuarkSmearParam>();

  /// Number of elements of an array member to check; all of them by default.
  constexpr int all_elements = std::numeric_limits<int>::max();

  // the structure as bytes, by its table
  void fill_defaults(const Table &table, void *param);
  void check_struct(const Table &table, const char *function, const void *param);
  /// Rows of an array: the first extent's.
  struct Rows {
    int from = 0, to = all_elements;
  };
  void check_field(const Table &table, const char *function, const void *param, std::size_t offset, std::size_t size,
                   Rows rows);
  /// Makes the ranks compare a member; pointers and texts may differ.
  void note_field(const Table &table, Checks &checks, const void *param, std::size_t offset, std::size_t size,
                  Rows rows);
  bool is_unset(const Table &table, const void *param, std::size_t offset, std::size_t size);
  void check_enumerator(const EnumTable &table, const char *function, const char *name, int value);

  /// One line per member, each ending in a newline. Of arrays with first extent QUDA_MAX_MG_LEVEL only the first
  /// `levels` entries are shown.
  std::string describe(const Table &table, const void *param, int levels = QUDA_MAX_MG_LEVEL);

  /// A value with its enumerator's name, as messages show it.
  std::string enumerator_text(const EnumTable &table, int value);

  template <class Member, class Param> std::size_t offset_of(const Param &param, Member Param::*member)
  {
    return static_cast<std::size_t>(reinterpret_cast<const char *>(&(param.*member)) -
                                    reinterpret_cast<const char *>(&param));
  }

  /// Some elements of an array member; see quda::first() and quda::between().
  template <class Param, class Member> struct Some {
    Rows rows;
    Member Param::*member;
  };

  template <class Param, class Member> Some<Param, Member> whole(Member Param::*member) { return {{}, member}; }
  template <class Param, class Member> Some<Param, Member> whole(Some<Param, Member> some) { return some; }

  template <class Param, class Member>
  void check_one(const char *function, const Param &param, Some<Param, Member> some)
  {
    check_field(table<Param>(), function, &param, offset_of(param, some.member), sizeof(Member), some.rows);
  }

  template <class Param, class Member> void check_one(Checks &checks, const Param &param, Some<Param, Member> some)
  {
    check_one(checks.function, param, some);
    note_field(table<Param>(), checks, &param, offset_of(param, some.member), sizeof(Member), some.rows);
  }

} // namespace params

/// A structure with every member at its default.
template <class Param> Param default_param()
{
  Param param;
  params::fill_defaults(params::table<Param>(), &param);
  return param;
}

/// Refuses a null pointer and a structure of another size than this library's; an unset struct_size is accepted.
template <class Param> void check_struct(const char *function, const Param *param)
{
  params::check_struct(params::table<Param>(), function, param);
}

/// Makes check() look only at the first `elements` entries of an array member (levels in use, shifts in use).
template <class Param, class Member> params::Some<Param, Member> first(int elements, Member Param::*member)
{
  return {{0, elements}, member};
}
/// The same for elements `from` to below `to`.
template <class Param, class Member> params::Some<Param, Member> between(int from, int to, Member Param::*member)
{
  return {{from, to}, member};
}

/// Refuses members that are unset or break their rule. Members are given as &QudaGaugeParam::X or first(n, &...).
template <class Param, class... Members> void check(const char *function, const Param &param, Members... members)
{
  (params::check_one(function, param, params::whole(members)), ...);
}

/// The same, and all ranks must have been given the same.
template <class Param, class... Members> void check(Checks &checks, const Param &param, Members... members)
{
  (params::check_one(checks, param, params::whole(members)), ...);
}

/// Whether a member (its first element) still holds the mark of a value that nobody has chosen.
template <class Param, class Member> bool is_unset(const Param &param, Member Param::*member)
{
  return params::is_unset(params::table<Param>(), &param, params::offset_of(param, member), sizeof(Member));
}

/// The same for a member that may be left unset; then all ranks must leave it unset.
template <class Param, class Member> void check_if_set(Checks &checks, const Param &param, Member Param::*member)
{
  if (!is_unset(param, member)) return check(checks, param, member);
  params::note_field(params::table<Param>(), checks, &param, params::offset_of(param, member), sizeof(Member), {});
}

/// An enumerator's name and value, for messages.
template <class Enum> std::string value_text(Enum value)
{
  return params::enumerator_text(params::enum_table<Enum>(), value);
}

/// Refuses a value. name: of the argument, or of the member, with its structure.
[[noreturn]] void refuse(const char *function, const std::string &name, const std::string &value,
                         const std::string &allowed, ErrorKind kind = ErrorKind::bad_argument);
template <class T>
requires std::is_enum_v<T> || std::is_arithmetic_v<T>
[[noreturn]] void refuse(const char *function, const std::string &name, T value, const std::string &allowed,
                         ErrorKind kind = ErrorKind::bad_argument)
{
  if constexpr (std::is_enum_v<T>)
    refuse(function, name, value_text(value), allowed, kind);
  else if constexpr (std::is_floating_point_v<T>)
    refuse(function, name, text("%g", value), allowed, kind);
  else
    refuse(function, name, std::to_string(value), allowed, kind);
}

/// For arguments that are not members: refuses a value that is not an enumerator of its type.
template <class Enum> void check_argument(const char *function, const char *name, Enum value)
{
  params::check_enumerator(params::enum_table<Enum>(), function, name, static_cast<int>(value));
}

/// For arguments that are not members: refuses a null pointer.
void check_not_null(const char *function, const char *name, const void *pointer);

/// For arguments that are not members: refuses NaN and infinities.
void check_number(const char *function, const char *name, double value);

/// For arguments that are not members: refuses an integer outside low to high, both included.
void check_range(const char *function, const char *name, long long value, long long low, long long high);

} // namespace quda
