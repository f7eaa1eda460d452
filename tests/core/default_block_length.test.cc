#include "codelets/core/counting/default_block_length.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

std::uint64_t blocks_of(std::uint64_t frames, std::uint64_t length) {
  return (frames - 1) / length + 1;
}

TEST_CASE("the default is 16 to 24 blocks, of one frame each up to 30 frames") {
  for (std::uint64_t frames = 16; frames <= 5000; ++frames) {
    const std::uint64_t length = default_block_length(frames);
    INFO(frames << " frames, blocks of " << length);
    CHECK(blocks_of(frames, length) >= 16);
    CHECK((frames <= 30 ? length == 1 : blocks_of(frames, length) <= 24));
  }
  CHECK(default_block_length(15) == 15);
  CHECK(default_block_length(1) == 1);
}

TEST_CASE("the last default block is nearly as long as the others") {
  CHECK(default_block_length(51) == 3);  // 17 blocks
  CHECK(default_block_length(100) == 5);
  CHECK(default_block_length(151) == 9);    // the last has 7
  CHECK(default_block_length(1001) == 59);  // the last has 57
  CHECK(default_block_length(10000) == 625);
  for (std::uint64_t frames = 500; frames <= 5000; ++frames) {
    const std::uint64_t length = default_block_length(frames);
    CHECK(frames - (blocks_of(frames, length) - 1) * length > length / 2);
  }
}

TEST_CASE("up to 16 parts change no default block, more get a block each") {
  for (std::uint64_t parts = 1; parts <= 16; ++parts) {
    CHECK(default_block_length(1000, parts) == default_block_length(1000));
  }
  for (const std::uint64_t parts : {17U, 64U, 99U, 1000U}) {
    CHECK(blocks_of(1000, default_block_length(1000, parts)) >= parts);
  }
  CHECK(default_block_length(3, 3) == 1);
  CHECK(default_block_length(3, 64) == 1);
}

TEST_CASE("default blocks of very many frames fit their type") {
  CHECK(default_block_length(~0ULL) == 0xffffffffU);
}

}  // namespace
}  // namespace starhist
