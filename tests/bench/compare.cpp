#include "bench/compare.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include <nlohmann/json.hpp>

#include "bench/arithmetic/case_list.h"
#include "bench/arithmetic/ratios.h"
#include "bench/child.h"
#include "bench/interrupt.h"
#include "bench/measure.h"
#include "bench/pattern.h"
#include "bench/report.h"
#include "core/error.h"

namespace quda::bench
{

namespace
{

  using nlohmann::json;
  using Words = std::vector<std::string>;

  constexpr std::size_t least_rounds = 5; // for the sign test

  constexpr const char *side_names[2] = {"before", "after"};

  Words &operator<<(Words &words, const std::string &word)
  {
    words.push_back(word);
    return words;
  }

  struct Compared {
    CaseName name;
    std::vector<double> seconds[2]; // of all runs
    std::vector<double> ratios;
    std::string failure; // of the run that ended it
    bool wrong = false;  // the new build differs from the plain reference
  };

  class Comparison
  {
  public:
    explicit Comparison(const Options &options)
        : o_(options)
    {
      for (const int side : {0, 1}) std::filesystem::create_directory(resources(side));
    }

    int run()
    {
      find_cases();
      print_heading();
      for (int round = 0; round < o_.rounds && !interrupted(); round++) {
        for (std::size_t k = 0; k < cases_.size() && !interrupted(); k++) {
          if (cases_[k].failure.empty()) run_round(cases_[k], round);
          progress(round, k + 1);
        }
      }
      const bool good = print_end();
      if (!o_.json.empty()) write_json();
      return good ? 0 : 1;
    }

  private:
    std::string resources(int side) const { return folder_.in(side_names[side]); }

    Words options(const Words &precisions, const std::vector<int> &reconstructs, const std::vector<int> &nrhs) const
    {
      Words words = words_of(o_);
      words << "--prec";
      for (const std::string &p : precisions) words << p;
      words << "--recon";
      for (const int r : reconstructs) words << std::to_string(r);
      words << "--nrhs";
      for (const int n : nrhs) words << std::to_string(n);
      return words;
    }

    Outcome start(int side, const Words &words) const
    {
      return run_program(o_.compare[side], words, resources(side), folder_);
    }

    /// What a program has of the cases asked for. One that refuses them together is asked for each alone.
    std::vector<CaseName> list_of(int side) const
    {
      const auto ask = [&](const Words &precisions, const std::vector<int> &reconstructs) {
        Words words = options(precisions, reconstructs, o_.nrhs);
        words << "--list";
        return start(side, words);
      };
      Words precisions;
      for (const Precision p : o_.precisions) precisions << precision_name(p);
      const Outcome together = ask(precisions, o_.reconstructs);
      std::string lines = together.output;
      if (together.status != 0) {
        bool any = false;
        lines.clear();
        for (const std::string &p : precisions)
          for (const int r : o_.reconstructs) {
            const Outcome alone = ask({p}, {r});
            if (alone.status != 0) continue;
            any = true;
            lines += alone.output;
          }
        if (!any)
          fail(ErrorKind::bad_argument, text("--compare: \"%s\" --list fails (%d): %s", o_.compare[side].c_str(),
                                             together.status, together.errors.c_str()));
      }
      return parse_list(lines);
    }

    void find_cases()
    {
      const Pattern wanted(o_.filter);
      const bool plain = o_.filter.find("reference") != std::string::npos;
      const auto lists = [&](int side) {
        std::vector<CaseName> list = list_of(side);
        std::erase_if(list, [&](const CaseName &name) {
          return !wanted.in(name.text()) || (name.variant == "reference" && !plain);
        });
        return list;
      };
      const std::vector<CaseName> before = lists(0);
      pairing_ = pair_up(before, lists(1));
      if (pairing_.both.empty())
        fail(ErrorKind::bad_argument,
             text("--compare: the programs share no case that --filter \"%s\" matches (%zu cases before, %zu after)",
                  o_.filter.c_str(), before.size(), pairing_.only_after.size()));
      for (const CaseName &name : pairing_.both) cases_.push_back({name, {}, {}, "", false});
    }

