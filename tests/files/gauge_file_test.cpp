// The reader of gauge files: real files, files made here, and every kind of damage.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "files/gauge_file.h"
#include "made_files.h"
#include "reference/test_data.h"
#include "written_fields.h"

using namespace quda_files;

TEST_F(GaugeFileTest, EveryFormatIsReadInPlace)
{
  for (bool big_endian : {true, false}) {
    const GaugeFile file = inspect(written(milc_file(shape, big_endian)));
    EXPECT_EQ(file.format, Format::milc_v5);
    EXPECT_EQ(file.big_endian, big_endian);
    EXPECT_EQ(file.dims, (std::array<int, 4> {4, 2, 6, 8}));
    EXPECT_EQ(file.precision, 4);
    EXPECT_EQ(file.stamp, "a Tuesday");
    expect_stamped(read_gauge(file), shape, shape, zero);
  }
  for (int precision : {4, 8})
    for (bool ildg : {true, false})
      for (bool checksum : {true, false}) {
        LimeOptions options;
        options.precision = precision;
        options.ildg = ildg;
        options.checksum = checksum;
        const GaugeFile file = inspect(written(lime_file(shape, options)));
        EXPECT_EQ(file.format, ildg ? Format::ildg : Format::scidac);
        EXPECT_EQ(file.dims, (std::array<int, 4> {4, 2, 6, 8}));
        EXPECT_EQ(file.precision, precision);
        EXPECT_EQ(file.checksum, checksum ? ChecksumKind::scidac : ChecksumKind::none);
        expect_stamped(read_gauge(file), shape, shape, zero);
      }
}

TEST_F(GaugeFileTest, PartsOfAProcessGrid)
{
  // ranks read one after the other; their checksums meet in the combine functions
  const int shape[4] = {4, 4, 6, 8};
  const int grids[][4] = {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 3, 1}, {1, 1, 1, 2}, {2, 1, 1, 2}, {2, 2, 3, 4}};
  for (const Bytes &bytes : {lime_file(shape), milc_file(shape, false)}) {
    const GaugeFile file = inspect(written(bytes));
    for (const auto &grid : grids) {
      const int local[4] = {shape[0] / grid[0], shape[1] / grid[1], shape[2] / grid[2], shape[3] / grid[3]};
      std::uint64_t total[2] = {0, 0}; // the ranks' own checksums so far
      int c[4], ranks = 0;
      for (c[0] = 0; c[0] < grid[0]; c[0]++)
        for (c[1] = 0; c[1] < grid[1]; c[1]++)
          for (c[2] = 0; c[2] < grid[2]; c[2]++)
            for (c[3] = 0; c[3] < grid[3]; c[3]++) {
              Combine combine;
              combine.exclusive_or = [&](std::uint64_t *words, std::size_t n) {
                ASSERT_EQ(n, 2u);
                for (int i = 0; i < 2; i++) {
                  total[i] ^= words[i];
                  words[i] = file.stored[i]; // what all ranks together would have
                }
              };
              const int origin[4] = {c[0] * local[0], c[1] * local[1], c[2] * local[2], c[3] * local[3]};
              expect_stamped(read_gauge(file, local, grid, c, combine), shape, local, origin);
              ranks++;
            }
      EXPECT_EQ(ranks, grid[0] * grid[1] * grid[2] * grid[3]);
      EXPECT_EQ(total[0], file.stored[0]);
      EXPECT_EQ(total[1], file.stored[1]);
    }
  }
}

TEST_F(GaugeFileTest, AnotherRanksFailureIsOurs)
{
  const GaugeFile file = inspect(written(lime_file(shape)));
  const int one[4] = {1, 1, 1, 1};
  Combine combine;
  combine.add = [](std::uint64_t *words, std::size_t) { words[0] += 2; };
  try {
    read_gauge(file, shape, one, zero, combine);
    FAIL() << "no refusal";
  } catch (const FileError &error) {
    EXPECT_NE(std::string(error.what()).find("2 other ranks"), std::string::npos) << error.what();
  }
  EXPECT_THROW(inspect(file.path, combine), FileError);
}

TEST_F(GaugeFileTest, TheCombineFunctionsAreReachedWhenReadingFails)
{
  // else the ranks that did read would wait for ever
  GaugeFile file = inspect(written(lime_file(shape)));
  std::filesystem::remove(file.path);
  int calls = 0;
  Combine combine;
  combine.add = [&](std::uint64_t *, std::size_t) { calls++; };
  EXPECT_THROW(inspect(file.path, combine), FileError);
  EXPECT_EQ(calls, 1);
  const int one[4] = {1, 1, 1, 1};
  EXPECT_THROW(read_gauge(file, shape, one, zero, combine), FileError);
  EXPECT_EQ(calls, 4);
}

