#include "io/output/checkpoint.hh"

#include <filesystem>

#include "io/output/result_writer.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/random.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"

// Checkpoints are read back bit for bit; a torn or changed file is ignored.

namespace starhist {
namespace {

using io::Checkpoint;
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

  io::ResultWriter open() const { return {path, layout, {{io::result_id, id}}, false}; }
  std::optional<Checkpoint> read() const { return io::read_checkpoint(path, id); }
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

TEST_CASE("the newest checkpoint is read back bit for bit") {
  const Sample sample;
  CHECK_FALSE(sample.read());
  io::ResultWriter writer = sample.open();
  for (std::size_t k = 0; k < sample.blocks.size(); ++k) {
    writer.save_open_block(sample.blocks[k], 100 + k);
    const auto read = sample.read();
    CHECK(difference_of(read, sample.blocks[k]) == "");
    REQUIRE(read);
    CHECK(read->next_number == 100 + k);
    CHECK(read->blocks_before == k);
    writer.append(sample.blocks[k]);
  }
  writer.finish({});
  CHECK_FALSE(std::filesystem::exists(sample.file));
}

TEST_CASE("the box of a block is restored") {
  for (const Box& box :
       {testing::truncated_octahedron(), testing::cubic_box(1.7),
        Box::in_plane({Vec3{1, 0, 2}, {0, 3, 0}, {0, 1, 4}}, Plane::xz)}) {
    Sample sample;
    sample.layout.plane = box.plane();
    BlockCounts block = sample.blocks[0];
    block.box = box;
    sample.open().save_open_block(block, 1);
    const auto read = sample.read();
    REQUIRE(read);
    REQUIRE(read->block.box);
    CHECK(*read->block.box == box);
  }
}

TEST_CASE("a checkpoint of another result is ignored") {
  const Sample sample;
  sample.open().save_open_block(sample.blocks[0], 1);
  CHECK(sample.read());
  CHECK_FALSE(io::read_checkpoint(sample.path, "0123456789abcdee"));
}

TEST_CASE("a torn or changed checkpoint is ignored") {
  const Sample sample;
  sample.open().save_open_block(sample.blocks[0], 11);
  const std::string whole = testing::read_bytes(sample.file);
  Random random(5);
  for (int trial = 0; trial < 400; ++trial) {
    std::string bytes = whole;
    const std::size_t from = random.below(bytes.size());
    if (random.chance(0.3)) {
      bytes.resize(from);
    } else {
      bytes[from] = static_cast<char>(bytes[from] ^ (1 + random.below(255)));
    }
    testing::write_bytes(sample.file, bytes);
    CHECK_FALSE(sample.read());
  }
}

}  // namespace
}  // namespace starhist
