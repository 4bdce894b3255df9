/// The digest of device and build: another kind of target or another device of the same kind has another one.

#include <gtest/gtest.h>

#include "targets/target.h"
#include "tune/tune_file.h"

using namespace quda;

namespace
{

class Named : public TargetApi
{
public:
  Named(Target kind, const char *name)
      : kind_(kind)
      , name_(name)
  {
  }
  Target kind() const override { return kind_; }
  std::string description() const override { return name_; }
  int lanes() const override { return 1; }
  int width(Precision) const override { return 1; }
  int max_threads() const override { return 1; }
  std::size_t last_cache() const override { return 0; }
  void *allocate(std::size_t) const override { return nullptr; }
  void release(void *) const override {}
  void *allocate_pinned(std::size_t) const override { return nullptr; }
  void release_pinned(void *) const override {}
  void copy(void *, const void *, std::size_t) const override {}
  void clear(void *, std::size_t) const override {}
  bool can_read(const void *) const override { return false; }
  void synchronize() const override {}
  int device_count() const override { return 1; }
  void select_device(int) const override {}

private:
  Target kind_;
  const char *name_;
};

} // namespace

TEST(Digest, OfDeviceAndTarget)
{
  const std::string one = build_digest(Named(Target::cpu_avx2, "one"));
  EXPECT_EQ(one.size(), 8u);
  EXPECT_EQ(build_digest(Named(Target::cpu_avx2, "one")), one);
  EXPECT_NE(build_digest(Named(Target::cpu_avx2, "other")), one);
  EXPECT_NE(build_digest(Named(Target::cpu_avx512, "one")), one);
  choose_target();
  EXPECT_EQ(build_digest(), build_digest(target()));
  EXPECT_EQ(build_digest(), build_digest(Named(target().kind(), target().description().c_str())));
}