TEST_F(GaugeFileTest, ShapesThatDoNotFit)
{
  const GaugeFile file = inspect(written(lime_file(shape)));
  auto text = [&](std::array<int, 4> local, std::array<int, 4> grid, std::array<int, 4> coord) -> std::string {
    try {
      read_gauge(file, local.data(), grid.data(), coord.data());
    } catch (const FileError &error) {
      return error.what();
    }
    return "";
  };
  using A = std::array<int, 4>;
  const std::pair<std::string, std::string> cases[] = {
      {text(A {4, 2, 6, 4}, A {1, 1, 1, 1}, A {}), "local extent 4 in t times process grid 1 is not the file's 8"},
      {text(A {4, 2, 6, 2}, A {1, 1, 1, 3}, A {}), "lattice extent 8 in t is not divisible by the process grid's 3"},
      {text(A {4, 2, 3, 8}, A {1, 1, 2, 1}, A {}), "local extent 3 in z must be even"},
      {text(A {4, 2, 6, 4}, A {1, 1, 1, 2}, A {0, 0, 0, 2}), "process coordinate 2 in t is outside a grid of 2"},
      {text(A {4, 2, 6, 8}, A {1, 0, 1, 1}, A {}), "process grid 0 in y must be positive"},
  };
  for (const auto &[found, wanted] : cases) EXPECT_NE(found.find(wanted), std::string::npos) << found;
}

TEST_F(GaugeFileTest, TruncationIsRefusedEverywhere)
{
  for (const Bytes &whole : {lime_file(shape), milc_file(shape, true)}) {
    ASSERT_EQ(refusal(whole), "");
    std::vector<std::size_t> ends = {0, 1, 3, 4, 11, 95, 96, 97, 143, 144, whole.size() / 2};
    if (whole[0] == 0x45)
      for (std::size_t boundary : record_boundaries(whole))
        for (long off : {-9, -1, 0, 1, 16, 143, 144, 145})
          if (long at = static_cast<long>(boundary) + off; at >= 0) ends.push_back(static_cast<std::size_t>(at));
    for (std::size_t end = whole.size() - 300; end < whole.size(); end += 7) ends.push_back(end);
    for (std::size_t end : ends) {
      if (end >= whole.size()) continue;
      // the padding after the checksum record is nobody's data
      if (whole[0] == 0x45 && whole.size() - end < 8 && whole[end] == 0) continue;
      const std::string text = refusal(Bytes(whole.begin(), whole.begin() + static_cast<long>(end)));
      EXPECT_NE(text, "") << "read a file cut at byte " << end << " of " << whole.size();
      if (end >= 144) {
        EXPECT_NE(text.find("truncated"), std::string::npos) << end << ": " << text;
      }
    }
  }
  // a file without checksums ends with its message, so that even a cut between records is seen
  LimeOptions options;
  options.checksum = false;
  const Bytes bare = lime_file(shape, options);
  EXPECT_EQ(refusal(bare), "");
  expect_refused(Bytes(bare.begin(), bare.end() - 8), "truncated at byte");
  const Bytes summed = lime_file(shape);
  const auto boundaries = record_boundaries(summed);
  expect_refused(Bytes(summed.begin(), summed.begin() + static_cast<long>(boundaries[boundaries.size() - 2])),
                 "neither a checksum record nor a record that ends it");
}

TEST_F(GaugeFileTest, ChecksumInAMessageOfItsOwn)
{
  LimeOptions options;
  options.apart = true;
  const Bytes bytes = lime_file(shape, options);
  EXPECT_EQ(refusal(bytes), "");
  EXPECT_EQ(inspect(written(bytes)).checksum, ChecksumKind::scidac);
  Bytes flipped = bytes;
  const auto boundaries = record_boundaries(bytes);
  flipped[boundaries[boundaries.size() - 3] + 200] ^= 1;
  expect_refused(flipped, "stored");

  // what follows the next data is not ours
  Bytes two(bytes.begin(), bytes.begin() + static_cast<long>(boundaries[boundaries.size() - 2]));
  const Bytes next = lime_file(shape);
  two.insert(two.end(), next.begin(), next.end());
  EXPECT_EQ(inspect(written(two)).checksum, ChecksumKind::none);
  EXPECT_EQ(refusal(two), "");
}

