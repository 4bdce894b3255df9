#include "programs/common/checkpoint.h"

#include <cstdio>
#include <fstream>

namespace program
{

bool Checkpoint::read(History &history, Options &options)
{
  if (file_.empty()) return false;
  std::ifstream in(file_);
  if (!in) return false;
  const nlohmann::json saved = nlohmann::json::parse(in);
  if (saved.at("run") != run_)
    throw UsageError(file_ + ": of another run, " + saved.at("run").dump() + ", this one is " + run_.dump());
  history.done = saved.at("trajectories");
  history.accepted = saved.at("accepted");
  history.dH = saved.at("dH").get<std::vector<double>>();
  history.plaquette = saved.at("plaquette").get<std::vector<double>>();
  history.records = saved.at("records");
  options.load_gauge = saved.at("links");
  links_ = options.load_gauge;
  return true;
}

void Checkpoint::write(const Process &process, const HostGauge &gauge, const History &history)
{
  if (file_.empty()) return;
  const std::string links = prefix_ + "." + std::to_string(history.done) + ".ildg", before = links_;
  gauge.write(process, links);
  links_ = links;
  if (process.rank() == 0) {
    const nlohmann::json all = {{"run", run_},      {"trajectories", history.done},   {"accepted", history.accepted},
                                {"dH", history.dH}, {"plaquette", history.plaquette}, {"records", history.records},
                                {"links", links}};
    std::ofstream(file_ + ".part") << all.dump(1) << "\n";
    if (std::rename((file_ + ".part").c_str(), file_.c_str()) == 0 && !before.empty() && before != links)
      std::remove(before.c_str());
  }
  process.barrier();
}

void add_checkpoint_options(CommandLine &line, CheckpointWish &wish)
{
  line.add("--checkpoint", wish.name,
           "Where the run is saved, FILE.json and links beside it, and goes on from [nowhere]");
  line.add("--save-interval", wish.interval, "Trajectories from one checkpoint to the next", {1});
}

} // namespace program
