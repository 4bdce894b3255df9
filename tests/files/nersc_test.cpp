// NERSC archive files: every type and byte order, made here by plain means, and what is wrong with a header.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "files/gauge_file.h"
#include "reference/gauge/plaquette.h"
#include "reference/test_data.h"
#include "thread_ranks.h"
#include "written_fields.h"

using namespace quda_files;
using reference::Coords;
using reference::Lattice;

namespace
{

struct Kind {
  const char *floating_point;
  int precision;
  bool big_endian;
};
const Kind kinds[] = {{"IEEE32", 4, true}, {"IEEE32", 4, false}, {"IEEE32BIG", 4, true}, {"IEEE32LITTLE", 4, false},
                      {"IEEE64", 8, true}, {"IEEE64", 8, false}, {"IEEE64BIG", 8, true}, {"IEEE64LITTLE", 8, false}};

// The numbers of a file, in its byte order; this machine's is little-endian.
std::string data_of(const reference::GaugeField &field, const Kind &kind, int rows)
{
  std::string out;
  const Lattice &lattice = field.lattice;
  for (std::size_t site = 0; site < lattice.volume(); site++)
    for (int mu = 0; mu < 4; mu++) {
      const reference::Link &u = field.at(mu, lattice.coords_of_index(site));
      for (int k = 0; k < 6 * rows; k++) {
        const double value = k % 2 ? u.data()[k / 2].imag() : u.data()[k / 2].real();
        const auto single = static_cast<float>(value);
        char bytes[8];
        if (kind.precision == 4)
          std::memcpy(bytes, &single, 4);
        else
          std::memcpy(bytes, &value, 8);
        if (kind.big_endian) std::reverse(bytes, bytes + kind.precision);
        out.append(bytes, static_cast<std::size_t>(kind.precision));
      }
    }
  return out;
}

std::uint32_t sum_of_words(const std::string &data, bool big_endian)
{
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < data.size(); i++)
    sum += std::uint32_t(static_cast<unsigned char>(data[i])) << 8 * (big_endian ? 3 - i % 4 : i % 4);
  return sum;
}

// Lines of a header, so that tests can change them.
struct Header {
  std::vector<std::string> lines;

  std::string text() const
  {
    std::string all = "BEGIN_HEADER\n";
    for (const std::string &line : lines) all += line + "\n";
    return all + "END_HEADER\n";
  }
  // Puts another value, or drops the line where the value is empty.
  void set(const std::string &key, const std::string &value)
  {
    for (std::size_t i = 0; i < lines.size(); i++)
      if (lines[i].rfind(key + " =", 0) == 0) {
        if (value.empty())
          lines.erase(lines.begin() + static_cast<long>(i));
        else
          lines[i] = key + " = " + value;
        return;
      }
    FAIL() << "no line " << key;
  }
};

double link_trace(const reference::GaugeField &field)
{
  double sum = 0;
  for (const auto &direction : field.U)
    for (const reference::Link &u : direction) sum += u.trace().real();
  return sum / (12.0 * static_cast<double>(field.lattice.volume()));
}

Header header_of(const reference::GaugeField &field, const Kind &kind, int rows, const std::string &data)
{
  char line[100];
  Header header;
  auto add = [&](const std::string &key, const std::string &value) { header.lines.push_back(key + " = " + value); };
  add("HDR_VERSION", "1.0");
  add("DATATYPE", rows == 2 ? "4D_SU3_GAUGE" : "4D_SU3_GAUGE_3x3");
  for (int d = 0; d < 4; d++) add("DIMENSION_" + std::to_string(d + 1), std::to_string(field.lattice.X[d]));
  std::snprintf(line, sizeof(line), "%x", sum_of_words(data, kind.big_endian));
  add("CHECKSUM", line);
  std::snprintf(line, sizeof(line), "%.10f", reference::plaquette(field)[0]);
  add("PLAQUETTE", line);
  std::snprintf(line, sizeof(line), "%.10f", link_trace(field));
  add("LINK_TRACE", line);
  for (int d = 0; d < 4; d++) add("BOUNDARY_" + std::to_string(d + 1), "PERIODIC");
  add("CREATION_DATE", "a Tuesday");
  add("FLOATING_POINT", kind.floating_point);
  return header;
}

class Nersc : public ::testing::Test
{
protected:
  std::string refusal(const std::string &content)
  {
    const std::string path = folder.file("configuration");
    write_content(path, content);
    try {
      read_gauge(inspect(path));
    } catch (const FileError &error) {
      const std::string text = error.what();
      EXPECT_EQ(text.rfind(path + ": ", 0), 0u) << text;
      return text.substr(path.size() + 2);
    }
    return "";
  }

