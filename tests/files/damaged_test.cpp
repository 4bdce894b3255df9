// Damaged gauge files, a hundred of each format from a seed: each is refused with a reason that names the file, or,
// where only free text is hit, read with the right links.

#include <gtest/gtest.h>

#include <random>

#include "files/gauge_file.h"
#include "reference/test_data.h"
#include "written_fields.h"

using namespace quda_files;

namespace
{

struct Damage {
  std::string what, content;
  bool harmless; // may be read, with the right links
};

class Damages
{
public:
  Damages(const std::string &good, unsigned seed)
      : good_(good)
      , random_(seed)
  {
  }

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

  Damage cut()
  {
    // the last bytes may be padding
    const std::size_t end = below(good_.size() - 8);
    return {"cut at byte " + std::to_string(end), good_.substr(0, end), false};
  }

  Damage flipped(std::size_t from, std::size_t to, bool harmless)
  {
    Damage d {"", good_, harmless};
    const std::size_t at = from + below(to - from), bit = below(8);
    d.content[at] = static_cast<char>(d.content[at] ^ (1 << bit));
    d.what = "byte " + std::to_string(at) + " bit " + std::to_string(bit);
    return d;
  }

  // Another piece in place of what is there, once.
  Damage replaced(const std::string &old, const std::string &piece, bool harmless = false)
  {
    Damage d {"'" + piece + "' in place of '" + old + "'", good_, harmless};
    const auto at = d.content.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    d.content.replace(at, old.size(), piece);
    return d;
  }

  // A stretch of bytes gone, doubled or made nonsense.
  Damage torn()
  {
    Damage d {"", good_, false};
    const std::size_t at = below(good_.size() - 80), n = 1 + below(64);
    switch (below(3)) {
    case 0:
      d.what = "removed";
      d.content.erase(at, n);
      break;
    case 1:
      d.what = "doubled";
      d.content.insert(at, good_.substr(at, n));
      break;
    default:
      d.what = "nonsense";
      for (std::size_t i = at; i < at + n; i++) d.content[i] = static_cast<char>(below(256));
      d.harmless = true; // of free text
    }
    d.what += " at byte " + std::to_string(at) + ", " + std::to_string(n) + " bytes";
    return d;
  }

private:
  const std::string &good_;
  std::mt19937 random_;
};

std::string big_endian(std::uint32_t value)
{
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
  return out;
}
std::string little_endian(std::uint32_t value)
{
  const std::string big = big_endian(value);
  return std::string(big.rbegin(), big.rend());
}

class Damaged : public ::testing::TestWithParam<Variant>
{
protected:
  void SetUp() override
  {
    write_gauge(path, GetParam().options(), lattice.X.data(), LinkPointers(reference::to_qdp<double>(field)).p);
    good = content_of(path);
    file = inspect(path);
  }

  // Values that head and tail must not take.
  std::vector<Damage> nonsense(Damages &damages) const
  {
    switch (GetParam().format) {
    case Format::milc_v5:
      return of_milc(damages);
    case Format::nersc:
      return of_nersc(damages);
    default:
      return of_lime(damages);
    }
  }

  std::vector<Damage> of_milc(Damages &damages) const
  {
    std::vector<Damage> all;
    const std::string extents = little_endian(2) + little_endian(4) + little_endian(6) + little_endian(2);
    for (std::uint32_t bad : {0u, 1u, 3u, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x10000u})
      for (int d : {0, 3}) {
        std::string piece = extents;
        piece.replace(static_cast<std::size_t>(4 * d), 4, little_endian(bad));
        all.push_back(damages.replaced(extents, piece));
      }
    const std::string most = little_endian(0x10000);
    all.push_back(damages.replaced(extents, most + most + most + most));
    all.push_back(damages.replaced(little_endian(20103), little_endian(20104)));
    return all;
  }

  std::vector<Damage> of_nersc(Damages &damages) const
  {
    std::vector<Damage> all;
    for (const char *bad : {"", "0", "-2", "7", "x", "4294967298", "2147483647", "99999999999999999999", "2 2"}) {
      all.push_back(damages.replaced("DIMENSION_1 = 2", std::string("DIMENSION_1 = ") + bad));
      all.push_back(damages.replaced("DIMENSION_3 = 6", std::string("DIMENSION_3 = ") + bad));
    }
    for (const std::string key : {"DIMENSION_2", "DATATYPE", "FLOATING_POINT", "CHECKSUM", "PLAQUETTE", "LINK_TRACE"}) {
      all.push_back(damages.replaced(key, "SOMETHING", key == "CHECKSUM" || key == "PLAQUETTE" || key == "LINK_TRACE"));
      all.push_back(damages.replaced(key + " = ", key + " = ?"));
    }
    all.push_back(damages.replaced("END_HEADER\n", ""));
    all.push_back(damages.replaced("PLAQUETTE = ", "PLAQUETTE = 1"));
    all.push_back(damages.replaced("LINK_TRACE = ", "LINK_TRACE = inf"));
    return all;
  }

