#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/gromacs_files.hh"
#include "tests/support/random.hh"

namespace starhist::testing {

__extension__ using Wide = unsigned __int128;

/// Writes numbers as bits, most significant bit first.
class BitWriter {
 public:
  void write(std::uint64_t value, unsigned count) {
    for (unsigned k = count; k-- > 0;) {
      if (used_ % 8 == 0) {
        bytes_ += '\0';
      }
      bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) |
                                        (value >> k & 1U) << (7 - used_ % 8));
      ++used_;
    }
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  unsigned used_ = 0;
};

/// Writes frames of XTC as any valid writer might: chooses at random the atoms stored
/// as differences, and changes of their size.
class XtcCoder {
 public:
  using Points = std::vector<std::array<std::int64_t, 3>>;

  explicit XtcCoder(Random& random) : random_(random) {}

  /// Returns a frame of more than nine atoms with a cube of edge 5. `points`:
  /// coordinates times the precision.
  std::string frame(const Points& points, float precision, bool long_code = false) {
    XdrBytes xdr;
    const auto atoms = static_cast<std::int32_t>(points.size());
    xdr.integer(long_code ? 2023 : 1995).integer(atoms).integer(7).real(0.5F);
    for (int k = 0; k < 9; ++k) {
      xdr.real(k % 4 == 0 ? 5.0F : 0.0F);
    }
    xdr.integer(atoms).real(precision);
    find_bounds(points);
    for (const auto* bounds : {&low_, &high_}) {
      for (const std::int64_t bound : *bounds) {
        xdr.integer(static_cast<std::int32_t>(bound));
      }
    }
    index_ = 9 + static_cast<int>(random_.below(64));
    xdr.integer(index_);
    const std::string code = code_of(points);
    xdr.number(code.size(), long_code ? 8 : 4);
    xdr.bytes += code;
    xdr.bytes.append((4 - code.size() % 4) % 4, '\0');
    return xdr.bytes;
  }

  /// number of atoms stored as differences
  int differences() const { return differences_; }

 private:
  /// Returns the edge of the small cube whose three coordinates take `index` bits: the
  /// cube root of 2^index, rounded down, except for three numbers of the format.
  static std::int64_t small_edge(int index) {
    if (index == 37) {
      return 5060;
    }
    const Wide cubes = static_cast<Wide>(1) << index;
    auto edge = static_cast<Wide>(std::cbrt(std::exp2(index)) + 0.5);
    while (edge * edge * edge > cubes) {
      --edge;
    }
    return static_cast<std::int64_t>(edge) - (index == 57 || index == 69 ? 1 : 0);
  }

  void find_bounds(const Points& points) {
    low_ = high_ = points.front();
    for (const auto& point : points) {
      for (std::size_t k = 0; k < 3; ++k) {
        low_[k] = std::min(low_[k], point[k]);
        high_[k] = std::max(high_[k], point[k]);
      }
    }
  }

  /// Whether b is in the small cube around a.
  bool is_near(const std::array<std::int64_t, 3>& a,
               const std::array<std::int64_t, 3>& b) const {
    const std::int64_t edge = small_edge(index_);
    bool near = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int64_t at = b[k] - a[k] + edge / 2;
      near = near && at >= 0 && at < edge;
    }
    return near;
  }

  /// Writes a three-digit number in mixed radix, lowest byte first.
  static void write_triple(BitWriter& bits, const std::array<std::int64_t, 3>& at,
                           const std::array<std::int64_t, 3>& ranges, unsigned count) {
    Wide number = static_cast<Wide>(at[0]);
    number = (number * static_cast<Wide>(ranges[1]) + static_cast<Wide>(at[1])) *
                 static_cast<Wide>(ranges[2]) +
             static_cast<Wide>(at[2]);
    for (; count > 8; count -= 8, number >>= 8U) {
      bits.write(static_cast<std::uint64_t>(number & 0xffU), 8);
    }
    bits.write(static_cast<std::uint64_t>(number), count);
  }

  void write_place(BitWriter& bits, const std::array<std::int64_t, 3>& point) const {
    std::array<std::int64_t, 3> at{};
    std::array<std::int64_t, 3> ranges{};
    bool separate = false;
    Wide all = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] = point[k] - low_[k];
      ranges[k] = high_[k] - low_[k] + 1;
      separate = separate || ranges[k] > 0xffffff;
      all *= static_cast<Wide>(ranges[k]);
    }
    if (!separate) {
      unsigned count = 0;
      while (all >> count != 0) {
        ++count;
      }
      write_triple(bits, at, ranges, count);
      return;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      bits.write(
          static_cast<std::uint64_t>(at[k]),
          static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(ranges[k]))));
    }
  }

  std::string code_of(const Points& points) {
    BitWriter bits;
    unsigned before = 0;
    for (std::size_t i = 0; i < points.size();) {
      // The first difference leads from atom i to atom i + 1.
      unsigned near = 0;
      const auto most = static_cast<unsigned>(random_.below(11));
      while (near < most && i + near + 1 < points.size() &&
             is_near(near == 0   ? points[i + 1]
                     : near == 1 ? points[i]
                                 : points[i + near],
                     near == 0 ? points[i] : points[i + near + 1])) {
        ++near;
      }
      int change = static_cast<int>(random_.below(3)) - 1;
      if (index_ + change < 9 || index_ + change > 72 || (near == 10 && change > 0)) {
        change = 0;
      }
      write_place(bits, near == 0 ? points[i] : points[i + 1]);
      const bool same = near == before && change == 0 && random_.chance(0.9);
      bits.write(same ? 0 : 1, 1);
      if (!same) {
        bits.write(3 * near + static_cast<unsigned>(change + 1), 5);
      }
      const std::int64_t edge = small_edge(index_);
      for (unsigned k = 0; k < near; ++k) {
        const auto& a = k == 0 ? points[i + 1] : k == 1 ? points[i] : points[i + k];
        const auto& b = k == 0 ? points[i] : points[i + k + 1];
        std::array<std::int64_t, 3> at{};
        for (std::size_t x = 0; x < 3; ++x) {
          at[x] = b[x] - a[x] + edge / 2;
        }
        write_triple(bits, at, {edge, edge, edge}, static_cast<unsigned>(index_));
      }
      differences_ += static_cast<int>(near);
      before = near;
      index_ += change;
      i += near + 1;
    }
    return bits.bytes();
  }

  Random& random_;
  std::array<std::int64_t, 3> low_{};
  std::array<std::int64_t, 3> high_{};
  int index_ = 0;
  int differences_ = 0;
};

}  // namespace starhist::testing
