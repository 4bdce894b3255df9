// mutations FOLDER COUNT [SEED]: drives a fuzzing target where there is no libFuzzer, with the files of a folder and
// COUNT mutations of them from a seed. Ends with an error where the target does; the same run finds it again.

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace
{

std::string current; // the input that is being tried

// Leaves the input in a file, by calls that a signal handler may make.
void leave_input(int signal)
{
  const char name[] = "fuzz_input";
  std::FILE *file = std::fopen(name, "wb"); // the program is lost anyhow
  if (file) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
  }
  const char text[] = "the input that did it is in ./fuzz_input\n";
  if (write(2, text, sizeof(text) - 1) < 0) _exit(2);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

std::vector<std::string> corpus_of(const std::string &folder)
{
  std::vector<std::string> names, contents;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path());
  std::sort(names.begin(), names.end());
  for (const std::string &name : names) {
    std::ifstream in(name, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return contents;
}

class Mutator
{
public:
  Mutator(const std::vector<std::string> &corpus, std::uint64_t seed)
      : corpus_(corpus)
      , random_(seed)
  {
  }

  std::string next()
  {
    std::string s = corpus_[below(corpus_.size())];
    for (std::size_t n = 1 + below(3); n > 0; n--) mutate(s);
    return s;
  }

private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  // Heads matter more than links.
  std::size_t place(const std::string &s)
  {
    return below(2) ? below(s.size()) : below(std::min<std::size_t>(s.size(), 2000));
  }

  void mutate(std::string &s)
  {
    const std::size_t at = place(s), n = std::min(1 + below(below(2) ? 8 : 200), s.size() - at);
    switch (below(8)) {
    case 0:
      if (!s.empty()) s[at] = static_cast<char>(s[at] ^ (1 << below(8)));
      break;
    case 1:
      for (std::size_t i = at; i < at + n; i++) s[i] = static_cast<char>(below(256));
      break;
    case 2:
      s.erase(at, n);
      break;
    case 3:
      s.insert(at, s.substr(at, n));
      break;
    case 4:
      s.resize(at);
      break;
    case 5: { // a piece of another file
      const std::string &other = corpus_[below(corpus_.size())];
      const std::size_t from = place(other);
      s.replace(at, n, other.substr(from, n));
      break;
    }
    case 6: // a number in words, and one in bytes
      replace_number(s);
      break;
    default: {
      const std::uint64_t odd[] = {0,    1, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
                                   ~0ull};
      const std::uint64_t value = odd[below(std::size(odd))];
      const std::size_t bytes = std::size_t(1) << below(4);
      for (std::size_t i = 0; i < bytes && at + i < s.size(); i++) s[at + i] = static_cast<char>(value >> 8 * i);
      break;
    }
    }
  }

  void replace_number(std::string &s)
  {
    const std::size_t at = s.find_first_of("0123456789", place(s));
    if (at == std::string::npos) return;
    std::size_t end = at;
    while (end < s.size() && s[end] >= '0' && s[end] <= '9') end++;
    const char *odd[] = {"",     "0",   "-1", "2", "4", "65536", "2147483647", "4294967298", "18446744073709551616",
                         "1e99", "nan", "x"};
    s.replace(at, end - at, odd[below(std::size(odd))]);
  }

  const std::vector<std::string> &corpus_;
  std::mt19937_64 random_;
};

void attempt(const std::string &input)
{
  current = input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(current.data()), current.size());
}

} // namespace

int main(int argc, char **argv)
{
  if (argc < 3) {
    std::fprintf(stderr, "mutations FOLDER COUNT [SEED]\n");
    return 2;
  }
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, leave_input);
  const std::vector<std::string> corpus = corpus_of(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s holds no file\n", argv[1]);
    return 2;
  }
  for (const std::string &content : corpus) attempt(content);
  const int count = std::atoi(argv[2]);
  Mutator mutator(corpus, argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  for (int i = 0; i < count; i++) attempt(mutator.next());
  std::printf("%zu files and %d mutations of them: no fault\n", corpus.size(), count);
  return 0;
}
