// MILC's formats before version 5, which have no checksums.

#include "made_files.h"

using namespace quda_files;
using OldMilc = GaugeFileTest;

namespace
{

// Versions 1 to 4: magic number, extents, two numbers of the action.
Bytes v1_file(bool big_endian)
{
  Bytes out;
  for (std::uint32_t word : {59354, 4, 2, 6, 8}) put(out, word, 4, big_endian);
  for (double number : {5.6, 0.01}) put_real(out, number, 4, big_endian);
  const Bytes links = stamped_links(shape, 4, big_endian);
  out.insert(out.end(), links.begin(), links.end());
  return out;
}

// The text that describes the action has 200 characters; a checksum that nobody uses stands before the links.
Bytes file_of_1996(bool big_endian, std::uint32_t order = 0, std::uint32_t head_bytes = 240)
{
  Bytes out;
  for (std::uint32_t word : {53546u, 4u, 2u, 6u, 8u, head_bytes, order, 9u}) put(out, word, 4, big_endian);
  put_text(out, "a Tuesday", 200);
  put(out, 1, 4, big_endian);
  put_real(out, 5.6, 4, big_endian);
  put(out, 0x12345678, 4, big_endian);
  const Bytes links = stamped_links(shape, 4, big_endian);
  out.insert(out.end(), links.begin(), links.end());
  return out;
}

} // namespace

TEST_F(OldMilc, EveryFormatIsRead)
{
  for (bool big_endian : {true, false})
    for (Format format : {Format::milc_v1, Format::milc_1996}) {
      const Bytes bytes = format == Format::milc_v1 ? v1_file(big_endian) : file_of_1996(big_endian);
      expect_read(bytes);
      const GaugeFile file = inspect(written(bytes));
      EXPECT_EQ(file.format, format);
      EXPECT_EQ(file.precision, 4);
      EXPECT_EQ(file.big_endian, big_endian);
      EXPECT_EQ(file.checksum, ChecksumKind::none);
    }
  EXPECT_EQ(describe(inspect(written(v1_file(true)))),
            "MILC v1, 4 x 2 x 6 x 8, single precision, big-endian, no checksums");
}

TEST_F(OldMilc, WhatIsWrongIsNamed)
{
  Bytes bytes = v1_file(true);
  expect_refused(Bytes(bytes.begin(), bytes.begin() + 27), "truncated at byte 27: a header of MILC v1 has 28 bytes");
  expect_refused(Bytes(bytes.begin(), bytes.end() - 1), "less than the lattice 4 2 6 8 needs");
  bytes.push_back(0);
  expect_refused(bytes, "bytes follow the header, but its lattice 4 2 6 8 needs");
  expect_refused(file_of_1996(false, 1), "site order 1 of the MILC header is not read");
  expect_refused(file_of_1996(false, 0, 244), "less than the lattice");
  expect_refused(file_of_1996(false, 0, 0), "a header of 0 bytes is not possible");
  expect_refused(file_of_1996(true, 0, 0xffffffff), "a header of 4294967295 bytes is not possible");
}

TEST_F(OldMilc, IsNotWritten)
{
  const std::vector<double> links(18 * 4 * 2 * 6 * 8);
  const double *const pointers[4] = {links.data(), links.data(), links.data(), links.data()};
  for (Format format : {Format::milc_v1, Format::milc_1996})
    EXPECT_THROW(write_gauge(folder.file("new"), {format, 4, 3, "", ""}, shape, pointers), FileError);
}
