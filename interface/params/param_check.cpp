/// Defaults, checks and printing of a whole structure, row by row.

#include "interface/params/param_table.h"

#include "core/error.h"
#include "interface/params/param_value.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace quda
{

namespace params
{

  namespace
  {

    // members of a union share their offset: the size tells them apart
    const Field &find(const Table &table, std::size_t offset, std::size_t size)
    {
      const auto bytes = [](const Field &field) {
        return field.element_size * static_cast<std::size_t>(field.count());
      };
      auto field = std::lower_bound(table.fields.begin(), table.fields.end(), offset,
                                    [](const Field &row, std::size_t wanted) { return row.offset < wanted; });
      while (field != table.fields.end() && field->offset == offset && bytes(*field) != size) ++field;
      if (field == table.fields.end() || field->offset != offset)
        fail(ErrorKind::internal, text("%s has no member of %zu bytes at offset %zu", table.name, size, offset));
      return *field;
    }

    struct Range {
      int from, to;
    };

    Range elements_of(const Field &field, Rows rows)
    {
      return {std::clamp(rows.from, 0, field.extents[0]) * field.extents[1],
              std::clamp(rows.to, 0, field.extents[0]) * field.extents[1]};
    }

    bool per_level(const Field &field) { return field.extents[0] == QUDA_MAX_MG_LEVEL && field.is_array; }

    // a bar separates rows of an array; an array of equal values is shortened
    std::string values_text(const Field &field, const void *param, int count)
    {
      const std::string first = element_text(field, element_at(field, param, 0));
      std::string all = first;
      bool equal = true;
      for (int i = 1; i < count; i++) {
        const std::string value = element_text(field, element_at(field, param, i));
        equal = equal && value == first;
        all += i % field.extents[1] == 0 && field.extents[1] > 1 ? " | " : " ";
        all += value;
      }
      constexpr int short_array = 6;
      return equal && count > short_array ? text("%s (all %d)", first.c_str(), count) : all;
    }

  } // namespace

  void fill_defaults(const Table &table, void *param)
  {
    std::memset(param, 0, table.size);
    for (const Field &field : table.fields)
      for (int i = 0; i < field.count(); i++) set_default(field, const_cast<char *>(element_at(field, param, i)));
  }

  void check_struct(const Table &table, const char *function, const void *param)
  {
    if (!param) fail(ErrorKind::bad_argument, text("%s: the pointer to %s is null", function, table.name));
    if (table.struct_size_offset == no_struct_size) return;
    const Field &field = find(table, table.struct_size_offset, sizeof(std::size_t));
    const char *element = element_at(field, param, 0);
    std::size_t size;
    std::memcpy(&size, element, sizeof(size));
    if (size == table.size || element_unset(field, element)) return;
    fail(ErrorKind::bad_argument,
         text("%s: %s.struct_size = %zu; allowed: %zu, or unset: start from new%s(), and compile against this "
              "library's headers",
              function, table.name, size, table.size, table.name));
  }

  void check_field(const Table &table, const char *function, const void *param, std::size_t offset, std::size_t size,
                   Rows rows)
  {
    const Field &field = find(table, offset, size);
    const Range range = elements_of(field, rows);
    for (int i = range.from; i < range.to; i++) {
      const char *element = element_at(field, param, i);
      if (element_allowed(field, element)) continue;
      fail(ErrorKind::bad_argument,
           text("%s: %s.%s = %s; allowed: %s", function, table.name, element_name(field, i).c_str(),
                element_text(field, element).c_str(), allowed_text(field).c_str()));
    }
  }

  void note_field(const Table &table, Checks &checks, const void *param, std::size_t offset, std::size_t size,
                  Rows rows)
  {
    using Kind = guarded::Choice::Kind;
    const Field &field = find(table, offset, size);
    if (field.type == ValueType::pointer || field.type == ValueType::text) return;
    const Kind kind = field.type == ValueType::real || field.type == ValueType::complex ? Kind::real
                      : field.type == ValueType::unsigned_integer || field.type == ValueType::size
                          ? Kind::unsigned_integer
                          : Kind::integer;
    const Range range = elements_of(field, rows);
    for (int i = range.from; i < range.to; i++) {
      const char *element = element_at(field, param, i);
      const std::size_t number = std::min(field.element_size, sizeof(std::int64_t));
      for (std::size_t byte = 0; byte < field.element_size; byte += number) {
        std::int64_t bits = 0;
        if (kind == Kind::integer && number == sizeof(std::int32_t)) {
          std::int32_t narrow;
          std::memcpy(&narrow, element + byte, number);
          bits = narrow;
        } else {
          std::memcpy(&bits, element + byte, number);
        }
        checks.same({table.name, field.name, field.is_array ? i : -1, kind, bits});
      }
    }
  }

  bool is_unset(const Table &table, const void *param, std::size_t offset, std::size_t size)
  {
    const Field &field = find(table, offset, size);
    return element_unset(field, element_at(field, param, 0));
  }

  std::string describe(const Table &table, const void *param, int levels)
  {
    std::string result = text("%s:\n", table.title);
    for (const Field &field : table.fields) {
      const int rows = per_level(field) ? std::clamp(levels, 0, field.extents[0]) : field.extents[0];
      result +=
          text("%s = %s\n", field.name, rows > 0 ? values_text(field, param, rows * field.extents[1]).c_str() : "");
    }
    return result;
  }

} // namespace params

void refuse(const char *function, const std::string &name, const std::string &value, const std::string &allowed,
            ErrorKind kind)
{
  fail(kind, text("%s: %s = %s; allowed: %s", function, name.c_str(), value.c_str(), allowed.c_str()));
}

void check_not_null(const char *function, const char *name, const void *pointer)
{
  if (!pointer)
    fail(ErrorKind::bad_argument, text("%s: %s = null; allowed: a pointer that is not null", function, name));
}

void check_number(const char *function, const char *name, double value)
{
  if (!std::isfinite(value))
    fail(ErrorKind::bad_argument, text("%s: %s = %g; allowed: finite numbers", function, name, value));
}

void check_range(const char *function, const char *name, long long value, long long low, long long high)
{
  if (value >= low && value <= high) return;
  fail(ErrorKind::bad_argument, text("%s: %s = %lld; allowed: %lld to %lld", function, name, value, low, high));
}

} // namespace quda
