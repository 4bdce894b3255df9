#include "ptx/fat_binary.h"

#include <algorithm>
#include <cstring>

#include <dlfcn.h>

namespace ptx
{

namespace
{

  template <class T> T at(const char *p, int offset)
  {
    T x;
    std::memcpy(&x, p + offset, sizeof x);
    return x;
  }

  /// By libzstd, which every distribution has for its packages; its headers need not be there.
  std::string unpacked(const char *data, std::size_t packed, std::size_t plain)
  {
    using Decompress = std::size_t (*)(void *, std::size_t, const void *, std::size_t);
    static void *const library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    static const auto decompress = reinterpret_cast<Decompress>(library ? dlsym(library, "ZSTD_decompress") : nullptr);
    if (!decompress) throw Unknown("compressed PTX: libzstd.so.1 is not here");
    std::string text(plain, '\0');
    if (decompress(text.data(), plain, data, packed) != plain) throw Unknown("compressed PTX that is no zstd");
    return text;
  }

  std::string text_of(const char *image, int capability)
  {
    constexpr std::uint32_t magic = 0xba55ed50;
    constexpr int kind_ptx = 1;
    constexpr std::uint64_t by_zstd = 0x8000, by_lz4 = 0x2000;
    if (at<std::uint32_t>(image, 0) != magic) throw Unknown("fat binary of another form");
    const char *entry = image + at<std::uint16_t>(image, 6), *const end = entry + at<std::uint64_t>(image, 8);
    const char *best = nullptr;
    int best_is = 0;
    for (; entry < end; entry += at<std::uint32_t>(entry, 4) + at<std::uint64_t>(entry, 8)) {
      const int arch = at<std::int32_t>(entry, 28);
      if (at<std::uint16_t>(entry, 0) != kind_ptx) continue;
      const bool better = !best || (arch <= capability ? arch > best_is || best_is > capability : arch < best_is);
      if (better) best = entry, best_is = arch;
    }
    if (!best) throw Unknown("no PTX in a fat binary");
    const char *data = best + at<std::uint32_t>(best, 4);
    const std::uint64_t flags = at<std::uint64_t>(best, 40);
    if (flags & by_zstd) return unpacked(data, at<std::uint32_t>(best, 16), at<std::uint64_t>(best, 56));
    if (flags & by_lz4) throw Unknown("PTX compressed by LZ4");
    const std::string text(data, at<std::uint64_t>(best, 8));
    return text.c_str(); // up to the first zero
  }

} // namespace

Module &FatBinary::module(int capability)
{
  if (!module_) module_ = std::make_unique<Module>(text_of(image_, capability));
  return *module_;
}

FatBinary::OnDevice &FatBinary::on(int device, int capability)
{
  const auto [it, fresh] = devices_.try_emplace(device);
  if (fresh)
    for (const Variable &v : module(capability).variables()) {
      if (v.space != "global" && v.space != "const") continue;
      Allocation *a = allocate(v.bytes, v.space == "const" ? MemoryKind::constant : MemoryKind::device, device);
      if (!a) throw Unknown("no memory for variables");
      std::memset(a->data, 0, v.bytes); // as C++ has it
      std::memcpy(a->data, v.initial.data(), std::min<std::size_t>(v.initial.size(), v.bytes));
      std::fill(a->written.begin(), a->written.end(), 1);
      it->second.addresses[v.name] = a->first;
    }
  return it->second;
}

Program *FatBinary::kernel(const std::string &name, int device, int capability)
{
  OnDevice &here = on(device, capability);
  const auto it = here.programs.find(name);
  if (it != here.programs.end()) return it->second.get();
  return (here.programs[name] = decode(module(capability), name, here.addresses)).get();
}

std::uint64_t FatBinary::variable(const std::string &name, int device, int capability)
{
  const Addresses &a = on(device, capability).addresses;
  const auto it = a.find(name);
  return it == a.end() ? 0 : it->second;
}

} // namespace ptx
