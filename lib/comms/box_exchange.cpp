#include "comms/box_exchange.h"

#include <algorithm>
#include <utility>

namespace quda
{

namespace
{

  /// What b and mine have in common, counted from the origin of `mine`; its volume may be 0.
  SiteBox common(const SiteBox &mine, const SiteBox &b)
  {
    SiteBox both {};
    for (std::size_t d = 0; d < 4; d++) {
      const int begin = std::max(mine.origin[d], b.origin[d]),
                end = std::min(mine.origin[d] + mine.extent[d], b.origin[d] + b.extent[d]);
      both.origin[d] = begin - mine.origin[d];
      both.extent[d] = std::max(end - begin, 0);
    }
    return both;
  }

} // namespace

BoxExchange::BoxExchange(std::shared_ptr<Communicator> communicator, const BoxOfRank &held, const BoxOfRank &wanted)
    : communicator_(std::move(communicator))
{
  const SiteBox has = held(communicator_->rank()), wants = wanted(communicator_->rank());
  for (int rank = 0; rank < communicator_->size(); rank++) {
    const SiteBox to = common(has, wanted(rank)), from = common(wants, held(rank));
    if (to.volume()) held_.push_back({rank, to});
    if (from.volume()) wanted_.push_back({rank, from});
  }
}

void BoxExchange::forth(std::size_t bytes, const Pack &pack, const Unpack &unpack) const
{
  exchange(held_, wanted_, bytes, pack, unpack);
}

void BoxExchange::back(std::size_t bytes, const Pack &pack, const Unpack &unpack) const
{
  exchange(wanted_, held_, bytes, pack, unpack);
}

void BoxExchange::exchange(const std::vector<Share> &leaving, const std::vector<Share> &arriving, std::size_t bytes,
                           const Pack &pack, const Unpack &unpack) const
{
  std::vector<std::vector<char>> in, out;
  std::vector<Request> receives, sends;
  for (const Share &share : arriving) {
    in.emplace_back(share.box.volume() * bytes);
    receives.push_back(communicator_->receive_from_start(in.back().data(), in.back().size(), share.rank));
  }
  for (const Share &share : leaving) {
    out.emplace_back(share.box.volume() * bytes);
    pack(share, out.back().data());
    sends.push_back(communicator_->send_to_start(out.back().data(), out.back().size(), share.rank));
  }
  for (std::size_t i = 0; i < arriving.size(); i++) {
    communicator_->wait(receives[i]);
    unpack(arriving[i], in[i].data());
  }
  for (Request &send : sends) communicator_->wait(send);
}

} // namespace quda
