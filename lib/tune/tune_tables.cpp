#include "tune/tune_tables.h"

namespace quda
{

TuneTables &TuneTables::instance()
{
  static TuneTables *const tables = new TuneTables; // never destroyed: launches may come from destructors of statics
  return *tables;
}

const TuneSettings &TuneTables::settings()
{
  if (!have_settings_) settings_ = read_tune_settings();
  have_settings_ = true;
  return settings_;
}

void TuneTables::reset(const TuneSettings &settings, const std::vector<TuneRow> &rows, bool alike)
{
  settings_ = settings;
  have_settings_ = true;
  alike_ = alike;
  unsaved = false;
  start_.clear();
  alone_.clear();
  have_alone_ = false;
  tables_.clear();
  known_.clear();
  for (const TuneRow &row : rows) {
    start_[row.key] = {.param = row.param, .seconds = row.seconds, .version = row.version};
    known_[row.key] = {row, false};
  }
}

TuneTables::Table &TuneTables::table_of(const std::shared_ptr<Communicator> &communicator)
{
  if (!communicator) {
    if (!have_alone_) alone_ = start_;
    have_alone_ = true;
    return alone_;
  }
  if (const auto found = tables_.find(communicator); found != tables_.end()) return found->second;
  std::erase_if(tables_, [](const auto &entry) { return entry.first.expired(); });
  return tables_.emplace(communicator, start_).first->second;
}

TunedLaunch *TuneTables::find(const std::shared_ptr<Communicator> &communicator, const TuneKey &key, int version)
{
  Table &table = table_of(communicator);
  const auto found = table.find(key);
  return found != table.end() && found->second.version == version ? &found->second : nullptr;
}

const TuneRow *TuneTables::known(const TuneKey &key, int version) const
{
  const auto found = known_.find(key);
  return found != known_.end() && found->second.row.version == version ? &found->second.row : nullptr;
}

TunedLaunch &TuneTables::insert(const std::shared_ptr<Communicator> &communicator, const TuneRow &row, bool new_here)
{
  if (new_here) {
    known_[row.key] = {row, true};
    unsaved = true;
  }
  return table_of(communicator)[row.key] = {.param = row.param, .seconds = row.seconds, .version = row.version};
}

TunedLaunch &TuneTables::wait(const std::shared_ptr<Communicator> &communicator, const TuneKey &key,
                              const TuneParam &untuned, int version)
{
  return table_of(communicator)[key] = {.param = untuned, .version = version, .due = 1};
}

std::vector<TuneRow> TuneTables::measured() const
{
  std::vector<TuneRow> rows;
  for (const auto &[key, known] : known_)
    if (known.new_here) rows.push_back(known.row);
  return rows;
}

std::vector<TuneRow> TuneTables::all() const
{
  std::vector<TuneRow> rows;
  for (const auto &[key, known] : known_) rows.push_back(known.row);
  return rows;
}

} // namespace quda