    /// Seconds of one run of the kernel; nothing, and the reason in `one`, where there are none.
    std::optional<double> measure(Compared &one, int side, double seconds)
    {
      const std::string file = folder_.in("result.json");
      std::filesystem::remove(file);
      Words words = options({one.name.precision}, {one.name.reconstruct}, {one.name.nrhs});
      words << "--filter" << exactly(one.name.text()) << "--time" << text("%g", seconds) << "--json" << file;
      const Outcome outcome = start(side, words);
      std::ifstream in(file);
      const json all = json::parse(in, nullptr, false);
      if (!all.is_object() || !all.contains("results") || all["results"].size() != 1) {
        one.failure = text("%s: status %d, %s", side_names[side], outcome.status,
                           outcome.errors.empty() ? "no result" : outcome.errors.c_str());
        return {};
      }
      const json &result = all["results"][0];
      if (side == 1 && !result.value("checksum_ok", true)) one.wrong = true;
      return result.value("seconds", 0.0);
    }

    /// All but the limits of the machine, which are no part of the comparison.
    void forget_tuning(int side) const
    {
      const std::string path = resources(side) + "/tunecache.tsv";
      std::ifstream in(path);
      std::string kept;
      int n = 0;
      for (std::string line; std::getline(in, line); n++) // three lines of heading
        if (n < 3 || line.find("\tlimit_") != std::string::npos) kept += line + '\n';
      if (n > 0) std::ofstream(path) << kept;
    }

    void run_round(Compared &one, int round)
    {
      if (round == 0 || o_.retune)
        for (const int side : {0, 1}) {
          if (o_.retune) forget_tuning(side);
          if (!measure(one, side, 0)) return; // tunes
        }
      Round times {};
      int next[2] = {0, 0};
      for (const Side turn : order_of(round)) {
        const int side = turn == Side::after;
        const std::optional<double> seconds = measure(one, side, o_.run_seconds());
        if (!seconds || interrupted()) return;
        (side ? times.after : times.before)[next[side]++] = *seconds;
      }
      for (const double s : times.before) one.seconds[0].push_back(s);
      for (const double s : times.after) one.seconds[1].push_back(s);
      one.ratios.push_back(times.ratio());
    }

    static double median(std::vector<double> values)
    {
      Samples samples;
      for (const double v : values) samples.add(v);
      return samples.median();
    }

    void print_heading() const
    {
      for (const int side : {0, 1}) std::printf("%-6s: %s\n", side_names[side], o_.compare[side].c_str());
      std::printf("%d x %d x %d x %d, %zu cases, %d rounds of four runs, %g s each%s\n", o_.dims[0], o_.dims[1],
                  o_.dims[2], o_.dims[3], cases_.size(), o_.rounds, o_.run_seconds(),
                  o_.retune ? ", tuned anew for each round" : "");
      std::fflush(stdout);
    }

    void progress(int round, std::size_t done) const
    {
      if (interrupted()) return;
      const bool end = done == cases_.size() && round + 1 == o_.rounds;
      print_progress(end ? "" : text("round %d of %d, case %zu of %zu", round + 1, o_.rounds, done, cases_.size()));
    }

    void print_row(const Compared &one) const
    {
      if (one.ratios.empty()) return;
      const Summary s = summary(one.ratios);
      std::printf("%-44s %11.2f %11.2f  %6.3f  %6.3f %6.3f  ", one.name.text().c_str(), 1e6 * median(one.seconds[0]),
                  1e6 * median(one.seconds[1]), s.median, s.least, s.most);
      for (const double r : one.ratios) std::printf(" %.3f", r);
      std::printf("%s\n", slower(one) ? "  SLOWER" : "");
    }

