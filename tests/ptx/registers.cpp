#include "ptx/registers.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace ptx
{

namespace
{

  bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

  std::map<std::string, int> reported()
  {
    std::map<std::string, int> registers;
    const char *const wish = std::getenv("PTX_PTXAS");
    const std::string folder = wish && *wish ? wish : PTX_PTXAS_FOLDER;
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator(folder, none)) {
      std::ifstream log(entry.path());
      std::string line, kernel;
      while (std::getline(log, line)) {
        if (const auto at = line.find("Compiling entry function '"); at != std::string::npos) {
          const auto begin = at + 26, end = line.find('\'', begin);
          kernel = has(line, "sm_90") ? line.substr(begin, end - begin) : "";
        } else if (const auto used = line.find("Used "); used != std::string::npos && !kernel.empty()) {
          int &most = registers[kernel]; // programs of tests have kernels of the same name
          most = std::max(most, std::atoi(line.c_str() + used + 5));
        }
      }
    }
    return registers;
  }

  std::map<std::string, int> &known()
  {
    static auto *all = new std::map<std::string, int>(reported());
    return *all;
  }

} // namespace

int registers_of(const std::string &kernel)
{
  const auto it = known().find(kernel);
  return it == known().end() ? 0 : it->second;
}

void set_registers(const std::string &kernel, int registers) { known()[kernel] = registers; }

int warps_with(int registers)
{
  constexpr int most = 64, parts = 4, of_part = 16384, piece = 256;
  const int of_warp = (32 * registers + piece - 1) / piece * piece;
  return std::min(most, of_part / std::max(of_warp, 1) * parts);
}

int most_threads(const std::string &kernel)
{
  const int registers = registers_of(kernel);
  return registers ? std::min(1024, 32 * warps_with(registers)) : 1024;
}

} // namespace ptx
