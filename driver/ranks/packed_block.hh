#pragma once

#include <vector>

#include "codelets/core/counting/lag_layout.hh"
#include "driver/ranks/packing.hh"

namespace starhist::driver {

template <class Archive>
void fields(Archive& archive, CountedFrame& frame) {
  auto& [index, checksum] = frame;
  archive(index, checksum);
}

template <class Archive>
void fields(Archive& archive, BlockCounts& block) {
  auto& [index, frames, first_frame, last_frame, counted, last_step, last_time, volume,
         inverse_volume, inscribed_radius, box, particle_number, empty_frames, counts,
         underflow, out_of_range, pairs, excluded, pairs_over_volume, second,
         pairs_over_space, half_period] = block;
  archive(index, frames, first_frame, last_frame, counted, last_step, last_time, volume,
          inverse_volume, inscribed_radius, box, particle_number, empty_frames, counts,
          underflow, out_of_range, pairs, excluded, pairs_over_volume, second,
          pairs_over_space, half_period);
}

template <class Archive>
void fields(Archive& archive, DisplacementCounts& displacements) {
  auto& [frames, time, particles, squares, counts, underflow, out_of_range] =
      displacements;
  archive(frames, time, particles, squares, counts, underflow, out_of_range);
}

template <class Archive>
void fields(Archive& archive, LaggedBlock& block) {
  auto& [pairs, displacements] = block;
  archive(pairs, displacements);
}

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
