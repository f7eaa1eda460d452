#include "codelets/core/counting/frame_checksum.hh"

#include <algorithm>
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

/// The bits of a number; -0 is 0.
std::uint64_t bits_of(double value) {
  value += 0.0;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Checksum of a set of positions (x, y, z of each particle) in any order: the sum of
/// the particles' hashes.
std::uint64_t checksum_of(const std::vector<double>& positions, std::uint64_t seed) {
  std::uint64_t sum = 0;
  const double* next = positions.data();
  for (std::size_t left = positions.size() / 3; left > 0; --left, next += 3) {
    const std::uint64_t xy =
        mixed(bits_of(next[0]) ^ secret[0], bits_of(next[1]) ^ secret[1]);
    sum += mixed(bits_of(next[2]) ^ secret[2], xy ^ secret[3]);
  }
  return mixed(sum ^ secret[0], mixed(seed ^ secret[1], positions.size() ^ secret[2]));
}

}  // namespace

std::uint64_t frame_checksum(const HistogramLayout& layout, const Frame& frame) {
  std::vector<char> counted(layout.species.size());
  for (const SpeciesPair& pair : layout.pairs) {
    counted[pair.first.index()] = counted[pair.second.index()] = 1;
  }
  std::uint64_t positions = secret[0];
  bool any = false;
  for (std::size_t s = 0; s < counted.size(); ++s) {
    if (counted[s] != 0) {
      positions = checksum_of(frame.positions[s], positions);
      any = any || !frame.positions[s].empty();
    }
  }
  if (!any) {
    return checksum_of_nothing;
  }
  positions = std::max(checksum_of_positions(positions), std::uint64_t{1});
  std::uint64_t moment = 0;
  if (has_moment(frame.step, frame.time)) {
    moment = mixed(static_cast<std::uint64_t>(frame.step) ^ secret[1],
                   bits_of(frame.time) ^ secret[2]) |
             1U;
  }
  return positions << moment_bits | (moment & ((std::uint64_t{1} << moment_bits) - 1));
}

std::uint64_t positions_checksum(const Frame& frame) {
  std::uint64_t sum = secret[0];
  for (const std::vector<double>& positions : frame.positions) {
    sum = checksum_of(positions, sum);
  }
  return sum;
}

}  // namespace starhist
