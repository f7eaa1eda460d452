#pragma once

#include <vector>

#include "codelets/core/counting/lag_layout.hh"
#include "driver/ranks/packing.hh"

namespace starhist::driver {

template <class Archive>
void fields(Archive& archive, CountedFrame& frame) {
  std::uint64_t index = frame.index.get();
  archive(index);
  frame.index = FrameIndex(index);
  archive(frame.checksum);
}

template <class Archive>
void fields(Archive& archive, BlockCounts& block) {
  std::uint64_t index = block.index.get();
  std::uint64_t first_frame = block.first_frame.get();
  std::uint64_t last_frame = block.last_frame.get();
  std::vector<Box> box(block.box ? 1 : 0, block.box.value_or(Box()));
  archive(index);
  archive(block.frames);
  archive(first_frame);
  archive(last_frame);
  archive(block.counted);
  archive(block.last_step);
  archive(block.last_time);
  archive(block.volume);
  archive(block.inverse_volume);
  archive(block.inscribed_radius);
  archive(box);
  archive(block.particle_number);
  archive(block.empty_frames);
  archive(block.counts);
  archive(block.underflow);
  archive(block.out_of_range);
  archive(block.pairs);
  archive(block.excluded);
  archive(block.pairs_over_volume);
  archive(block.second);
  block.index = BlockIndex(index);
  block.first_frame = FrameIndex(first_frame);
  block.last_frame = FrameIndex(last_frame);
  block.box = box.empty() ? std::nullopt : std::optional(box.front());
}

template <class Archive>
void fields(Archive& archive, DisplacementCounts& displacements) {
  archive(displacements.frames);
  archive(displacements.time);
  archive(displacements.particles);
  archive(displacements.squares);
  archive(displacements.counts);
  archive(displacements.underflow);
  archive(displacements.out_of_range);
}

template <class Archive>
void fields(Archive& archive, LaggedBlock& block) {
  archive(block.pairs);
  archive(block.displacements);
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
