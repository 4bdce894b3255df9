// The writer of gauge files: what is written is read back, bit for bit in what the format stores, and what cannot be
// written is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "files/gauge_file.h"
#include "reference/gauge/plaquette.h"
#include "written_fields.h"

using namespace quda_files;
using reference::Lattice;

namespace
{

class GaugeWrite : public ::testing::Test
{
protected:
  void write(const std::string &name, const WriteOptions &options)
  {
    write_gauge(folder.file(name), options, lattice.X.data(), LinkPointers(links).p);
  }

  // The refusal's text after the file's name; empty when it was written.
  std::string refusal(const WriteOptions &options)
  {
    try {
      write("refused", options);
    } catch (const FileError &error) {
      const std::string text = error.what(), start = folder.file("refused") + ": ";
      EXPECT_EQ(text.rfind(start, 0), 0u) << text;
      EXPECT_TRUE(folder.names().empty()) << folder.names()[0];
      return text.substr(std::min(text.size(), start.size()));
    }
    return "";
  }

  const Lattice lattice {{2, 4, 6, 8}};
  const reference::GaugeField field = reference::random_gauge(lattice, 11);
  reference::QdpLinks<double> links = reference::to_qdp<double>(field);
  ScratchFolder folder;
};

#define EXPECT_PART(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

} // namespace

TEST_F(GaugeWrite, EveryFormatComesBack)
{
  for (const Variant &variant : variants) {
    write(variant.name, variant.options());
    const GaugeFile file = inspect(folder.file(variant.name));
    EXPECT_EQ(file.format, variant.format) << variant.name;
    EXPECT_EQ(file.precision, variant.precision) << variant.name;
    EXPECT_EQ(file.rows, variant.rows) << variant.name;
    EXPECT_EQ(file.dims, lattice.X) << variant.name;
    EXPECT_EQ(file.stamp, "a Tuesday") << variant.name;
    EXPECT_NE(file.checksum, ChecksumKind::none) << variant.name;
    const auto read = reference::from_qdp(lattice, read_gauge(file));
    EXPECT_EQ(differing_links(variant, read, stored(variant, field)), 0) << variant.name;
  }
  EXPECT_EQ(folder.names().size(), std::size(variants)); // nothing temporary is left
}

TEST_F(GaugeWrite, WhatWasReadIsWrittenAgainTheSame)
{
  for (const Variant &variant : variants) {
    write(variant.name, variant.options());
    links = read_gauge(inspect(folder.file(variant.name)));
    write("again", variant.options());
    EXPECT_TRUE(content_of(folder.file("again")) == content_of(folder.file(variant.name))) << variant.name;
    links = reference::to_qdp<double>(field);
  }
}

TEST_F(GaugeWrite, NerscHeadersHaveTheReferencesMeans)
{
  for (const Variant &variant : variants) {
    if (variant.format != Format::nersc) continue;
    write(variant.name, variant.options());
    const GaugeFile file = inspect(folder.file(variant.name));
    const reference::GaugeField kept = stored(variant, field);
    double trace = 0;
    for (const auto &direction : kept.U)
      for (const reference::Link &u : direction) trace += u.trace().real();
    EXPECT_NEAR(file.plaquette.value(), reference::plaquette(kept)[0], 1e-10) << variant.name;
    EXPECT_NEAR(file.link_trace.value(), trace / (12.0 * static_cast<double>(lattice.volume())), 1e-10) << variant.name;
  }
}

TEST_F(GaugeWrite, AnOldFileIsReplaced)
{
  write("configuration", {});
  const std::string old = content_of(folder.file("configuration"));
  links[3][5] += 1;
  write("configuration", {});
  EXPECT_NE(content_of(folder.file("configuration")), old);
  EXPECT_EQ(read_gauge(inspect(folder.file("configuration"))), links);
  EXPECT_EQ(folder.names().size(), 1u);
}

TEST_F(GaugeWrite, ALinkIsReplacedNotFollowed)
{
  write("other", {});
  const std::string other = content_of(folder.file("other"));
  std::filesystem::create_symlink(folder.file("other"), folder.file("configuration"));
  links[3][5] += 1;
  write("configuration", {});
  EXPECT_FALSE(std::filesystem::is_symlink(folder.file("configuration")));
  EXPECT_EQ(content_of(folder.file("other")), other);
}

TEST_F(GaugeWrite, TheDateIsNowWhereNoneIsGiven)
{
  write("configuration", {});
  const std::string stamp = inspect(folder.file("configuration")).stamp;
  EXPECT_EQ(stamp.substr(stamp.size() - 4), " UTC") << stamp;
  EXPECT_GE(std::stoi(stamp), 2025);
}

