#include "comms/replicated_sum.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <vector>

#include "core/error.h"
#include "core/exact_sum.h"
#include "core/waits.h"

namespace quda
{

namespace
{

  std::atomic<std::size_t> bytes_so_far = 0;

  static_assert(sizeof(ExactLimbs) == exact_words * sizeof(long long));

  /// Range of digits of a sum, over all ranks: the larger of two words each. A word that says `special` stands for
  /// an infinity, high for +, low for -, both of them for NaN.
  struct Digits {
    static constexpr long long special = exact_limb_count;
    long long high; // the highest limb that is not zero; -1: none
    long long low;  // exact_limb_count - 1 - the lowest; -1: none

    int first() const { return infinite() || low < 0 ? 0 : static_cast<int>(exact_limb_count - 1 - low); }
    int count() const { return infinite() || high < 0 ? 0 : static_cast<int>(high) - first() + 1; }
    bool infinite() const { return high == special || low == special; }
  };

  Digits digits_of(const ExactLimbs &sum)
  {
    Digits digits = {-1, -1};
    for (int k = 0; k < exact_limb_count; k++)
      if (sum.limb[k] != 0) {
        digits.high = k;
        if (digits.low < 0) digits.low = exact_limb_count - 1 - k;
      }
    if (sum.nan || sum.positive_infinity) digits.high = Digits::special;
    if (sum.nan || sum.negative_infinity) digits.low = Digits::special;
    return digits;
  }

  std::size_t sum_digits(Communicator &communicator, ExactLimbs *sums, int n)
  {
    std::vector<Digits> digits(n);
    for (int i = 0; i < n; i++) {
      exact_signed_digits(sums[i]);
      digits[i] = digits_of(sums[i]);
    }
    communicator.max(&digits[0].high, 2 * n);

    std::vector<long long> message;
    for (int i = 0; i < n; i++)
      message.insert(message.end(), sums[i].limb + digits[i].first(),
                     sums[i].limb + digits[i].first() + digits[i].count());
    if (!message.empty()) communicator.sum(message.data(), static_cast<int>(message.size()));

    const long long *from = message.data();
    for (int i = 0; i < n; i++) {
      const Digits &d = digits[i];
      sums[i] = {};
      std::copy_n(from, d.count(), sums[i].limb + d.first());
      from += d.count();
      sums[i].positive_infinity = d.high == Digits::special;
      sums[i].negative_infinity = d.low == Digits::special;
    }
    return n * sizeof(Digits) + message.size() * sizeof(long long);
  }

} // namespace

std::size_t summed_bytes() { return bytes_so_far; }

void sum_limbs(Communicator &communicator, ExactLimbs *sums, int n)
{
  if (n < 0 || n > INT_MAX / exact_words)
    fail(ErrorKind::bad_argument, text("sum of %d accumulators, must be 0 to %d", n, INT_MAX / exact_words));
  for (int i = 0; i < n; i++) exact_normalise(sums[i]);
  if (n == 0 || communicator.size() == 1) return;
  const WaitScope waiting(Wait::sum);
  std::size_t bytes = n * sizeof(ExactLimbs);
  if (n <= most_whole_sums)
    communicator.sum(reinterpret_cast<long long *>(sums), n * exact_words);
  else
    bytes = sum_digits(communicator, sums, n);
  for (int i = 0; i < n; i++) exact_normalise(sums[i]);
  bytes_so_far += bytes;
}

SumsUnderWay::SumsUnderWay(Communicator &communicator, std::vector<ExactLimbs> sums)
    : communicator_(communicator)
    , sums_(std::move(sums))
{
  for (ExactLimbs &sum : sums_) exact_normalise(sum);
  if (communicator.size() == 1 || sums_.empty()) return;
  request_ =
      communicator.sum_start(reinterpret_cast<long long *>(sums_.data()), static_cast<int>(sums_.size()) * exact_words);
  bytes_so_far += sums_.size() * sizeof(ExactLimbs);
}

std::vector<double> SumsUnderWay::finish()
{
  if (request_.pending()) {
    const WaitScope waiting(Wait::sum);
    communicator_.wait(request_);
    for (ExactLimbs &sum : sums_) exact_normalise(sum);
  }
  std::vector<double> values;
  for (const ExactLimbs &sum : sums_) values.push_back(exact_value(sum));
  return values;
}

} // namespace quda
