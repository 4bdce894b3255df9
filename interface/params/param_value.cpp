#include "interface/params/param_value.h"

#include "core/error.h"

#include <cmath>
#include <cstring>

namespace quda::params
{

namespace
{

  constexpr unsigned int unset_unsigned = static_cast<unsigned int>(unset_int);
  constexpr std::size_t unset_size = static_cast<std::size_t>(unset_int); // QUDA converts its int, sign included

  template <class T> T load(const void *element)
  {
    T value;
    std::memcpy(&value, element, sizeof(T));
    return value;
  }

  template <class T> void store(void *element, T value) { std::memcpy(element, &value, sizeof(T)); }

  const Enumerator *find(const EnumTable &table, int value)
  {
    for (const Enumerator &enumerator : table.enumerators)
      if (enumerator.value == value) return &enumerator;
    return nullptr;
  }

  // aliases share a value with an earlier enumerator
  bool is_alias(const EnumTable &table, const Enumerator &enumerator)
  {
    return find(table, enumerator.value) != &enumerator;
  }

  std::string enumerators_text(const EnumTable &table)
  {
    std::string result;
    for (const Enumerator &enumerator : table.enumerators) {
      if (is_alias(table, enumerator)) continue;
      result += text("%s%s (%d)", result.empty() ? "" : ", ", enumerator.name, enumerator.value);
    }
    return result;
  }

  bool terminated(const Field &field, const void *element)
  {
    return std::memchr(element, '\0', field.element_size) != nullptr;
  }

  bool number_allowed(const Field &field, double number)
  {
    const Rule &rule = field.rule;
    switch (rule.kind) {
    case RuleKind::any:
      return true;
    case RuleKind::finite:
      return std::isfinite(number);
    case RuleKind::nonzero:
      return std::isfinite(number) && number != 0;
    case RuleKind::positive:
      return std::isfinite(number) && number > 0;
    case RuleKind::non_negative:
      return std::isfinite(number) && number >= 0;
    case RuleKind::even_extent:
      return number >= 2 && std::fmod(number, 2) == 0;
    case RuleKind::range:
      return number >= rule.low && number <= rule.high;
    case RuleKind::enumerated:
      return find(*field.enumeration, static_cast<int>(number)) != nullptr;
    case RuleKind::one_of:
      for (int i = 0; i < rule.n_allowed; i++)
        if (number == rule.allowed[i]) return true;
      return false;
    case RuleKind::not_null:
      return number != 0;
    }
    return false;
  }

