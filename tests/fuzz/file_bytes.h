/// What the targets for files of fields share: bytes read as a file, by the same calls as programs and the library make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

/// Reads the bytes as a gauge file. Whatever they are, it is read with finite links or refused with a text that names
/// the file; anything else ends the program.
void read_as_gauge_file(const std::uint8_t *data, std::size_t size);

/// Reads them otherwise, by the path of a file in memory. Refusals are held to the same.
void read_as_file(const std::uint8_t *data, std::size_t size, const std::function<void(const std::string &path)> &read);
