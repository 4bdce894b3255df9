// Stored checksums that are wrong beside links that are right: refused, or read on with a warning.

#include "made_files.h"
#include "written_fields.h"

using namespace quda_files;

namespace
{

// Turns a digit of what follows `key` in the head into another, or of MILC's head a bit.
void spoil(std::string &content, const std::string &key)
{
  const std::size_t at = key.empty() ? 88 : content.find(key) + key.size() + 7;
  content[at] = static_cast<char>(key.empty() ? content[at] ^ 1 : content[at] == '0' ? '1' : '0');
}

class WrongChecksums : public ::testing::TestWithParam<Variant>
{
protected:
  void SetUp() override
  {
    write_gauge(path, GetParam().options(), lattice.X.data(), LinkPointers(reference::to_qdp<double>(field)).p);
    std::string content = content_of(path);
    const Format format = GetParam().format;
    spoil(content, format == Format::nersc ? "CHECKSUM = " : format == Format::milc_v5 ? "" : "<suma>");
    write_content(path, content);
  }

  const reference::Lattice lattice {{2, 4, 6, 2}};
  const reference::GaugeField field = reference::random_gauge(lattice, 13);
  ScratchFolder folder;
  const std::string path = folder.file("configuration");
};

} // namespace

TEST_P(WrongChecksums, AreRefusedUnlessAsked)
{
  const GaugeFile file = inspect(path);
  std::string refusal;
  try {
    read_gauge(file);
  } catch (const FileError &error) {
    refusal = error.what();
  }
  char stored_sum[32];
  std::snprintf(stored_sum, sizeof(stored_sum), "stored %08x", file.stored[0]);
  EXPECT_NE(refusal.find("computed "), std::string::npos) << refusal;
  EXPECT_NE(refusal.find(stored_sum), std::string::npos) << refusal;

  std::vector<std::string> told;
  const auto links = read_gauge(file, [&](const std::string &text) { told.push_back(text); });
  EXPECT_EQ(told, std::vector<std::string> {refusal});
  EXPECT_EQ(differing_links(GetParam(), reference::from_qdp(lattice, links), stored(GetParam(), field)), 0);
}

TEST_P(WrongChecksums, NothingElseIsReadOn)
{
  const GaugeFile file = inspect(path);
  std::string content = content_of(path);
  // an exponent of all ones
  for (std::uint64_t i = 0; i < 8; i++) content[file.data_offset + i] = '\xff';
  write_content(path, content);
  int told = 0;
  EXPECT_THROW(read_gauge(inspect(path), [&](const std::string &) { told++; }), FileError);
  EXPECT_EQ(told, 1);
  // the right checksum is no reason to tell
  write_gauge(path, GetParam().options(), lattice.X.data(), LinkPointers(reference::to_qdp<double>(field)).p);
  EXPECT_NO_THROW(read_gauge(inspect(path), [&](const std::string &) { told++; }));
  EXPECT_EQ(told, 1);
}

INSTANTIATE_TEST_SUITE_P(, WrongChecksums, ::testing::ValuesIn(variants),
                         [](const auto &info) { return info.param.name; });

TEST(WrongChecksum, OfAFileWhoseByteOrderItWouldTell)
{
  ScratchFolder folder;
  const std::string path = folder.file("configuration");
  const reference::Lattice lattice {{2, 4, 6, 2}};
  const reference::GaugeField field = reference::random_gauge(lattice, 13);
  WriteOptions options;
  options.format = Format::nersc;
  write_gauge(path, options, lattice.X.data(), LinkPointers(reference::to_qdp<double>(field)).p);
  std::string content = content_of(path);
  spoil(content, "CHECKSUM = ");
  content.replace(content.find("IEEE64BIG"), 9, "IEEE64   ");
  write_content(path, content);

  EXPECT_THROW(read_gauge(inspect(path)), FileError);
  std::vector<std::string> told;
  const auto links = read_gauge(inspect(path), [&](const std::string &text) { told.push_back(text); });
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("big-endian checksum computed "), std::string::npos) << told[0];
  EXPECT_EQ(links, reference::to_qdp<double>(field));
}
