#include "io/formats/gromacs/xdr/xtc_code.hh"

#include <algorithm>
#include <bit>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

/// A sequence of numbers of any width, most significant bit first. All bits after the
/// end are 0, and ok() is false.
class BitStream {
 public:
  explicit BitStream(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the next `count` bits [0, 32] as a number.
  std::uint32_t take(unsigned count) {
    if (held_ < count) {
      refill();
    }
    held_ -= count;
    const std::uint64_t mask = (std::uint64_t{1} << count) - 1U;
    return static_cast<std::uint32_t>(bits_ >> held_ & mask);
  }

  /// False once a bit after the end has been taken.
  bool ok() const { return behind_end_ * 8U <= held_; }

 private:
  /// Makes at least 32 bits available.
  void refill() {
    if (next_ + 4 <= bytes_.size()) {
      const auto byte = [&](std::size_t k) {
        return std::uint64_t{static_cast<unsigned char>(bytes_[next_ + k])};
      };
      bits_ = bits_ << 32U | byte(0) << 24U | byte(1) << 16U | byte(2) << 8U | byte(3);
      next_ += 4;
      held_ += 32;
      return;
    }
    while (held_ < 32) {
      const bool left = next_ < bytes_.size();
      bits_ = bits_ << 8U | (left ? static_cast<unsigned char>(bytes_[next_])
                                  : static_cast<unsigned char>(0));
      next_ += left ? 1 : 0;
      behind_end_ += left ? 0U : 1U;
      held_ += 8;
    }
  }

  std::string_view bytes_;
  std::size_t next_ = 0;
  std::uint64_t bits_ = 0;  ///< the last held_ bits have not been taken yet
  unsigned held_ = 0;
  std::uint64_t behind_end_ = 0;  ///< zero bytes appended to `bytes_`
};

using Point = std::array<std::int32_t, 3>;
__extension__ using Wide = unsigned __int128;

[[noreturn]] void refuse(const char* problem) {
  throw InputError(std::string("its positions are damaged (") + problem + ")");
}

/// Edge of the small cube for each index, defined by the format: three coordinates
/// below edge k take k bits.
constexpr std::array<std::uint32_t, XtcCode::smalls> small_edges = {
    0,       0,       0,       0,       0,       0,       0,       0,        0,
    8,       10,      12,      16,      20,      25,      32,      40,       50,
    64,      80,      101,     128,     161,     203,     256,     322,      406,
    512,     645,     812,     1024,    1290,    1625,    2048,    2580,     3250,
    4096,    5060,    6501,    8192,    10321,   13003,   16384,   20642,    26007,
    32768,   41285,   52015,   65536,   82570,   104031,  131072,  165140,   208063,
    262144,  330280,  416127,  524287,  660561,  832255,  1048576, 1321122,  1664510,
    2097152, 2642245, 3329021, 4194304, 5284491, 6658042, 8388607, 10568983, 13316085,
    16777216};

/// Returns a + b - c modulo 2^32, the arithmetic of the format.
std::int32_t moved(std::int32_t a, std::uint32_t b, std::uint32_t c) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + b - c);
}

/// Decodes a number of the stream into three coordinates with given ranges.
class Triple {
 public:
  explicit Triple(const std::array<std::uint32_t, 3>& ranges) : ranges_(ranges) {
    Wide all = ranges[0];
    all = all * ranges[1] * ranges[2];
    while (all >> bits_ != 0) {
      ++bits_;
    }
  }
  /// A cube whose three coordinates take `bits` bits.
  Triple(std::uint32_t edge, unsigned bits) : ranges_{edge, edge, edge}, bits_(bits) {}

  std::array<std::uint32_t, 3> take(BitStream& stream) const {
    return bits_ <= 64 ? take_apart(taken<std::uint64_t>(stream))
                       : take_apart(taken<Wide>(stream));
  }

 private:
  /// Returns the next bits_ bits: bytes, the lowest first.
  template <class Number>
  Number taken(BitStream& stream) const {
    Number number = 0;
    unsigned done = 0;
    for (; done + 32 <= bits_; done += 32) {
      number |= Number{__builtin_bswap32(stream.take(32))} << done;
    }
    for (; done + 8 < bits_; done += 8) {
      number |= Number{stream.take(8)} << done;
    }
    if (done < bits_) {
      number |= Number{stream.take(bits_ - done)} << done;
    }
    return number;
  }
  template <class Number>
  std::array<std::uint32_t, 3> take_apart(Number number) const {
    const Number first_two = number / ranges_[2];
    const Number first = first_two / ranges_[1];
    return {static_cast<std::uint32_t>(first),
            static_cast<std::uint32_t>(first_two - first * ranges_[1]),
            static_cast<std::uint32_t>(number - first_two * ranges_[2])};
  }

