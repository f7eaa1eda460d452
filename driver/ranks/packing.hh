#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/ids.hh"
#include "codelets/core/counting/lag_layout.hh"
#include "codelets/core/geometry/box.hh"
#include "driver/run/run_summary.hh"

namespace starhist::driver {

/// Visits values, member by member: a struct through a function fields(archive, value),
/// which calls the archive for its members (STARHIST_FIELDS). It binds all of them with
/// `auto& [a, b]`, so that it does not compile after a member is added; RunResult is
/// sent in part. The derived class Own has count(sequence) for the number of elements
/// and raw(data, size) for bytes.
template <class Own>
class Archive {
 public:
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      own().raw(&value, sizeof value);
    } else {
      fields(own(), value);
    }
  }
  void operator()(std::string& text) { sequence(text); }
  template <class Tag, class Value>
  void operator()(Id<Tag, Value>& id) {
    Value value = id.get();
    (*this)(value);
    id = Id<Tag, Value>(value);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    bool has_value = value.has_value();
    (*this)(has_value);
    if (!has_value) {
      value.reset();
    } else {
      (*this)(value ? *value : value.emplace());
    }
  }
  template <class First, class Second, class... Others>
  void operator()(First& first, Second& second, Others&... others) {
    (*this)(first);
    (*this)(second, others...);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    if constexpr (std::is_arithmetic_v<T>) {
      sequence(values);
    } else {
      own().count(values);
      for (T& value : values) {
        (*this)(value);
      }
    }
  }

 private:
  friend Own;
  Archive() = default;
  Own& own() { return static_cast<Own&>(*this); }
  template <class Sequence>
  void sequence(Sequence& values) {
    own().count(values);
    own().raw(values.data(), values.size() * sizeof values[0]);
  }
};

/// Appends values to bytes.
class Packer : public Archive<Packer> {
 public:
  std::vector<char> bytes;

 private:
  friend Archive<Packer>;
  template <class Sequence>
  void count(const Sequence& values) {
    std::uint64_t size = values.size();
    (*this)(size);
  }
  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const char*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

/// Reads values from bytes in the same order. Throws InternalError if bytes are
/// missing.
class Unpacker : public Archive<Unpacker> {
 public:
  explicit Unpacker(const std::vector<char>& bytes) : bytes_(bytes) {}

 private:
  friend Archive<Unpacker>;
  template <class Sequence>
  void count(Sequence& values) {
    std::uint64_t size = 0;
    (*this)(size);
    check(size);
    values.resize(size);
  }
  void raw(void* data, std::size_t size) {
    check(size);
    if (size > 0) {
      std::memcpy(data, bytes_.data() + next_, size);
    }
    next_ += size;
  }
  /// Each value takes at least a byte.
  void check(std::uint64_t size) const {
    if (size > bytes_.size() - next_) {
      throw InternalError("a message between ranks is too short");
    }
  }

  const std::vector<char>& bytes_;
  std::size_t next_ = 0;
};

/// Defines fields() for a struct, of which all members are listed. It is found by
/// argument-dependent lookup of the archive's namespace.
#define STARHIST_FIELDS(Struct, ...)                  \
  template <class Archive>                            \
  void fields(Archive& archive, Struct& of_members) { \
    auto& [__VA_ARGS__] = of_members;                 \
    archive(__VA_ARGS__);                             \
  }

STARHIST_FIELDS(WorkerSummary, name, cuda, device, tasks, pairs, busy_seconds)

template <class Archive>
void fields(Archive& archive, Box& box) {
  std::array<Vec3, 3> edges = box.edges();
  std::array<bool, 3> periodic = box.periodic();
  Plane plane = box.plane();
  for (std::size_t k = 0; k < 3; ++k) {
    archive(edges[k].x, edges[k].y, edges[k].z, periodic[k]);
  }
  archive(plane);
  if constexpr (std::is_same_v<Archive, Unpacker>) {
    box = plane == Plane::none ? Box(edges, periodic) : Box::in_plane(edges, plane);
  }
}

STARHIST_FIELDS(CountedFrame, index, checksum)
STARHIST_FIELDS(BlockCounts, index, frames, first_frame, last_frame, counted, last_step,
                last_time, volume, inverse_volume, inscribed_radius, box,
                particle_number, empty_frames, counts, underflow, out_of_range, pairs,
                excluded, pairs_over_volume, second, pairs_over_space, half_period)
STARHIST_FIELDS(DisplacementCounts, frames, time, particles, squares, counts, underflow,
                out_of_range)
STARHIST_FIELDS(LaggedBlock, pairs, displacements)

/// A block as bytes, for UnitCounts::block.
template <class Block>
std::vector<char> packed_block(Block block) {
  Packer packer;
  packer(block);
  return std::move(packer.bytes);
}

/// Throws InternalError for invalid bytes.
template <class Block>
Block unpacked_block(const std::vector<char>& bytes) {
  Unpacker unpacker(bytes);
  Block block;
  unpacker(block);
  return block;
}

}  // namespace starhist::driver
