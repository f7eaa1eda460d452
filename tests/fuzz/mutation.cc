#include "tests/fuzz/mutation.hh"

#include <algorithm>
#include <array>
#include <cstring>

namespace starhist::fuzz {
namespace {

using Random = std::mt19937_64;

/// A number in [0, count).
std::size_t below(Random& random, std::size_t count) {
  return random() % count;
}

void write_number(Random& random, std::string& file, std::size_t at) {
  const std::uint64_t size = file.size();
  const std::array<std::uint64_t, 16> numbers{
      0,          1,          2,
      3,          7,          8,
      255,        65535,      1U << 31U,
      0xFFFFFFFF, UINT64_MAX, UINT64_MAX / 2,
      size,       size - 1,   random() % (2 * size),
      random()};
  const std::uint64_t number = numbers[below(random, numbers.size())];
  const std::size_t bytes = std::size_t{1} << below(random, 4);
  std::memcpy(file.data() + at, &number, std::min(bytes, file.size() - at));
}

void add_to_number(Random& random, std::string& file, std::size_t at) {
  file[at] = static_cast<char>(file[at] + static_cast<char>(below(random, 33)) - 16);
}

/// Copies a piece of a file, often an integer, to a position in another.
void copy_piece(Random& random, const std::string& from, std::string& file,
                std::size_t at) {
  const std::size_t most = std::min({from.size(), file.size() - at, std::size_t{64}});
  const std::size_t size = 1 + below(random, most);
  const std::size_t begin = below(random, from.size() - size + 1);
  std::memcpy(file.data() + at, from.data() + begin, size);
}

void change_size(Random& random, std::string& file, std::size_t at) {
  if (below(random, 4) == 0) {
    file.append(1 + below(random, 512), '\0');
  } else if (below(random, 4) == 0) {
    file.erase(at, 1 + below(random, 8));
  } else {
    file.resize(
        std::max<std::size_t>(file.size() - below(random, 1024) % file.size(), 1));
  }
}

}  // namespace

std::string Mutation::file(std::uint64_t number) const {
  Random random(number);
  std::string file = originals_[below(random, originals_.size())];
  for (std::size_t left = 1 + below(random, 6); left > 0 && !file.empty(); --left) {
    const std::size_t at = below(random, file.size());
    switch (below(random, 16)) {
      case 0:
        change_size(random, file, at);
        break;
      case 1:
      case 2:
        copy_piece(random, originals_[below(random, originals_.size())], file, at);
        break;
      case 3:
      case 4:
      case 5:
        copy_piece(random, std::string(file), file, at);
        break;
      case 6:
      case 7:
      case 8:
        add_to_number(random, file, at);
        break;
      case 9:
      case 10:
        file[at] = static_cast<char>(file[at] ^ (1 << below(random, 8)));
        break;
      case 11:
        file[at] = static_cast<char>(random());
        break;
      default:
        write_number(random, file, at);
    }
  }
  return file;
}

}  // namespace starhist::fuzz