  // the value as a number; for a complex one the real part, for a pointer whether it is not null
  double number_of(const Field &field, const void *element)
  {
    switch (field.type) {
    case ValueType::integer:
    case ValueType::enumerator:
      return load<int>(element);
    case ValueType::unsigned_integer:
      return load<unsigned int>(element);
    case ValueType::size:
      return static_cast<double>(load<std::size_t>(element));
    case ValueType::boolean:
      return load<unsigned char>(element);
    case ValueType::real:
    case ValueType::complex:
      return load<double>(element);
    case ValueType::pointer:
      return load<const void *>(element) ? 1 : 0;
    case ValueType::text:
      return 0;
    }
    return 0;
  }

} // namespace

void set_default(const Field &field, void *element)
{
  const Default &initial = field.initial;
  switch (field.type) {
  case ValueType::integer:
  case ValueType::enumerator:
    store(element, initial.unset ? unset_int : static_cast<int>(initial.number));
    break;
  case ValueType::unsigned_integer:
    store(element, initial.unset ? unset_unsigned : static_cast<unsigned int>(initial.number));
    break;
  case ValueType::size:
    store(element, initial.unset ? unset_size : static_cast<std::size_t>(initial.number));
    break;
  case ValueType::boolean:
    store(element, initial.number != 0);
    break;
  case ValueType::real:
  case ValueType::complex:
    store(element, initial.unset ? unset_double : initial.number);
    break;
  case ValueType::text:
  case ValueType::pointer:
    break;
  }
}

bool element_unset(const Field &field, const void *element)
{
  switch (field.type) {
  case ValueType::integer:
  case ValueType::enumerator:
    return load<int>(element) == unset_int;
  case ValueType::unsigned_integer:
    return load<unsigned int>(element) == unset_unsigned;
  case ValueType::size:
    return load<std::size_t>(element) == unset_size;
  case ValueType::real:
  case ValueType::complex:
    return load<double>(element) == unset_double;
  default:
    return false;
  }
}

bool element_allowed(const Field &field, const void *element)
{
  if (element_unset(field, element)) return field.rule.unset_allowed;
  if (field.type == ValueType::text) return terminated(field, element);
  if (field.type == ValueType::complex &&
      !number_allowed(field, load<double>(static_cast<const char *>(element) + sizeof(double))))
    return false;
  return number_allowed(field, number_of(field, element));
}

std::string enumerator_text(const EnumTable &table, int value)
{
  if (value == unset_int) return text("%d (unset)", value);
  const Enumerator *enumerator = find(table, value);
  return enumerator ? text("%d (%s)", value, enumerator->name) : text("%d (no %s)", value, table.name);
}

std::string element_text(const Field &field, const void *element)
{
  const char *unset = element_unset(field, element) ? " (unset)" : "";
  switch (field.type) {
  case ValueType::integer:
    return text("%d%s", load<int>(element), unset);
  case ValueType::unsigned_integer:
    return text("%u%s", load<unsigned int>(element), unset);
  case ValueType::size:
    return text("%zu%s", load<std::size_t>(element), unset);
  case ValueType::boolean:
    return text("%d", load<unsigned char>(element));
  case ValueType::real:
    return text("%g%s", load<double>(element), unset);
  case ValueType::complex:
    return text("(%g,%g)%s", load<double>(element), load<double>(static_cast<const char *>(element) + sizeof(double)),
                unset);
  case ValueType::enumerator:
    // or'ed enumerators have no name of their own
    return field.rule.kind == RuleKind::range ? text("%d%s", load<int>(element), unset)
                                              : enumerator_text(*field.enumeration, load<int>(element));
  case ValueType::text:
    return terminated(field, element) ? text("\"%s\"", static_cast<const char *>(element)) : "a text without an end";
  case ValueType::pointer: {
    const void *pointer = load<const void *>(element);
    return pointer ? text("%p", pointer) : "null";
  }
  }
  return "";
}

std::string allowed_text(const Field &field)
{
  const Rule &rule = field.rule;
  std::string result;
  switch (rule.kind) {
  case RuleKind::any:
    result = field.type == ValueType::text ? text("at most %zu characters and a final zero", field.element_size - 1)
                                           : "any other value";
    break;
  case RuleKind::finite:
    result = "a finite number";
    break;
  case RuleKind::nonzero:
    result = "a finite number other than 0";
    break;
  case RuleKind::positive:
    result = "greater than 0";
    break;
  case RuleKind::non_negative:
    result = "0 or greater";
    break;
  case RuleKind::even_extent:
    result = "an even number, 2 or greater";
    break;
  case RuleKind::range:
    result = text("%d to %d", rule.low, rule.high);
    break;
  case RuleKind::enumerated:
    result = enumerators_text(*field.enumeration);
    break;
  case RuleKind::one_of:
    for (int i = 0; i < rule.n_allowed; i++) {
      const Enumerator *enumerator = field.enumeration ? find(*field.enumeration, rule.allowed[i]) : nullptr;
      result += i ? ", " : "";
      result += enumerator ? text("%s (%d)", enumerator->name, enumerator->value) : text("%d", rule.allowed[i]);
    }
    break;
  case RuleKind::not_null:
    result = "a pointer that is not null";
    break;
  }
  return rule.unset_allowed ? result + ", or unset" : result;
}

std::string element_name(const Field &field, int index)
{
  if (!field.is_array) return field.name;
  if (field.extents[1] == 1) return text("%s[%d]", field.name, index);
  return text("%s[%d][%d]", field.name, index / field.extents[1], index % field.extents[1]);
}

void check_enumerator(const EnumTable &table, const char *function, const char *name, int value)
{
  if (find(table, value)) return;
  fail(ErrorKind::bad_argument, text("%s: %s = %s; allowed: %s", function, name, enumerator_text(table, value).c_str(),
                                     enumerators_text(table).c_str()));
}

} // namespace quda::params