  // Read, with the links of the field.
  void expect_read(const std::string &content)
  {
    const std::string path = folder.file("configuration");
    write_content(path, content);
    try {
      EXPECT_EQ(read_gauge(inspect(path)), reference::to_qdp<double>(field));
    } catch (const FileError &error) {
      ADD_FAILURE() << error.what();
    }
  }

  // The same with one line of its header changed.
  void expect_read(const std::string &key, const std::string &value)
  {
    SCOPED_TRACE(key + " = " + value);
    Header changed = header;
    changed.set(key, value);
    expect_read(changed.text() + data);
  }

  // The refusal of a file with one line of its header changed.
  std::string refusal(const std::string &key, const std::string &value)
  {
    Header changed = header;
    changed.set(key, value);
    return refusal(changed.text() + data);
  }

  const Lattice lattice {{4, 2, 6, 2}};
  const reference::GaugeField field = reference::rounded_to_single(reference::random_gauge(lattice, 5));
  const Kind kind {"IEEE32BIG", 4, true};
  const std::string data = data_of(field, kind, 3);
  Header header = header_of(field, kind, 3, data);
  ScratchFolder folder;
};

#define EXPECT_PART(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

} // namespace

TEST_F(Nersc, EveryTypeIsRead)
{
  for (int rows : {2, 3})
    for (const Kind &kind : kinds) {
      const reference::GaugeField kept = rows == 2 ? reference::reconstructed_12(field) : field;
      const std::string data = data_of(field, kind, rows), path = folder.file("configuration");
      write_content(path, header_of(kept, kind, rows, data).text() + data);
      const GaugeFile file = inspect(path);
      EXPECT_EQ(file.format, Format::nersc);
      EXPECT_EQ(file.dims, lattice.X);
      EXPECT_EQ(file.precision, kind.precision);
      EXPECT_EQ(file.rows, rows);
      EXPECT_EQ(file.stamp, "a Tuesday");
      EXPECT_EQ(file.order_known, std::strlen(kind.floating_point) > std::strlen("IEEE64"));
      const Variant variant {kind.floating_point, Format::nersc, kind.precision, rows};
      const auto read = reference::from_qdp(lattice, read_gauge(file));
      EXPECT_EQ(differing_links(variant, read, kept), 0) << kind.floating_point << ", " << rows << " rows";
    }
}

TEST_F(Nersc, PartsOfAProcessGrid)
{
  const std::string path = folder.file("configuration");
  const Kind undecided {"IEEE32", 4, false};
  const std::string data = data_of(field, undecided, 3);
  write_content(path, header_of(field, undecided, 3, data).text() + data);
  const GaugeFile file = inspect(path);
  for (const Coords &grid : {Coords {2, 1, 1, 1}, Coords {1, 1, 3, 1}, Coords {2, 1, 3, 1}}) {
    const Coords local = {4 / grid[0], 2, 6 / grid[2], 2};
    ThreadRanks(grid).run([&](const Coords &coord, const Combine &combine) {
      EXPECT_NO_THROW({
        const auto links = read_gauge(file, local.data(), grid.data(), coord.data(), combine);
        EXPECT_EQ(links, reference::to_qdp<double>(field, reference::Part(lattice, grid, coord)));
      });
    });
  }
}