  std::vector<Damage> of_lime(Damages &damages) const
  {
    std::vector<Damage> all;
    const bool ildg = GetParam().format == Format::ildg;
    const std::string dims = "<dims>2 4 6 2 </dims>";
    for (const char *bad : {"", "2 4 6", "2 4 6 0", "2 4 6 -2", "2 4 6 2 2", "65536 65536 65536 65536",
                            "2147483647 2147483647 2147483647 2147483647", "2 4 6 99999999999999999999", "a b c d"}) {
      Damage d = damages.replaced(dims, "<dims>" + std::string(bad) + "</dims>");
      fit(d.content);
      all.push_back(d);
    }
    for (const char *type :
         {"scidac-private-file-xml", "scidac-private-record-xml", "binary-data", "scidac-checksum"}) {
      std::string other = type;
      other.back() = '?';
      // What the SciDAC records say, ILDG's own says too; a message that does not end, or has no sums, is refused.
      const bool twice = ildg && std::string(type).find("private") != std::string::npos;
      const bool sums = std::string(type) == "scidac-checksum";
      all.push_back(damages.replaced(type, other, twice || sums));
    }
    if (ildg) {
      all.push_back(damages.replaced("ildg-format", "ildg-farmot"));
      all.push_back(damages.replaced("<lt>2</lt>", "<lt>4</lt>"));
      all.push_back(damages.replaced("su3gauge", "su4gauge"));
    }
    all.push_back(damages.replaced("<datacount>4", "<datacount>3"));
    all.push_back(damages.replaced("<suma>", "<sumx>"));
    all.push_back(damages.replaced("<sumb>", "<sumb>0"));
    all.push_back(damages.replaced("<volfmt>0", "<volfmt>1"));
    return all;
  }

  // The length of the first record after a change inside it.
  void fit(std::string &content) const
  {
    const std::string text = content.substr(144, content.find('\0', 144) + 1 - 144);
    const std::string rest = content.substr(content.find(big_endian(0x456789ab), 4));
    content = content.substr(0, 8) + big_endian(0) + big_endian(static_cast<std::uint32_t>(text.size())) +
              content.substr(16, 128) + text + std::string((8 - text.size() % 8) % 8, '\0') + rest;
  }

  // What a damaged file gives: its refusal without the path, or nothing where it was read and is right.
  std::string verdict(const Damage &damage)
  {
    write_content(path, damage.content);
    try {
      const GaugeFile found = inspect(path);
      const auto read = read_gauge(found);
      EXPECT_TRUE(damage.harmless) << damage.what << ": was read";
      const reference::Lattice theirs(found.dims);
      const bool same = theirs == lattice &&
                        differing_links(GetParam(), reference::from_qdp(theirs, read), stored(GetParam(), field)) == 0;
      EXPECT_TRUE(same) << damage.what << ": other links";
    } catch (const FileError &error) {
      const std::string text = error.what();
      EXPECT_EQ(text.rfind(path + ": ", 0), 0u) << text;
      EXPECT_GT(text.size(), path.size() + 15) << text;
      return text.substr(path.size() + 2);
    }
    return "";
  }

  const reference::Lattice lattice {{2, 4, 6, 2}};
  const reference::GaugeField field = reference::random_gauge(lattice, 13);
  ScratchFolder folder;
  const std::string path = folder.file("configuration");
  std::string good;
  GaugeFile file;
};

} // namespace

TEST_P(Damaged, AHundredTimes)
{
  Damages damages(good, 2024);
  std::vector<Damage> all = nonsense(damages);
  EXPECT_EQ(verdict({"as it was", good, true}), "");
  const std::size_t links = file.data_offset, end = file.data_offset + file.data_bytes;
  for (int i = 0; i < 20; i++) all.push_back(damages.cut());
  for (int i = 0; i < 20; i++) all.push_back(damages.flipped(links, end, false));
  for (int i = 0; i < 30; i++) all.push_back(damages.flipped(0, links, true));
  if (end < good.size())
    for (int i = 0; i < 15; i++) all.push_back(damages.flipped(end, good.size(), true));
  while (all.size() < 100) all.push_back(damages.torn());
  int refused = 0;
  for (const Damage &damage : all) refused += !verdict(damage).empty();
  EXPECT_GE(refused, 65) << "of " << all.size();
}

TEST_P(Damaged, AnyBitOfAChecksum)
{
  // Everything that the checksums are written in
  for (const char *key : {"CHECKSUM = ", "<suma>", "<sumb>"}) {
    const auto at = good.find(key);
    if (at == std::string::npos) continue;
    for (std::size_t i = 0; i < 8 * 8; i++) {
      Damage d {key + std::to_string(i), good, false};
      char &c = d.content[at + std::string(key).size() + i / 8];
      const char before = c;
      c = static_cast<char>(c ^ (1 << i % 8));
      // digits in capitals, a blank for a leading zero
      d.harmless = std::tolower(c) == before || (i < 8 && before == '0' && c == ' ');
      verdict(d);
    }
  }
  if (GetParam().format == Format::milc_v5)
    for (std::size_t i = 88 * 8; i < 96 * 8; i++) {
      Damage d {"bit " + std::to_string(i), good, false};
      d.content[i / 8] = static_cast<char>(d.content[i / 8] ^ (1 << i % 8));
      EXPECT_NE(verdict(d).find("stored"), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(, Damaged, ::testing::ValuesIn(variants), [](const auto &info) { return info.param.name; });
