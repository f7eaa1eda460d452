#include "io/output/checkpoint_file.hh"

#include <filesystem>
#include <fstream>

#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/random.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"

// Checkpoints are read back bit for bit; a torn or changed file yields the previous
// checkpoint, never a wrong one.

namespace starhist {
namespace {

using io::Checkpoint;
using io::CheckpointFile;
using testing::Random;

/// Blocks that list their frames.
std::vector<BlockCounts> sample_blocks(const HistogramLayout& layout) {
  std::vector<BlockCounts> blocks = testing::sample_blocks(layout, 4);
  for (BlockCounts& block : blocks) {
    for (std::uint64_t k = 0; k < block.frames; ++k) {
      const std::uint64_t frame = block.first_frame.get() + k;
      block.counted.push_back({FrameIndex(frame), 1000 + 7 * frame});
    }
  }
  return blocks;
}

struct Sample {
  HistogramLayout layout = testing::sample_layout();
  std::vector<BlockCounts> blocks = sample_blocks(layout);
  testing::TemporaryDirectory folder;
  std::string path = folder.file("out.h5");
  std::string file = path + ".checkpoint";
  std::string id = "0123456789abcdef";

  CheckpointFile open() const { return {path, layout, id}; }
};

/// Returns "" if the two blocks are equal bit for bit.
std::string difference_of(const std::optional<Checkpoint>& read,
                          const BlockCounts& expected) {
  if (!read) {
    return "there is none";
  }
  const BlockCounts& block = read->block;
  const bool same =
      block.index == expected.index && block.frames == expected.frames &&
      block.first_frame == expected.first_frame &&
      block.last_frame == expected.last_frame && block.counted == expected.counted &&
      block.last_step == expected.last_step && block.last_time == expected.last_time &&
      block.volume == expected.volume &&
      block.inverse_volume == expected.inverse_volume &&
      block.inscribed_radius == expected.inscribed_radius &&
      block.box == expected.box && block.particle_number == expected.particle_number &&
      block.counts == expected.counts && block.underflow == expected.underflow &&
      block.out_of_range == expected.out_of_range && block.pairs == expected.pairs &&
      block.excluded == expected.excluded &&
      block.pairs_over_volume == expected.pairs_over_volume;
  return same ? "" : "it is another block";
}

TEST_CASE("checkpoints contain the growing list of frames") {
  const Sample sample;
  CheckpointFile file = sample.open();
  BlockCounts block = sample.blocks[0];
  block.counted.clear();
  for (std::uint32_t k = 1; k < 400; ++k) {
    block.counted.push_back({FrameIndex(3 * k), 77 + k});
    block.frames = k;
    if (k % 100 != 0) {
      continue;
    }
    file.write(block, 3 * k, 0);
    const auto read = sample.open().read();
    REQUIRE(read);
    CHECK(read->block.counted == block.counted);
  }
  std::string bytes = testing::read_bytes(sample.file);
  bytes.pop_back();  // within the list of the newest checkpoint
  testing::write_bytes(sample.file, bytes);
  const auto before = sample.open().read();
  REQUIRE(before);
  CHECK(before->block.counted.size() == 200);
}

TEST_CASE("the newest checkpoint is read back bit for bit") {
  const Sample sample;
  CheckpointFile file = sample.open();
  CHECK_FALSE(file.read());
  for (std::size_t k = 0; k < sample.blocks.size(); ++k) {
    file.write(sample.blocks[k], 100 + k, k);
    const auto read = sample.open().read();
    CHECK(difference_of(read, sample.blocks[k]) == "");
    CHECK(read->next_number == 100 + k);
    CHECK(read->blocks_before == k);
  }
  // Another run continues to alternate between the slots.
  CheckpointFile again = sample.open();
  CHECK(again.read());
  again.write(sample.blocks[0], 7, 1);
  CHECK(difference_of(sample.open().read(), sample.blocks[0]) == "");
  file.remove();
  CHECK_FALSE(sample.open().read());
  CHECK_FALSE(std::filesystem::exists(sample.file));
}

TEST_CASE("the box of a block is restored") {
  Sample sample;
  BlockCounts block = sample.blocks[0];
  for (const Box& box :
       {testing::truncated_octahedron(), testing::cubic_box(1.7),
        Box::in_plane({Vec3{1, 0, 2}, {0, 3, 0}, {0, 1, 4}}, Plane::xz)}) {
    block.box = box;
    sample.open().write(block, 1, 0);
    const auto read = sample.open().read();
    REQUIRE(read);
    REQUIRE(read->block.box);
    CHECK(*read->block.box == box);
    sample.open().remove();
  }
}

TEST_CASE("a checkpoint of another layout or result is ignored") {
  Sample sample;
  sample.open().write(sample.blocks[0], 1, 0);
  sample.layout.bins =
      make_bins(sample.layout.bins.r_max, sample.layout.bins.count + 1);
  CHECK_FALSE(sample.open().read());
  sample.layout = testing::sample_layout();
  CHECK(sample.open().read());
  sample.id = "0123456789abcdee";
  CHECK_FALSE(sample.open().read());
}

TEST_CASE("a torn or changed file yields the previous checkpoint or nothing") {
  const Sample sample;
  // Two checkpoints of one block: its list of frames has grown in between.
  const BlockCounts& newer_block = sample.blocks[0];
  BlockCounts older_block = newer_block;
  older_block.frames = 6;
  older_block.counted.resize(6);
  CheckpointFile file = sample.open();
  file.write(older_block, 10, 0);
  file.write(newer_block, 11, 0);
  const std::string whole = testing::read_bytes(sample.file);
  Random random(5);
  int before = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string bytes = whole;
    const std::size_t from = random.below(bytes.size());
    if (random.chance(0.3)) {
      bytes.resize(from);
    } else {
      const std::size_t count = 1 + random.below(200);
      for (std::size_t k = from; k < std::min(bytes.size(), from + count); ++k) {
        bytes[k] = static_cast<char>(random.below(256));
      }
    }
    std::ofstream(sample.file, std::ios::binary) << bytes;
    const auto read = sample.open().read();
    const bool newest = difference_of(read, newer_block) == "";
    const bool older = difference_of(read, older_block) == "";
    CHECK((!read || newest || older));
    before += older ? 1 : 0;
  }
  CHECK(before > 20);
}

}  // namespace
}  // namespace starhist