    /// Fewer rounds prove nothing.
    bool slower(const Compared &one) const
    {
      return one.ratios.size() >= least_rounds && summary(one.ratios).at_most < o_.least;
    }

    void print_names(const char *title, const std::vector<CaseName> &names) const
    {
      for (const CaseName &name : names) std::printf("only %s: %s\n", title, name.text().c_str());
    }

    /// The table and what is wrong: false then.
    bool print_end() const
    {
      std::printf("%-44s %11s %11s  %6s  %6s %6s   %s\n", "speed after / speed before", "before us", "after us",
                  "median", "least", "most", "rounds");
      for (const Compared &one : cases_) print_row(one);
      print_names(side_names[0], pairing_.only_before);
      print_names(side_names[1], pairing_.only_after);
      bool good = true;
      const Compared *worst = nullptr;
      for (const Compared &one : cases_) {
        if (!one.failure.empty()) std::printf("error: %s: %s\n", one.name.text().c_str(), one.failure.c_str());
        if (one.wrong) std::printf("error: %s differs from the plain reference\n", one.name.text().c_str());
        good = good && one.failure.empty() && !one.wrong;
        if (one.ratios.empty()) continue;
        good = good && !slower(one);
        if (!worst || summary(one.ratios).median < summary(worst->ratios).median) worst = &one;
      }
      if (interrupted()) std::printf("interrupted: not all rounds were measured\n");
      if (worst) {
        const Summary s = summary(worst->ratios);
        std::printf("worst: %s %.3f (%.3f to %.3f)\n", worst->name.text().c_str(), s.median, s.least, s.most);
      }
      const long slow = std::count_if(cases_.begin(), cases_.end(), [&](const Compared &one) { return slower(one); });
      if (o_.rounds >= static_cast<int>(least_rounds))
        std::printf("below %g in more rounds than chance explains: %ld of %zu%s\n", o_.least, slow, cases_.size(),
                    slow > 0 && !o_.retune ? "; --retune tells a slow kernel from an unlucky choice of tuning" : "");
      return good && worst;
    }

    static json texts(const std::vector<CaseName> &names)
    {
      json all = json::array();
      for (const CaseName &name : names) all.push_back(name.text());
      return all;
    }

    void write_json() const
    {
      json all = {{"before", o_.compare[0]},
                  {"after", o_.compare[1]},
                  {"dims", o_.dims},
                  {"rounds", o_.rounds},
                  {"cases", json::array()},
                  {"only_before", texts(pairing_.only_before)},
                  {"only_after", texts(pairing_.only_after)},
                  {"failed", json::object()}};
      for (const Compared &one : cases_) {
        if (!one.failure.empty()) all["failed"][one.name.text()] = one.failure;
        if (one.ratios.empty()) continue;
        const Summary s = summary(one.ratios);
        all["cases"].push_back({{"case", one.name.text()},
                                {"before", one.seconds[0]},
                                {"after", one.seconds[1]},
                                {"ratios", one.ratios},
                                {"median", s.median},
                                {"least", s.least},
                                {"most", s.most},
                                {"at_least", s.at_least},
                                {"at_most", s.at_most}});
      }
      std::ofstream file(o_.json);
      file << all.dump(2) << "\n";
      file.close();
      if (!file) fail(ErrorKind::file, text("--json: cannot write \"%s\"", o_.json.c_str()));
    }

    const Options &o_;
    TemporaryFolder folder_;
    Pairing pairing_;
    std::vector<Compared> cases_;
  };

} // namespace

int compare(const Options &options)
{
  for (const std::string &program : options.compare)
    if (!std::filesystem::is_regular_file(program))
      fail(ErrorKind::file, text("--compare: \"%s\" is no file; two programs quda_bench are needed", program.c_str()));
  return Comparison(options).run();
}

} // namespace quda::bench