TEST_F(GaugeFileTest, EveryFlippedBitOfTheLinksIsFound)
{
  const int tiny[4] = {2, 2, 2, 2};
  LimeOptions single;
  single.precision = 4;
  const std::pair<Bytes, std::size_t> files[] = {
      {milc_file(tiny, true), 96}, {milc_file(tiny, false), 96}, {lime_file(tiny, single), 0}};
  for (auto [bytes, first] : files) {
    const std::size_t links = 16 * 72 * 4;
    if (first == 0) {
      const auto boundaries = record_boundaries(bytes);
      first = boundaries[boundaries.size() - 3] + 144;
    }
    for (std::size_t i = 0; i < links * 8; i += 131) {
      bytes[first + i / 8] ^= static_cast<unsigned char>(1 << i % 8);
      const std::string text = refusal(bytes);
      EXPECT_NE(text.find("computed"), std::string::npos) << "bit " << i << ": '" << text << "'";
      EXPECT_NE(text.find("stored"), std::string::npos);
      bytes[first + i / 8] ^= static_cast<unsigned char>(1 << i % 8);
    }
    EXPECT_EQ(refusal(bytes), "");
  }
}

TEST_F(GaugeFileTest, AnyFlippedBitOfTheHeadIsSurvived)
{
  // Names and dates may change unnoticed; nothing may crash, and what is read must be right.
  const int tiny[4] = {2, 2, 2, 2};
  LimeOptions single;
  single.precision = 4;
  for (Bytes bytes : {milc_file(tiny, true), lime_file(tiny, single)}) {
    const bool lime = bytes[0] == 0x45;
    std::size_t head = 96;
    if (lime) {
      const auto boundaries = record_boundaries(bytes);
      head = boundaries[boundaries.size() - 3] + 144;
    }
    for (std::size_t i = 0; i < head * 8; i += lime ? 5 : 1) {
      bytes[i / 8] ^= static_cast<unsigned char>(1 << i % 8);
      try {
        const GaugeFile file = inspect(written(bytes));
        const auto links = read_gauge(file);
        // a lattice of another shape and the same volume cannot be told from the links
        if (file.dims == std::array<int, 4> {2, 2, 2, 2}) expect_stamped(links, tiny, tiny, zero);
      } catch (const FileError &) {
      }
      bytes[i / 8] ^= static_cast<unsigned char>(1 << i % 8);
    }
  }
}

TEST_F(GaugeFileTest, HostileSizes)
{
  auto milc_with = [&](std::array<std::uint32_t, 4> dims) {
    Bytes bytes = milc_file(shape, true), head;
    for (std::uint32_t d : dims) put(head, d, 4, true);
    std::copy(head.begin(), head.end(), bytes.begin() + 4);
    return bytes;
  };
  expect_refused(milc_with({0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff}), "bytes of links are there");
  expect_refused(milc_with({65536, 65536, 65536, 65536}), "bytes of links are there"); // 2^64 sites
  expect_refused(milc_with({4, 2, 6, 0}), "the extent in t is not a possible one");
  expect_refused(milc_with({4, 0xfffffffe, 6, 8}), "the extent in y is not a possible one");
  expect_refused(milc_with({4, 2, 6, 6}), "bytes follow the header");
  expect_refused(milc_with({4, 2, 6, 10}), "bytes of links are there");

  Bytes lime = lime_file(shape);
  for (int i = 8; i < 16; i++) lime[i] = 0xff; // a record of 2^64 - 1 bytes
  expect_refused(lime, "says that it holds 18446744073709551615 bytes");
  lime = lime_file(shape);
  Bytes xml;
  put_record(xml, "scidac-private-file-xml", Bytes(70000, ' '), true, false);
  expect_refused(xml, "at most 65536 are read");
}

