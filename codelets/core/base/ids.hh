#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace starhist {

/// An index from 0 that does not convert to an index of another kind.
template <class Tag, class Value = std::uint32_t>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(Value value) : value_(value) {}
  constexpr Value get() const { return value_; }
  /// Value for subscripting: particles[species.index()].
  constexpr std::size_t index() const { return value_; }
  constexpr auto operator<=>(const Id&) const = default;

 private:
  Value value_ = 0;
};

using SpeciesId = Id<struct SpeciesTag>;
using PairId = Id<struct PairTag>;  ///< position in the list of selected species pairs
using FrameIndex = Id<struct FrameTag, std::uint64_t>;  ///< counts from 0 in the input
using BlockIndex = Id<struct BlockTag, std::uint64_t>;  ///< counts from 0 in the result

}  // namespace starhist