TEST_F(Nersc, EveryLineThatCountsIsChecked)
{
  ASSERT_EQ(refusal(header.text() + data), "");
  for (const char *key : {"DATATYPE", "DIMENSION_3", "FLOATING_POINT"})
    EXPECT_PART(refusal(key, ""), std::string("the NERSC header has no ") + key);
  EXPECT_PART(refusal("DATATYPE", "4D_SU2_GAUGE"), "DATATYPE = '4D_SU2_GAUGE', expected 4D_SU3_GAUGE or");
  EXPECT_PART(refusal("DATATYPE", "4D_SU3_GAUGE"), "bytes follow the header, but its lattice 4 2 6 2 needs");
  EXPECT_PART(refusal("FLOATING_POINT", "TIDSP32"), "FLOATING_POINT = 'TIDSP32', expected IEEE32 or IEEE64");
  EXPECT_PART(refusal("FLOATING_POINT", "IEEE64BIG"), "less than the lattice");
  EXPECT_PART(refusal("FLOATING_POINT", "IEEE32LITTLE"), "checksum computed");
  EXPECT_PART(refusal("DIMENSION_2", "2.5"), "DIMENSION_2 = '2.5', expected a number");
  EXPECT_PART(refusal("DIMENSION_2", "-2"), "the extent in y is not a possible one");
  EXPECT_PART(refusal("DIMENSION_2", "4294967298"), "the extent in y is not a possible one");
  EXPECT_PART(refusal("DIMENSION_2", "99999999999999999999"), "expected a number");
  EXPECT_PART(refusal("DIMENSION_2", "2147483647"), "less than the lattice");
  EXPECT_PART(refusal("DIMENSION_4", "1"), "bytes follow the header, but");
  EXPECT_PART(refusal("CHECKSUM", "12345678"), "stored 12345678");
  EXPECT_PART(refusal("CHECKSUM", "123456789"), "CHECKSUM = '123456789', expected a number");
  EXPECT_PART(refusal("CHECKSUM", "0x"), "CHECKSUM = '0x', expected a number");
  EXPECT_PART(refusal("PLAQUETTE", "0.5 or so"), "PLAQUETTE = '0.5 or so', expected a finite number");
  EXPECT_PART(refusal("PLAQUETTE", "+-0.5"), "PLAQUETTE = '+-0.5', expected a finite number");
  EXPECT_PART(refusal("PLAQUETTE", "nan"), "PLAQUETTE = 'nan', expected a finite number");
  EXPECT_PART(refusal("PLAQUETTE", "0.9"), "the plaquette of the links is ");
  EXPECT_PART(refusal("PLAQUETTE", "0.9"), "the header says 0.9 ");
  EXPECT_PART(refusal("LINK_TRACE", "-0.1"), "the trace of the links is ");
}

TEST_F(Nersc, WhatOtherProgramsWrite)
{
  // the quarks' boundary condition
  expect_read("BOUNDARY_4", "ANTIPERIODIC");
  expect_read("BOUNDARY_4", "");
  // means of six digits beside links of double precision
  const Kind kind {"IEEE64BIG", 8, true};
  const std::string data = data_of(field, kind, 3);
  Header six = header_of(field, kind, 3, data);
  char line[32];
  std::snprintf(line, sizeof(line), "%.6g", reference::plaquette(field)[0] + 4e-7);
  six.set("PLAQUETTE", line);
  expect_read(six.text() + data);
}

TEST_F(Nersc, NamesAndNumbersInOtherForms)
{
  expect_read("DATATYPE", "4D_SU3_GAUGE_3X3");
  expect_read("DATATYPE", "4d_su3_gauge_3x3");
  expect_read("FLOATING_POINT", "ieee32big");
  expect_read("DIMENSION_1", "+4");
  char line[32];
  for (const char *format : {"0x%08x", "0X%X", "%08X"}) {
    std::snprintf(line, sizeof(line), format, sum_of_words(data, kind.big_endian));
    expect_read("CHECKSUM", line);
  }
  for (const char *format : {"%+.8f", "%.10e", "%+.10E"}) {
    std::snprintf(line, sizeof(line), format, reference::plaquette(field)[0]);
    expect_read("PLAQUETTE", line);
    std::snprintf(line, sizeof(line), format, link_trace(field));
    expect_read("LINK_TRACE", line);
  }
  // two rows
  const std::string two_rows = data_of(field, kind, 2);
  Header rows = header_of(field, kind, 2, two_rows);
  rows.set("DATATYPE", "4d_su3_gauge");
  EXPECT_EQ(refusal(rows.text() + two_rows), "");
}

TEST_F(Nersc, WordsInPlaceOfNumbers)
{
  for (const char *key : {"CHECKSUM", "PLAQUETTE", "LINK_TRACE"})
    for (const char *words : {"NOT yet implemented", "unknown", "?", " ", ""}) expect_read(key, words);
  // what is there is verified all the same
  Header changed = header;
  changed.set("LINK_TRACE", "NOT yet implemented");
  changed.set("PLAQUETTE", "0.9");
  EXPECT_PART(refusal(changed.text() + data), "the plaquette of the links is ");
  changed = header;
  for (const char *key : {"CHECKSUM", "PLAQUETTE", "LINK_TRACE"}) changed.set(key, "NOT yet implemented");
  expect_read(changed.text() + data);
  const GaugeFile file = inspect(folder.file("configuration"));
  EXPECT_EQ(describe(file), "NERSC, 4 x 2 x 6 x 2, single precision, big-endian, no checksums");
}

