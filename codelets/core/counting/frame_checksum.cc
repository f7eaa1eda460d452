#include "codelets/core/counting/frame_checksum.hh"

#include <cstring>

namespace starhist {
namespace {

// Odd constants with as many ones as zeros, from wyhash (Wang Yi, public domain), like
// the mixing function.
constexpr std::uint64_t secret[] = {0xa0761d6478bd642fU, 0xe7037ed1a0b428dbU,
                                    0x8ebc6af09c88c6e3U, 0x589965cc75374cc3U};

/// XOR of both halves of the 128-bit product.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return static_cast<std::uint64_t>(product) ^
         static_cast<std::uint64_t>(product >> 64U);
}

std::uint64_t bits_of(const double* value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, value, sizeof bits);
  return bits;
}

/// Uses four chains, so that multiplications can overlap.
std::uint64_t checksum_of(const std::vector<double>& values, std::uint64_t seed) {
  std::uint64_t chains[] = {seed, seed ^ secret[1], seed ^ secret[2], seed ^ secret[3]};
  const double* next = values.data();
  std::size_t left = values.size();
  for (; left >= 8; left -= 8, next += 8) {
    for (std::size_t k = 0; k < 4; ++k) {
      chains[k] = mixed(bits_of(next + 2 * k) ^ secret[k],
                        bits_of(next + 2 * k + 1) ^ chains[k]);
    }
  }
  std::uint64_t sum = mixed(chains[0] ^ secret[0], chains[1] ^ secret[1]) ^
                      mixed(chains[2] ^ secret[2], chains[3] ^ secret[3]);
  for (; left > 0; --left, ++next) {
    sum = mixed(bits_of(next) ^ secret[0], sum ^ secret[1]);
  }
  return mixed(sum ^ secret[0], values.size() ^ secret[1]);
}

}  // namespace

std::uint64_t frame_checksum(const HistogramLayout& layout, const Frame& frame) {
  std::vector<char> counted(layout.species.size());
  for (const SpeciesPair& pair : layout.pairs) {
    counted[pair.first.index()] = counted[pair.second.index()] = 1;
  }
  const bool moment = has_moment(frame.step, frame.time);
  std::uint64_t sum = secret[0];
  if (moment) {
    sum = mixed(static_cast<std::uint64_t>(frame.step) ^ secret[1],
                bits_of(&frame.time) ^ secret[2]);
  }
  bool any = false;
  for (std::size_t s = 0; s < counted.size(); ++s) {
    if (counted[s] != 0) {
      sum = checksum_of(frame.positions[s], sum);
      any = any || !frame.positions[s].empty();
    }
  }
  if (!any) {
    return checksum_of_nothing;
  }
  sum = (sum & ~std::uint64_t{1}) | (moment ? 1U : 0U);
  return sum == 0 ? 2 : sum;
}

std::uint64_t positions_checksum(const Frame& frame) {
  std::uint64_t sum = secret[0];
  for (const std::vector<double>& positions : frame.positions) {
    sum = checksum_of(positions, sum);
  }
  return sum;
}

}  // namespace starhist
