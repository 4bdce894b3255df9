/// Gauge files made by plain means, link by link and record by record, for the tests of readers.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "files/gauge_file.h"
#include "support/scratch_folder.h"

using Bytes = std::vector<unsigned char>;

inline void put(Bytes &out, std::uint64_t value, int bytes, bool big_endian)
{
  for (int i = 0; i < bytes; i++)
    out.push_back(static_cast<unsigned char>(value >> 8 * (big_endian ? bytes - 1 - i : i)));
}

inline void put_text(Bytes &out, const std::string &text, std::size_t field = 0)
{
  out.insert(out.end(), text.begin(), text.end());
  if (field > text.size()) out.resize(out.size() + field - text.size(), 0);
}

inline void put_real(Bytes &out, double value, int precision, bool big_endian)
{
  std::uint64_t bits = 0;
  if (precision == 4) {
    const auto single = static_cast<float>(value);
    std::uint32_t word;
    std::memcpy(&word, &single, 4);
    bits = word;
  } else {
    std::memcpy(&bits, &value, 8);
  }
  put(out, bits, precision, big_endian);
}

// A number that says where it stands; exact in single precision.
inline double stamp(const int dims[4], const int x[4], int k)
{
  int index = 0;
  for (int d = 3; d >= 0; d--) index = index * dims[d] + x[d];
  return (index * 72 + k) * 0.0625 - 100;
}

inline Bytes stamped_links(const int dims[4], int precision, bool big_endian)
{
  Bytes out;
  int x[4];
  for (x[3] = 0; x[3] < dims[3]; x[3]++)
    for (x[2] = 0; x[2] < dims[2]; x[2]++)
      for (x[1] = 0; x[1] < dims[1]; x[1]++)
        for (x[0] = 0; x[0] < dims[0]; x[0]++)
          for (int k = 0; k < 72; k++) put_real(out, stamp(dims, x, k), precision, big_endian);
  return out;
}

inline std::uint32_t rotated(std::uint32_t w, unsigned n) { return n == 0 ? w : (w << n) | (w >> (32 - n)); }

// CRC-32 bit by bit, as its definition has it
inline std::uint32_t crc32(const unsigned char *bytes, std::size_t n)
{
  std::uint32_t c = ~0u;
  for (std::size_t i = 0; i < n; i++)
    for (int bit = 0; bit < 8; bit++) {
      const bool odd = (c ^ (bytes[i] >> bit)) & 1;
      c >>= 1;
      if (odd) c ^= 0xedb88320u;
    }
  return ~c;
}

inline Bytes milc_file(const int dims[4], bool big_endian, Bytes links = {})
{
  if (links.empty()) links = stamped_links(dims, 4, big_endian);
  std::uint32_t sum29 = 0, sum31 = 0;
  for (std::size_t i = 0; i < links.size() / 4; i++) {
    std::uint32_t word = 0;
    for (int b = 0; b < 4; b++) word |= std::uint32_t(links[4 * i + b]) << 8 * (big_endian ? 3 - b : b);
    sum29 ^= rotated(word, i % 29);
    sum31 ^= rotated(word, i % 31);
  }
  Bytes out;
  put(out, 20103, 4, big_endian);
  for (int d = 0; d < 4; d++) put(out, static_cast<std::uint32_t>(dims[d]), 4, big_endian);
  put_text(out, "a Tuesday", 64);
  put(out, 0, 4, big_endian);
  put(out, sum29, 4, big_endian);
  put(out, sum31, 4, big_endian);
  out.insert(out.end(), links.begin(), links.end());
  return out;
}

inline void put_record(Bytes &out, const std::string &type, const Bytes &data, bool begins, bool ends)
{
  put(out, 0x456789ab, 4, true);
  put(out, 1, 2, true);
  put(out, (begins ? 0x8000 : 0) | (ends ? 0x4000 : 0), 2, true);
  put(out, data.size(), 8, true);
  put_text(out, type, 128);
  out.insert(out.end(), data.begin(), data.end());
  out.resize((out.size() + 7) / 8 * 8, 0);
}

inline void put_record(Bytes &out, const std::string &type, const std::string &text, bool begins, bool ends)
{
  put_record(out, type, Bytes(text.begin(), text.end()), begins, ends);
}

struct LimeOptions {
  int precision = 8;
  bool ildg = true;
  bool checksum = true;
  bool apart = false;                              // every record a message of its own
  bool flags = true;                               // false: no record begins or ends a message
  std::string dims, typesize, ildg_lt, suma;       // values put in place of the right ones
  std::vector<std::array<std::string, 2>> changes; // of XML: the second text in place of the first
};

inline std::string replaced(const std::string &wanted, const std::string &right)
{
  return wanted.empty() ? right : wanted;
}

