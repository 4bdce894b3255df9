/// The tables themselves, made from the rows of the .def files by the preprocessor, at compile time.

#include "interface/params/param_table.h"

#include "quda_ext.h"

#include "solvers/method.h"

#include <cstddef>
#include <type_traits>

namespace quda::params
{

// The vocabulary of the rows in the .def files.
namespace rules
{

  constexpr Rule any {RuleKind::any};
  constexpr Rule finite {RuleKind::finite};
  constexpr Rule nonzero {RuleKind::nonzero};
  constexpr Rule positive {RuleKind::positive};
  constexpr Rule non_negative {RuleKind::non_negative};
  constexpr Rule even_extent {RuleKind::even_extent};
  constexpr Rule enumerated {RuleKind::enumerated};
  constexpr Rule not_null {RuleKind::not_null};

  constexpr Rule range(int low, int high)
  {
    Rule rule {RuleKind::range};
    rule.low = low;
    rule.high = high;
    return rule;
  }

  constexpr Rule flag = range(0, 1);
  /// Directions of a Krylov space.
  constexpr Rule directions = range(1, most_directions);

  template <class... Values> constexpr Rule one_of(Values... values)
  {
    static_assert(sizeof...(Values) <= std::extent_v<decltype(Rule::allowed)>);
    Rule rule {RuleKind::one_of};
    ((rule.allowed[rule.n_allowed++] = static_cast<int>(values)), ...);
    return rule;
  }

  constexpr Rule host_precision = one_of(QUDA_SINGLE_PRECISION, QUDA_DOUBLE_PRECISION);

  constexpr Rule optional(Rule rule)
  {
    rule.unset_allowed = true;
    return rule;
  }

} // namespace rules

namespace
{

  using namespace rules;

  constexpr Default UNSET {0, true};
  constexpr Default NONE {0, false};

  constexpr Default initial(Default chosen) { return chosen; }
  constexpr Default initial(double number) { return {number, false}; }

  // lists of enumerators by their type, and a member's list
  template <class Enum> constexpr int list = 0;
  template <class Enum> constexpr int enum_tables = 0;
#define PARAM_ENUMERATOR(name) Enumerator {#name, name},
#define PARAM_ENUM(type, ...)                                                                                          \
  template <> constexpr Enumerator list<type>[] = {__VA_ARGS__};                                                       \
  template <> constexpr EnumTable enum_tables<type> {#type, list<type>};
#include "enumerators.def"
#undef PARAM_ENUM
#undef PARAM_ENUMERATOR

  // properties that a row does not give follow from the member itself
  template <class Member>
  constexpr Field field(const char *name, std::size_t offset, Default first_value, Rule rule, const char *documentation)
  {
    using Element = std::remove_all_extents_t<Member>;
    constexpr int rank = std::rank_v<Member>;
    constexpr bool is_text = std::is_same_v<Element, char>;
    Field result {
        name,    ValueType::pointer, offset, sizeof(Element), {1, 1}, rank > (is_text ? 1 : 0), first_value, rule,
        nullptr, documentation};
    if constexpr (is_text) {
      // the last extent is the length of the text
      result.type = ValueType::text;
      result.element_size = rank == 2 ? std::extent_v<Member, 1> : std::extent_v<Member, 0>;
      if constexpr (rank == 2) result.extents[0] = std::extent_v<Member, 0>;
    } else {
      if constexpr (rank > 0) result.extents[0] = std::extent_v<Member, 0>;
      if constexpr (rank > 1) result.extents[1] = std::extent_v<Member, 1>;
    }
    if constexpr (std::is_enum_v<Element>) {
      result.type = ValueType::enumerator;
      result.enumeration = &enum_tables<Element>;
    } else if constexpr (std::is_same_v<Element, bool>) {
      result.type = ValueType::boolean;
    } else if constexpr (std::is_same_v<Element, int>) {
      result.type = ValueType::integer;
    } else if constexpr (std::is_same_v<Element, unsigned int>) {
      result.type = ValueType::unsigned_integer;
    } else if constexpr (std::is_same_v<Element, std::size_t>) {
      result.type = ValueType::size;
    } else if constexpr (std::is_same_v<Element, double>) {
      result.type = ValueType::real;
    } else if constexpr (std::is_same_v<Element, double _Complex>) {
      result.type = ValueType::complex;
    } else {
      static_assert(is_text || std::is_pointer_v<Element>, "a member of a type the table does not know");
    }
    return result;
  }

  template <class Param> constexpr std::size_t struct_size_offset()
  {
    if constexpr (requires { &Param::struct_size; })
      return offsetof(Param, struct_size);
    else
      return no_struct_size;
  }

// a .def file as a namespace with the rows of its structure
#define PARAM_STRUCT(type, heading, documentation)                                                                     \
  namespace of_##type                                                                                                  \
  {                                                                                                                    \
    using Param = type;                                                                                                \
    constexpr const char *title = heading;                                                                             \
    constexpr Field fields[] = {
#define PARAM_FIELD(type, name, extents, value, rule, documentation)                                                   \
  field<decltype(Param::name)>(#name, offsetof(Param, name), initial(value), rule, documentation),
#define PARAM_UNION_BEGIN
#define PARAM_UNION_END
#define PARAM_END(type)                                                                                                \
  }                                                                                                                    \
  ;                                                                                                                    \
  constexpr Table table {#type, title, sizeof(type), fields, struct_size_offset<type>()};                              \
  }
#include "gauge_param.def"
#include "invert_param.def"
#include "eig_param.def"
#include "multigrid_param.def"
#include "gauge_observable_param.def"
#include "gauge_smear_param.def"
#include "blas_param.def"
#include "quark_smear_param.def"
#undef PARAM_STRUCT
#undef PARAM_FIELD
#undef PARAM_UNION_BEGIN
#undef PARAM_UNION_END
#undef PARAM_END

} // namespace

#define PARAM_ENUM(type, ...)                                                                                          \
  template <> const EnumTable &enum_table<type>() { return enum_tables<type>; }
#include "enumerators.def"
#undef PARAM_ENUM

template <> const Table &table<QudaGaugeParam>() { return of_QudaGaugeParam::table; }
template <> const Table &table<QudaInvertParam>() { return of_QudaInvertParam::table; }
template <> const Table &table<QudaEigParam>() { return of_QudaEigParam::table; }
template <> const Table &table<QudaMultigridParam>() { return of_QudaMultigridParam::table; }
template <> const Table &table<QudaGaugeObservableParam>() { return of_QudaGaugeObservableParam::table; }
template <> const Table &table<QudaGaugeSmearParam>() { return of_QudaGaugeSmearParam::table; }
template <> const Table &table<QudaBLASParam>() { return of_QudaBLASParam::table; }
template <> const Table &table<QudaQuarkSmearParam>() { return of_QudaQuarkSmearParam::table; }

} // namespace quda::params