TEST_F(Nersc, ByteOrderByTheLinksWhereNoChecksumIsThere)
{
  for (const Kind &kind : kinds)
    for (int rows : {2, 3}) {
      const std::string data = data_of(field, kind, rows);
      Header changed = header_of(field, kind, rows, data);
      changed.set("CHECKSUM", "NOT yet implemented");
      EXPECT_EQ(refusal(changed.text() + data), "") << kind.floating_point; // the plaquette confirms it
    }
  Header changed = header;
  changed.set("CHECKSUM", "");
  changed.set("FLOATING_POINT", "IEEE32");
  expect_read(changed.text() + data);
  EXPECT_PART(describe(inspect(folder.file("configuration"))), "byte order by the links, no checksums, plaquette ");
  EXPECT_PART(refusal(changed.text() + std::string(data.size(), '\1')), "in neither byte order are the links of the ");
}

TEST_F(Nersc, LineEndsOfOtherSystems)
{
  std::string text = header.text();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  expect_read(text + data);
  text = header.text();
  text.insert(text.size() - 1, "  \t");
  expect_read(text + data);
  text.insert(std::strlen("BEGIN_HEADER"), " ");
  expect_read(text + data);
}

TEST_F(Nersc, LinesThatAreNone)
{
  Header changed = header;
  changed.lines.insert(changed.lines.begin(), {"", "  \t", "  SOMETHING=else  ", "and so on", "END_HEADERS"});
  expect_read(changed.text() + data);
  EXPECT_PART(refusal("BEGIN_HEADERS" + header.text().substr(12) + data), "the first line is not BEGIN_HEADER");
  EXPECT_PART(refusal(header.text().substr(0, 200)), "truncated at byte 200 or wrong: no line END_HEADER");
  EXPECT_PART(refusal("BEGIN_HEADER\n" + std::string(100000, '\n') + header.text() + data),
              "no line END_HEADER in the first 65536 bytes");
}

TEST_F(Nersc, KeysGivenTwice)
{
  Header changed = header;
  changed.lines.insert(changed.lines.end(), {"DIMENSION_1 =4", "CREATION_DATE = a Friday", "NOTE = 1", "NOTE = 2"});
  expect_read(changed.text() + data);
  EXPECT_EQ(inspect(folder.file("configuration")).stamp, "a Friday");
  for (const char *line : {"DIMENSION_1 = 2", "CHECKSUM = 1", "PLAQUETTE = 0.1", "DATATYPE = 4D_SU3_GAUGE"}) {
    changed.lines.push_back(line);
    const std::string key = std::string(line).substr(0, std::string(line).find(' '));
    EXPECT_PART(refusal(changed.text() + data), "the NERSC header has " + key + " = '");
    EXPECT_PART(refusal(changed.text() + data), "' and '" + std::string(line).substr(key.size() + 3) + "'");
    changed.lines.pop_back();
  }
}

TEST_F(Nersc, ByteOrderThatNoChecksumConfirms)
{
  Header changed = header;
  changed.set("FLOATING_POINT", "IEEE32");
  changed.set("CHECKSUM", "1234");
  const std::string text = refusal(changed.text() + data);
  EXPECT_PART(text, "big-endian checksum computed ");
  EXPECT_PART(text, "stored 00001234; little-endian checksum computed ");
}

TEST_F(Nersc, MeansThatContradictTheLinks)
{
  // Links of other sites, with their own checksum: only the means can tell.
  reference::GaugeField shuffled = field;
  std::swap(shuffled.U[0], shuffled.U[2]);
  const std::string other = data_of(shuffled, kind, 3);
  Header changed = header_of(shuffled, kind, 3, other);
  EXPECT_EQ(refusal(changed.text() + other), "");
  changed.set("PLAQUETTE", "0.0123456789");
  EXPECT_PART(refusal(changed.text() + other), "the plaquette of the links is");
}

TEST(NerscRealData, FileOfAnotherProgram)
{
  const std::string path = reference::test_data("t_nersc.cfg");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no file " << path;
  const GaugeFile file = inspect(path);
  EXPECT_EQ(describe(file), "NERSC 3x2, 4 x 4 x 4 x 4, single precision, big-endian, checksum 717938df, plaquette "
                            "0.0382422893, link trace 0.4630322094");
  EXPECT_EQ(file.stamp, "Fri Aug 22 22:05:48 2003");
  const reference::GaugeField field = reference::from_qdp(Lattice(file.dims), read_gauge(file));
  const auto plaquette = reference::plaquette(field);
  EXPECT_NEAR(plaquette[0], 0.03824228932403, 1e-13);
  EXPECT_NEAR(plaquette[1], 0.04416572665398, 1e-13);
  EXPECT_NEAR(plaquette[2], 0.03231885199409, 1e-13);
  EXPECT_NEAR(link_trace(field), 0.4630322094, 1e-9);
}