  std::array<std::uint32_t, 3> ranges_;
  unsigned bits_ = 0;
};

/// Decodes positions of atoms in the box around all atoms.
class Places {
 public:
  explicit Places(const XtcCode& code)
      : low_(code.low), ranges_(ranges_of(code)), triple_(ranges_) {
    // Largest range of an axis; beyond it, each coordinate is stored separately.
    constexpr std::uint32_t most = 0xffffff;
    separate_ = std::any_of(ranges_.begin(), ranges_.end(),
                            [](std::uint32_t range) { return range > most; });
  }

  Point take(BitStream& stream) const {
    std::array<std::uint32_t, 3> at{};
    if (separate_) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        at[axis] = stream.take(static_cast<unsigned>(std::bit_width(ranges_[axis])));
      }
    } else {
      at = triple_.take(stream);
    }
    return {moved(low_[0], at[0], 0), moved(low_[1], at[1], 0),
            moved(low_[2], at[2], 0)};
  }

 private:
  static std::array<std::uint32_t, 3> ranges_of(const XtcCode& code) {
    std::array<std::uint32_t, 3> ranges{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ranges[axis] = static_cast<std::uint32_t>(code.high[axis]) -
                     static_cast<std::uint32_t>(code.low[axis]) + 1U;
      if (ranges[axis] == 0) {
        refuse("their bounds span all numbers");
      }
    }
    return ranges;
  }

  Point low_;
  std::array<std::uint32_t, 3> ranges_;
  Triple triple_;
  bool separate_ = false;
};

/// The small cube around the previous atom, whose size changes.
class SmallCube {
 public:
  explicit SmallCube(std::int32_t index) : index_(index) {}

  Point take(BitStream& stream, const Point& before) const {
    const std::uint32_t edge = small_edges[static_cast<std::size_t>(index_)];
    const auto at = Triple(edge, static_cast<unsigned>(index_)).take(stream);
    return {moved(before[0], at[0], edge / 2), moved(before[1], at[1], edge / 2),
            moved(before[2], at[2], edge / 2)};
  }
  void change(int by) {
    index_ += by;
    if (index_ < XtcCode::first_small || index_ >= XtcCode::smalls) {
      refuse("a difference has a size that the format does not define");
    }
  }

 private:
  std::int32_t index_;
};

/// Appends the coordinates of consecutive atoms.
class Output {
 public:
  Output(std::uint64_t atoms, std::vector<std::int32_t>& coordinates) {
    coordinates.resize(3 * atoms);
    next_ = coordinates.data();
    end_ = next_ + coordinates.size();
  }
  std::uint64_t left() const { return static_cast<std::uint64_t>(end_ - next_) / 3; }
  void add(const Point& point) { next_ = std::copy_n(point.data(), 3, next_); }

 private:
  std::int32_t* next_;
  std::int32_t* end_;
};

/// Throws InputError unless each bound is reached by an atom and exceeded by none.
void check_bounds(const XtcCode& code, const std::vector<std::int32_t>& coordinates) {
  Point low = code.high;
  Point high = code.low;
  for (std::size_t k = 0; k < coordinates.size(); k += 3) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], coordinates[k + axis]);
      high[axis] = std::max(high[axis], coordinates[k + axis]);
    }
  }
  if (low != code.low || high != code.high) {
    refuse("they are outside the bounds of the frame");
  }
}

}  // namespace

void XtcCode::decode(std::uint64_t atoms,
                     std::vector<std::int32_t>& coordinates) const {
  const Places places(*this);
  SmallCube cube(small);
  BitStream stream(bytes);
  Output output(atoms, coordinates);
  unsigned followers = 0;  // number of atoms in small cubes; kept until it changes
  while (output.left() > 0) {
    const Point place = places.take(stream);
    int change = 0;
    if (stream.take(1) != 0) {
      const std::uint32_t run = stream.take(5);
      followers = run / 3;
      change = static_cast<int>(run % 3) - 1;
    }
    if (!stream.ok() || output.left() < followers + 1U) {
      refuse(stream.ok() ? "they belong to more atoms" : "they end too early");
    }
    if (followers == 0) {
      output.add(place);
    }
    Point before = place;
    for (unsigned k = 0; k < followers; ++k) {
      before = cube.take(stream, before);
      output.add(before);
      if (k == 0) {
        output.add(place);  // the first two atoms are swapped: oxygen between hydrogens
      }
    }
    if (change != 0) {
      cube.change(change);
    }
  }
  if (!stream.ok()) {
    refuse("they end too early");
  }
  check_bounds(*this, coordinates);
}

}  // namespace starhist::io
