/// What the targets for gauge files share: bytes read as a file, by the same calls as programs make.
#pragma once

#include <cstddef>
#include <cstdint>

/// Reads the bytes as a gauge file. Whatever they are, it is read with finite links or refused with a text that names
/// the file; anything else ends the program.
void read_as_gauge_file(const std::uint8_t *data, std::size_t size);
