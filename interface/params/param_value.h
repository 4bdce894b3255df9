#pragma once

/// One element of a member of a parameter structure: reading, writing and printing through its row of the table.
/// `element` points to the element inside the structure. Collective: no.

#include "interface/params/param_table.h"

#include <string>

namespace quda::params
{

/// Writes the row's default. Expects zeroed memory: nothing is written for null pointers and empty texts.
void set_default(const Field &field, void *element);

/// Whether it holds QUDA's mark of a value that nobody has chosen. Pointers, texts and booleans have no such mark.
bool element_unset(const Field &field, const void *element);

/// Whether it follows the row's rule. The unset mark does not, unless the rule says optional.
bool element_allowed(const Field &field, const void *element);

/// The value as %d, %g, ... with its meaning in parentheses: the enumerator's name, or "unset".
std::string element_text(const Field &field, const void *element);

/// The values that the rule allows, for "allowed: ...".
std::string allowed_text(const Field &field);

/// The member with its indices: "X[2]".
std::string element_name(const Field &field, int index);

inline const char *element_at(const Field &field, const void *param, int index)
{
  return static_cast<const char *>(param) + field.offset + static_cast<std::size_t>(index) * field.element_size;
}

} // namespace quda::params