TEST_F(GaugeWrite, OptionsThatDoNotFit)
{
  using F = Format;
  EXPECT_PART(refusal({F::milc_v5, 8, 3, "", ""}), "MILC v5 holds single precision (4 bytes a number), not 8");
  EXPECT_PART(refusal({F::ildg, 2, 3, "", ""}), "precision 2 cannot be written; 4 or 8 bytes a number can");
  EXPECT_PART(refusal({F::ildg, 8, 2, "", ""}), "2 rows of a link cannot be written in format ILDG");
  EXPECT_PART(refusal({F::nersc, 8, 1, "", ""}), "1 rows of a link cannot be written in format NERSC");
  EXPECT_PART(refusal({F::nersc, 8, 3, "two\nlines", ""}), "the label to be written, 'two?lines', has characters");
  EXPECT_PART(refusal({F::nersc, 8, 3, std::string(201, 'x'), ""}), "201 characters, at most 200");
  EXPECT_PART(refusal({F::nersc, 8, 3, "", "a\x80"}), "the date to be written");
}

TEST_F(GaugeWrite, NumbersThatDoNotFit)
{
  links[2][7 * 18 + 10] = 1e39; // too large for single precision only
  for (const Variant &variant : variants) {
    if (variant.precision == 8) continue;
    EXPECT_PART(refusal(variant.options()), "direction z, row 1, column 2 holds 1e+39");
  }
  links[2][7 * 18 + 10] = std::numeric_limits<double>::quiet_NaN();
  for (const Variant &variant : variants)
    EXPECT_PART(refusal(variant.options()), "direction z, row 1, column 2 holds nan");
  links[2][7 * 18 + 10] = 1e39;
  EXPECT_PART(refusal({Format::nersc, 8, 3, "", ""}), "is not that of a gauge field");
  EXPECT_EQ(refusal({Format::ildg, 8, 3, "", ""}), "");
}

TEST_F(GaugeWrite, ThirdRowsAreLeftOutOfSu3Only)
{
  for (int k = 12; k < 18; k++) links[1][18 * 9 + k] *= 1.001;
  EXPECT_PART(refusal({Format::nersc, 8, 2, "", ""}), "direction y is not in SU(3): its third row is");
  EXPECT_EQ(refusal({Format::nersc, 8, 3, "", ""}), "");
}

TEST_F(GaugeWrite, PlacesThatCannotBeWritten)
{
  auto text = [&](const std::string &path) -> std::string {
    try {
      write_gauge(path, {}, lattice.X.data(), LinkPointers(links).p);
    } catch (const FileError &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_PART(text(folder.file("absent/configuration")), "cannot be made: No such file or directory");
  std::filesystem::create_directories(folder.file("folder/inside"));
  EXPECT_PART(text(folder.file("folder")), "cannot be renamed to it");
  EXPECT_EQ(folder.names(), std::vector<std::string> {"folder"});
}

TEST_F(GaugeWrite, ShapesThatDoNotFit)
{
  auto text = [&](std::array<int, 4> local, std::array<int, 4> grid, std::array<int, 4> coord) -> std::string {
    try {
      write_gauge(folder.file("refused"), {}, local.data(), grid.data(), coord.data(), LinkPointers(links).p);
    } catch (const FileError &error) {
      return error.what();
    }
    return "";
  };
  using A = std::array<int, 4>;
  EXPECT_PART(text(A {2, 4, 3, 8}, A {1, 1, 1, 1}, A {}), "local extent 3 in z must be even");
  EXPECT_PART(text(A {2, 4, 0, 8}, A {1, 1, 1, 1}, A {}), "the extent in z is not a possible one");
  EXPECT_PART(text(A {2, 4, 6, 8}, A {1, 1, 1, 2}, A {0, 0, 0, 2}), "process coordinate 2 in t is outside");
  EXPECT_PART(text(A {65536, 65536, 65536, 65536}, A {1, 1, 1, 1}, A {}), "needs at");
  EXPECT_PART(text(A {65536, 4, 6, 8}, A {65536, 1, 1, 1}, A {}), "the extent in x is not a possible one");
  EXPECT_TRUE(folder.names().empty());
}

// parse_gauge.py runs this one and reads what it wrote; "numbers" holds what the files must hold, (t, z, y, x, mu, row,
// column, re/im).
TEST_F(GaugeWrite, ForTheIndependentReader)
{
  const char *wanted = std::getenv("QUDA_TEST_WRITE_TO");
  const std::string place = wanted ? std::string(wanted) + "/" : folder.file("");
  for (const Variant &variant : variants)
    write_gauge(place + variant.name, variant.options(), lattice.X.data(), LinkPointers(links).p);
  std::string numbers;
  for (std::size_t site = 0; site < lattice.volume(); site++)
    for (int mu = 0; mu < 4; mu++) {
      const reference::Link &u = field.at(mu, lattice.coords_of_index(site));
      numbers.append(reinterpret_cast<const char *>(u.data()), 18 * sizeof(double));
    }
  write_content(place + "numbers", numbers);
}
