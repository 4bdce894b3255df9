#pragma once
/// What nvcc puts into an object for the run time to register: binaries of several architectures, and PTX.

#include <map>
#include <memory>
#include <string>

#include "ptx/program.h"

namespace ptx
{

class FatBinary
{
public:
  /// `image`: the header behind the wrapper that __cudaRegisterFatBinary gets.
  explicit FatBinary(const char *image)
      : image_(image)
  {
  }

  /// The kernel for a device, made at its first launch; null where there is none. Of the PTX within, the newest that
  /// the capability (80, 90) allows is taken, else the oldest. Throws Unknown.
  Program *kernel(const std::string &name, int device, int capability);
  /// Address of a variable of the module on a device, 0 where there is none.
  std::uint64_t variable(const std::string &name, int device, int capability);

private:
  struct OnDevice {
    Addresses addresses;
    std::map<std::string, std::unique_ptr<Program>> programs;
  };
  Module &module(int capability);
  OnDevice &on(int device, int capability);

  const char *image_;
  std::unique_ptr<Module> module_;
  std::map<int, OnDevice> devices_;
};

} // namespace ptx