inline Bytes lime_file(const int dims[4], const LimeOptions &o = {}, Bytes links = {})
{
  if (links.empty()) links = stamped_links(dims, o.precision, true);
  const std::string extents = std::to_string(dims[0]) + " " + std::to_string(dims[1]) + " " + std::to_string(dims[2]) +
                              " " + std::to_string(dims[3]) + " ";
  const std::size_t site = 72 * static_cast<std::size_t>(o.precision);
  std::uint32_t suma = 0, sumb = 0;
  for (std::size_t i = 0; i < links.size() / site; i++) {
    const std::uint32_t crc = crc32(&links[i * site], site);
    suma ^= rotated(crc, i % 29);
    sumb ^= rotated(crc, i % 31);
  }
  char text[200];
  Bytes out;
  auto add = [&](const std::string &type, const auto &data, bool begins, bool ends) {
    put_record(out, type, data, o.flags && (begins || o.apart), o.flags && (ends || o.apart));
  };
  std::vector<bool> changed(o.changes.size());
  auto add_xml = [&](const std::string &type, std::string xml, bool begins, bool ends) {
    for (std::size_t i = 0; i < o.changes.size(); i++)
      if (const auto at = xml.find(o.changes[i][0]); at != std::string::npos) {
        xml.replace(at, o.changes[i][0].size(), o.changes[i][1]);
        changed[i] = true;
      }
    add(type, xml, begins, ends);
  };
  add_xml("scidac-private-file-xml",
          "<?xml version=\"1.0\"?><scidacFile><version>1.1</version><spacetime>4</spacetime><dims>" +
              replaced(o.dims, extents) + "</dims><volfmt>0</volfmt></scidacFile>",
          true, false);
  add_xml("scidac-file-xml", "<title>made for a test</title>", false, true);
  add_xml("scidac-private-record-xml",
          std::string("<scidacRecord><date>today</date><datatype>QDP_ColorMatrix</datatype><precision>") +
              (o.precision == 4 ? "F" : "D") + "</precision><colors>3</colors><typesize>" +
              replaced(o.typesize, std::to_string(18 * o.precision)) +
              "</typesize><datacount>4</datacount></scidacRecord>",
          true, false);
  if (o.ildg) {
    std::snprintf(
        text, sizeof(text),
        "<ildgFormat><field>su3gauge</field><precision>%d</precision><lx>%d</lx><ly>%d</ly><lz>%d</lz><lt>%s</lt>"
        "</ildgFormat>",
        8 * o.precision, dims[0], dims[1], dims[2], replaced(o.ildg_lt, std::to_string(dims[3])).c_str());
    add_xml("ildg-format", std::string(text), false, false);
  }
  add(o.ildg ? "ildg-binary-data" : "scidac-binary-data", links, false, !o.checksum);
  if (o.checksum) {
    std::snprintf(text, sizeof(text), "%x", suma);
    const std::string a = replaced(o.suma, text);
    std::snprintf(text, sizeof(text), "<scidacChecksum><suma>%s</suma><sumb>%x</sumb></scidacChecksum>", a.c_str(),
                  sumb);
    add_xml("scidac-checksum", std::string(text), false, true);
  }
  for (std::size_t i = 0; i < changed.size(); i++) EXPECT_TRUE(changed[i]) << o.changes[i][0];
  return out;
}

// Where the records of a LIME file begin; the last entry is the file's end.
inline std::vector<std::size_t> record_boundaries(const Bytes &file)
{
  std::vector<std::size_t> at;
  std::size_t offset = 0;
  while (offset < file.size()) {
    at.push_back(offset);
    std::size_t length = 0;
    for (int i = 8; i < 16; i++) length = length << 8 | file[offset + i];
    offset += 144 + (length + 7) / 8 * 8;
  }
  at.push_back(offset);
  return at;
}

constexpr int shape[4] = {4, 2, 6, 8}, zero[4] = {0, 0, 0, 0};

inline void expect_stamped(const std::array<std::vector<double>, 4> &links, const int dims[4], const int local[4],
                           const int origin[4])
{
  const int half = local[0] * local[1] * local[2] * local[3] / 2;
  int y[4], wrong = 0;
  for (y[3] = 0; y[3] < local[3]; y[3]++)
    for (y[2] = 0; y[2] < local[2]; y[2]++)
      for (y[1] = 0; y[1] < local[1]; y[1]++)
        for (y[0] = 0; y[0] < local[0]; y[0]++) {
          const int lex = ((y[3] * local[2] + y[2]) * local[1] + y[1]) * local[0] + y[0];
          const int slot = ((y[0] + y[1] + y[2] + y[3]) % 2) * half + lex / 2;
          const int x[4] = {y[0] + origin[0], y[1] + origin[1], y[2] + origin[2], y[3] + origin[3]};
          for (int mu = 0; mu < 4; mu++)
            for (int k = 0; k < 18; k++)
              if (links[mu][static_cast<std::size_t>(slot * 18 + k)] != stamp(dims, x, 18 * mu + k)) wrong++;
        }
  EXPECT_EQ(wrong, 0);
}

class GaugeFileTest : public ::testing::Test
{
protected:
  std::string written(const Bytes &bytes)
  {
    folder.write("configuration", std::string(bytes.begin(), bytes.end()));
    return folder.file("configuration");
  }

  // The refusal's text, without the path; empty when the file is read.
  std::string refusal(const Bytes &bytes)
  {
    const std::string path = written(bytes);
    try {
      quda_files::read_gauge(quda_files::inspect(path));
    } catch (const quda_files::FileError &error) {
      const std::string text = error.what();
      EXPECT_EQ(text.rfind(path + ": ", 0), 0u) << text;
      return text.substr(path.size() + 2);
    }
    return "";
  }

  void expect_refused(const Bytes &bytes, const std::string &part)
  {
    const std::string text = refusal(bytes);
    EXPECT_NE(text.find(part), std::string::npos) << "wanted '" << part << "' in '" << text << "'";
  }

  // Read, with the stamped links of the shape.
  void expect_read(const Bytes &bytes)
  {
    const std::string path = written(bytes);
    try {
      const quda_files::GaugeFile file = quda_files::inspect(path);
      ASSERT_EQ(file.dims, (std::array<int, 4> {4, 2, 6, 8}));
      expect_stamped(quda_files::read_gauge(file), shape, shape, zero);
    } catch (const quda_files::FileError &error) {
      ADD_FAILURE() << error.what();
    }
  }

  ScratchFolder folder;
};
