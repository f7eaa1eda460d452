#include "codelets/core/counting/frame_checksum.hh"

#include <algorithm>
#include <set>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/sample_result.hh"

namespace starhist {
namespace {

Frame random_frame(std::size_t particles) {
  testing::Random random(particles);
  Frame frame;
  frame.step = 3;
  frame.time = 1.5;
  frame.positions.resize(2);
  for (auto& positions : frame.positions) {
    for (std::size_t k = 0; k < 3 * particles; ++k) {
      positions.push_back(random.uniform(-1, 1));
    }
  }
  return frame;
}

TEST_CASE("a frame's checksum depends on each coordinate, its sign, step and time") {
  const HistogramLayout layout = testing::sample_layout();
  for (const std::size_t particles : {1, 2, 3, 5, 8, 100}) {
    const Frame frame = random_frame(particles);
    std::set<std::uint64_t> checksums{frame_checksum(layout, frame)};
    std::size_t changes = 1;
    const auto add = [&](const Frame& changed) {
      checksums.insert(frame_checksum(layout, changed));
      ++changes;
    };
    Frame later = frame;
    later.time = 2.5;
    add(later);
    Frame next = frame;
    ++next.step;
    add(next);
    for (std::size_t s = 0; s < 2; ++s) {
      for (std::size_t k = 0; k < 3 * particles; ++k) {
        Frame moved = frame;
        moved.positions[s][k] += 1e-5;
        add(moved);
        Frame mirrored = frame;
        mirrored.positions[s][k] = -mirrored.positions[s][k];
        add(mirrored);
        mirrored.positions[0][k == 0 ? 1 : 0] *= -1;
        if (s == 1 || k > 1) {
          add(mirrored);
        }
      }
    }
    Frame swapped = frame;
    std::swap(swapped.positions[0], swapped.positions[1]);
    add(swapped);
    CHECK(checksums.size() == changes);
  }
}

TEST_CASE("a frame's checksum does not depend on the order of particles") {
  const HistogramLayout layout = testing::sample_layout();
  Frame frame = random_frame(7);
  const std::uint64_t before = frame_checksum(layout, frame);
  const std::uint64_t positions = positions_checksum(frame);
  std::vector<double>& first = frame.positions[0];
  std::rotate(first.begin(), first.begin() + 6, first.end());
  CHECK(frame_checksum(layout, frame) == before);
  CHECK(positions_checksum(frame) == positions);
  std::swap(first[0], first[3]);  // x of two particles
  CHECK(frame_checksum(layout, frame) != before);
  CHECK(positions_checksum(frame) != positions);
  std::swap(first[0], first[3]);
  first.insert(first.end(), 3, 0.0);
  const std::uint64_t zero = frame_checksum(layout, frame);
  CHECK(zero != before);
  first.back() = -0.0;
  CHECK(frame_checksum(layout, frame) == zero);
}

TEST_CASE("a part of a frame's checksum depends only on its positions") {
  const HistogramLayout layout = testing::sample_layout();
  Frame frame = random_frame(4);
  const std::uint64_t before = frame_checksum(layout, frame);
  frame.step += 5;
  frame.time += 1.0;
  const std::uint64_t later = frame_checksum(layout, frame);
  CHECK(later != before);
  CHECK(checksum_of_positions(later) == checksum_of_positions(before));
  frame.positions[1][2] += 1e-5;
  CHECK(checksum_of_positions(frame_checksum(layout, frame)) !=
        checksum_of_positions(later));
}

TEST_CASE("a frame's checksum ignores its box and species without a pair") {
  HistogramLayout layout = testing::sample_layout();
  Frame frame = random_frame(4);
  const std::uint64_t all = frame_checksum(layout, frame);
  frame.box = Box({Vec3{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}, {true, true, true});
  CHECK(frame_checksum(layout, frame) == all);
  layout.pairs = {{SpeciesId(0), SpeciesId(0)}};
  const std::uint64_t first = frame_checksum(layout, frame);
  CHECK(first != all);
  frame.positions[1].push_back(0.5);
  CHECK(frame_checksum(layout, frame) == first);
}

TEST_CASE("a frame's checksum records whether its step or time are known") {
  const HistogramLayout layout = testing::sample_layout();
  Frame frame = random_frame(4);
  CHECK(checksum_has_moment(frame_checksum(layout, frame)));
  frame.step = 0;
  CHECK(checksum_has_moment(frame_checksum(layout, frame)));
  for (const double time : {0.0, no_time}) {
    frame.time = time;
    CHECK_FALSE(checksum_has_moment(frame_checksum(layout, frame)));
  }
}

}  // namespace
}  // namespace starhist