TEST_F(GaugeFileTest, WhatIsWrongIsNamed)
{
  auto with = [](auto &&change) {
    LimeOptions options;
    change(options);
    return lime_file(shape, options);
  };
  expect_refused(with([](LimeOptions &o) { o.dims = "4 2 6"; }), "<dims> '4 2 6', which is not understood");
  expect_refused(with([](LimeOptions &o) { o.dims = "4 2 6 8 2"; }), "<dims>");
  expect_refused(with([](LimeOptions &o) { o.dims = "4 2 6 99999999999999999999"; }), "<dims>");
  expect_refused(with([](LimeOptions &o) { o.dims = "4 2 8 6"; }), "give different lattices");
  expect_refused(with([](LimeOptions &o) { o.ildg_lt = "-8"; }), "different lattices");
  expect_refused(with([](LimeOptions &o) {
                   o.ildg = false;
                   o.dims = "4 2 6 -8";
                 }),
                 "the extent in t is not a possible one");
  expect_refused(with([](LimeOptions &o) {
                   o.ildg = false;
                   o.dims = "4 2 6 4";
                 }),
                 "but the lattice 4 2 6 4 needs");
  expect_refused(with([](LimeOptions &o) { o.typesize = "2304"; }), "not a gauge field");
  expect_refused(with([](LimeOptions &o) { o.suma = "xyz"; }), "<suma> 'xyz'");
  expect_refused(with([](LimeOptions &o) { o.suma = "123"; }), "stored 00000123");

  Bytes bytes = lime_file(shape);
  bytes[record_boundaries(bytes)[2]] = 0;
  expect_refused(bytes, "bad LIME magic number 0x006789ab at byte");
  bytes = lime_file(shape);
  bytes[5] = 2;
  expect_refused(bytes, "LIME version 2 at byte 4");
  bytes = milc_file(shape, false);
  bytes[84] = 1;
  expect_refused(bytes, "site order 1");
  bytes = milc_file(shape, false);
  bytes[0] ^= 1;
  expect_refused(bytes, "bad magic number");
  bytes.assign(100, 0);
  std::memcpy(bytes.data(), "BEGIN_HEADER", 12);
  expect_refused(bytes, "no line END_HEADER in the first 100 bytes");
  EXPECT_THROW(inspect(folder.path()), FileError);
  EXPECT_THROW(inspect(folder.file("absent")), FileError);
}

TEST_F(GaugeFileTest, LinksThatAreNotNumbers)
{
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Bytes links = stamped_links(shape, 8, true), number;
    put_real(number, bad, 8, true);
    // site 1 0 2 5, direction z, row 1, column 2, imaginary part
    const std::size_t index = (((5 * 6 + 2) * 2 + 0) * 4 + 1) * 72 + 2 * 18 + 6 + 4 + 1;
    std::copy(number.begin(), number.end(), links.begin() + static_cast<long>(8 * index));
    expect_refused(lime_file(shape, {}, links), "the link at site 1 0 2 5, direction z, row 1, column 2 holds");
  }
}

TEST(GaugeFileRealData, HeadsAndChecksums)
{
  struct Expected {
    const char *name;
    Format format;
    std::array<int, 4> dims;
    int precision;
    std::array<std::uint32_t, 2> sums;
  };
  const Expected files[] = {
      {"weak_field.lime", Format::ildg, {4, 4, 4, 8}, 8, {0xa2c41090, 0x11193c39}},
      {"lat.sample.l8888", Format::milc_v5, {8, 8, 8, 8}, 4, {0x4f9d000e, 0x8d72f72e}},
      {"lat.sample.l4444.ildg", Format::ildg, {4, 4, 4, 4}, 4, {0x37affb9c, 0x2fc07bbf}},
      {"chroma/stout.lime", Format::ildg, {4, 4, 4, 8}, 8, {0xab5f0889, 0xe1d9ce52}},
  };
  for (const auto &expected : files)
    if (!std::filesystem::exists(reference::test_data(expected.name)))
      GTEST_SKIP() << "no file " << reference::test_data(expected.name);
  for (const auto &expected : files) {
    const GaugeFile file = inspect(reference::test_data(expected.name));
    EXPECT_EQ(file.format, expected.format) << expected.name;
    EXPECT_EQ(file.dims, expected.dims);
    EXPECT_EQ(file.precision, expected.precision);
    EXPECT_EQ(file.stored, expected.sums);
    EXPECT_NO_THROW(read_gauge(file));
  }
  EXPECT_EQ(describe(inspect(reference::test_data("lat.sample.l8888"))),
            "MILC v5, 8 x 8 x 8 x 8, single precision, little-endian, checksums sum29 sum31 4f9d000e 8d72f72e");
  EXPECT_THROW(inspect(reference::test_data("chroma/pt_prop_0")), FileError);
}

TEST(GaugeFileRealData, CutAtEveryRecord)
{
  const std::string name = reference::test_data("weak_field.lime");
  if (!std::filesystem::exists(name)) GTEST_SKIP() << "no file " << name;
  const std::string content = content_of(name);
  const Bytes whole(content.begin(), content.end());
  const auto path = std::filesystem::temp_directory_path() / ("quda_cut_" + std::to_string(getpid()));
  auto boundaries = record_boundaries(whole);
  ASSERT_EQ(boundaries.back(), whole.size());
  boundaries.pop_back();
  for (std::size_t end : boundaries) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(whole.data()), static_cast<std::streamsize>(end));
    EXPECT_THROW(read_gauge(inspect(path)), FileError) << "cut at byte " << end;
  }
  std::filesystem::remove(path);
}
