#pragma once

/// An empty folder for the duration of a test.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

class ScratchFolder
{
public:
  ScratchFolder()
  {
    std::string name = (std::filesystem::temp_directory_path() / "quda_test_XXXXXX").string();
    path_ = mkdtemp(name.data()) ? name : "";
  }
  ~ScratchFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  const char *path() const { return path_.c_str(); }
  std::string file(const std::string &name) const { return path_ + "/" + name; }
  bool has(const char *name) const { return std::filesystem::exists(path_ + "/" + name); }
  std::string read(const char *name) const
  {
    std::ifstream file(path_ + "/" + name, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
  }
  void write(const char *name, const std::string &content) const
  {
    std::ofstream(path_ + "/" + name, std::ios::binary) << content;
  }
  std::vector<std::string> names() const
  {
    std::vector<std::string> all;
    for (const auto &entry : std::filesystem::directory_iterator(path_)) all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }

private:
  std::string path_;
};

inline std::vector<std::string> lines_of(const std::string &content)
{
  std::istringstream stream(content);
  std::vector<std::string> all;
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

inline std::vector<std::string> columns_of(const std::string &line)
{
  std::istringstream stream(line);
  std::vector<std::string> all;
  for (std::string column; std::getline(stream, column, '\t');) all.push_back(column);
  return all;
}
