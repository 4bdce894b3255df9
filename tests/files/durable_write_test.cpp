// A file that is replaced is on the disk before its name is: in this program fsync and rename say when they are called.

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include <dlfcn.h>
#include <sys/stat.h>

#include "files/gauge_file.h"
#include "written_fields.h"

using namespace quda_files;

namespace
{

std::set<ino_t> synced; // files and folders, since the last write began
int renamed = 0;
bool in_order = true;

ino_t inode(const std::string &path)
{
  struct stat status {
  };
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_ino;
}

} // namespace

extern "C" int fsync(int descriptor)
{
  struct stat status {
  };
  if (fstat(descriptor, &status) == 0) synced.insert(status.st_ino);
  static const auto real = reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, "fsync"));
  return real(descriptor);
}

extern "C" int rename(const char *from, const char *to) noexcept
{
  struct stat status {
  };
  in_order = in_order && stat(from, &status) == 0 && synced.count(status.st_ino) == 1;
  renamed++;
  static const auto real = reinterpret_cast<int (*)(const char *, const char *)>(dlsym(RTLD_NEXT, "rename"));
  return real(from, to);
}

TEST(DurableWrite, FileNameFolder)
{
  const reference::Lattice lattice {{4, 4, 4, 4}};
  const auto links = reference::to_qdp<double>(reference::random_gauge(lattice, 14));
  ScratchFolder folder;
  for (const Format format : {Format::ildg, Format::scidac, Format::nersc, Format::milc_v5}) {
    const std::string path = folder.file("configuration");
    synced.clear();
    renamed = 0;
    in_order = true;
    WriteOptions options;
    options.format = format;
    if (format == Format::milc_v5) options.precision = 4;
    write_gauge(path, options, lattice.X.data(), LinkPointers(links).p);
    EXPECT_EQ(renamed, 1) << name(format);
    EXPECT_TRUE(in_order) << name(format) << ": renamed before it was on the disk";
    EXPECT_EQ(synced.count(inode(path)), 1u) << name(format);
    EXPECT_EQ(synced.count(inode(folder.path())), 1u) << name(format) << ": the folder";
  }
}
