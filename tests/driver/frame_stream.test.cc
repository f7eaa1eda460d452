#include "driver/run/frames/frame_stream.hh"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <thread>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using testing::error_text;
using Indices = std::vector<std::uint64_t>;

/// Frames of one particle whose x is the frame's index.
class FakeReader : public io::TrajectoryReader {
 public:
  explicit FakeReader(std::uint64_t frames, std::size_t particles = 1)
      : particles_(particles) {
    info_.species = {"all"};
    info_.frame_count = frames;
  }

  const io::TrajectoryInfo& info() const override { return info_; }

  void read(FrameIndex index, Frame& frame) override {
    const At at(reading);
    ++reads;
    if (index.get() == bad_input) {
      throw InputError("frame " + std::to_string(index.get()) + " is bad");
    }
    if (index.get() == failure) {
      throw RunError("the disk is gone");
    }
    frame.index = index;
    frame.positions.resize(1);
    frame.positions[0].assign(index.get() < empty ? 0 : 3 * particles_,
                              double(index.get()));
    std::this_thread::sleep_for(index.get() == slow ? std::chrono::seconds(1) : pause);
  }

  std::chrono::microseconds pause{0};
  /// Number of currently active readers, and its maximum; may be shared.
  struct Reading {
    std::atomic<int> now = 0;
    std::atomic<int> most = 0;
  };
  std::shared_ptr<Reading> reading = std::make_shared<Reading>();

  std::uint64_t empty = 0;    ///< number of leading frames without particles
  std::uint64_t slow = 1000;  ///< the read takes a second
  std::uint64_t bad_input = 1000;
  std::uint64_t failure = 1000;
  std::atomic<int> reads = 0;

 private:
  /// Marks a reader as active during its lifetime.
  struct At {
    explicit At(const std::shared_ptr<Reading>& shared) : reading(*shared) {
      const int now = ++reading.now;
      for (int most = reading.most; most < now;) {
        reading.most.compare_exchange_weak(most, now);
      }
    }
    ~At() { --reading.now; }
    Reading& reading;
  };

  std::size_t particles_;
  io::TrajectoryInfo info_;
};

Indices read_to_end(driver::FrameStream& stream) {
  Indices indices;
  while (const std::optional<Frame> frame = stream.next()) {
    CHECK(frame->positions[0][0] == double(frame->index.get()));
    indices.push_back(frame->index.get());
  }
  return indices;
}

Indices selected(std::uint64_t frames, const driver::FrameSelection& selection) {
  FakeReader reader(frames);
  driver::FrameStream stream(reader, selection, driver::BadFrames::fail);
  return read_to_end(stream);
}

TEST_CASE("a growing stream returns the appended frames in order") {
  FakeReader reader(100);
  driver::FrameSelection every_other;
  every_other.step = 2;
  driver::FrameStream stream(reader, every_other, driver::BadFrames::fail, {},
                             driver::FrameStream::Growing());
  CHECK_FALSE(stream.is_ready_within(std::chrono::milliseconds(1)));
  stream.append(3, 6);
  CHECK(stream.next()->index.get() == 6);
  CHECK(stream.next()->index.get() == 8);
  stream.append(20, 21);
  stream.append(0, 2);
  CHECK(stream.next()->index.get() == 10);
  CHECK(stream.next()->index.get() == 40);
  CHECK(stream.next()->index.get() == 0);
  stream.close();
  CHECK(read_to_end(stream) == Indices{2});
}

TEST_CASE("a stream can continue after an unusable frame") {
  FakeReader reader(10);
  reader.bad_input = 4;
  driver::FrameStream stream(reader, {}, driver::BadFrames::fail, {},
                             driver::FrameStream::Growing());
  stream.append(3, 6);
  stream.close();
  CHECK(stream.next()->index.get() == 3);
  CHECK(error_text<InputError>([&] { stream.next(); }) == "frame 4 is bad");
  stream.leave_out();
  CHECK(read_to_end(stream) == Indices{5});
}

TEST_CASE("frames come in order, first to last by step") {
  CHECK(selected(4, {}) == Indices{0, 1, 2, 3});
  CHECK(selected(10, {2, std::nullopt, 3}) == Indices{2, 5, 8});
  CHECK(selected(10, {2, 5, 3}) == Indices{2, 5});
  CHECK(selected(10, {2, 100, 7}) == Indices{2, 9});
  CHECK(selected(10, {9, 9, 1}) == Indices{9});
  constexpr std::uint64_t largest = 18446744073709551615U;
  CHECK(selected(10, {5, largest, largest}) == Indices{5});
}

TEST_CASE("the first frame can be looked at without being taken") {
  const auto first_index = [](FakeReader& reader, std::chrono::milliseconds time) {
    driver::FrameStream stream(reader, {}, driver::BadFrames::fail);
    std::optional<std::uint64_t> index;
    const bool found = stream.look_at_first(
        time, [&](const Frame& frame) { index = frame.index.get(); });
    CHECK(found == index.has_value());
    if (reader.bad_input != 0) {
      CHECK(read_to_end(stream) == Indices{0, 1, 2});
    }
    return index;
  };
  FakeReader reader(3);
  CHECK(first_index(reader, std::chrono::minutes(1)) == 0);
  FakeReader late(3);
  late.slow = 0;
  CHECK(first_index(late, std::chrono::milliseconds(1)) == std::nullopt);
  FakeReader bad(3);
  bad.bad_input = 0;
  CHECK(first_index(bad, std::chrono::minutes(1)) == std::nullopt);
}

TEST_CASE("a bad frame ends the stream after the good ones before it") {
  FakeReader reader(6);
  reader.bad_input = 3;
  driver::FrameStream stream(reader, {}, driver::BadFrames::fail);
  for (std::uint64_t index : {0U, 1U, 2U}) {
    CHECK(stream.next()->index.get() == index);
  }
  CHECK(error_text<InputError>([&] { stream.next(); }) == "frame 3 is bad");
}

TEST_CASE("an unusable frame can be left out, and is recorded") {
  FakeReader reader(6);
  reader.bad_input = 3;
  driver::FrameStream stream(reader, {}, driver::BadFrames::skip);
  CHECK(read_to_end(stream) == Indices{0, 1, 2, 4, 5});
  CHECK(stream.skipped() == std::vector<std::string>{"frame 3 is bad"});
}

TEST_CASE("a machine failure is not left out") {
  FakeReader reader(6);
  reader.failure = 1;
  driver::FrameStream stream(reader, {}, driver::BadFrames::skip);
  CHECK(stream.next()->index.get() == 0);
  CHECK(error_text<RunError>([&] { stream.next(); }) == "the disk is gone");
}

TEST_CASE("only a few large frames are read ahead") {
  FakeReader reader(1000, 200'000);  // 4.8 MB each
  driver::FrameStream stream(reader, {}, driver::BadFrames::fail);
  stream.next();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(reader.reads <= 4);  // one returned, two waiting, one that does not fit yet
}

TEST_CASE("large frames after many empty ones are read one at a time") {
  FakeReader reader(1000, 200'000);
  reader.empty = 400;
  driver::FrameStream stream(reader, {}, driver::BadFrames::fail);
  for (int frame = 0; frame < 400; ++frame) {
    CHECK(stream.next()->positions[0].empty());
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(reader.reads <= 400 + 4);
}

/// Settings for several such readers; `reads` counts their frames.
driver::ReadAhead several(unsigned readers, std::size_t particles,
                          std::atomic<int>& opened, std::uint64_t bad_input = 1000) {
  driver::ReadAhead ahead;
  ahead.most_readers = readers;
  ahead.open_another = [&opened, particles, bad_input] {
    ++opened;
    auto reader = std::make_unique<FakeReader>(900, particles);
    reader->bad_input = bad_input;
    reader->pause = std::chrono::microseconds(200);
    return reader;
  };
  return ahead;
}

TEST_CASE("several readers: the frames come in order, each once") {
  std::atomic<int> opened = 0;
  FakeReader first(900, 7000);
  first.bad_input = 777;
  first.pause = std::chrono::microseconds(200);
  driver::FrameStream stream(first, {}, driver::BadFrames::skip,
                             several(3, 7000, opened, 777));
  const Indices indices = read_to_end(stream);
  REQUIRE(indices.size() == 899);
  CHECK(std::is_sorted(indices.begin(), indices.end()));
  CHECK(std::adjacent_find(indices.begin(), indices.end()) == indices.end());
  CHECK(indices[777] == 778);
  CHECK(stream.skipped() == std::vector<std::string>{"frame 777 is bad"});
  CHECK(opened == 2);
  CHECK(first.reads < 900);
}

TEST_CASE("readers double, and are opened one by one") {
  std::atomic<int> opened = 0;
  std::atomic<int> inside = 0;
  std::atomic<int> most_inside = 0;
  FakeReader first(900, 7000);
  first.pause = std::chrono::microseconds(200);
  driver::ReadAhead ahead = several(8, 7000, opened);
  const auto open = ahead.open_another;
  ahead.open_another = [&] {
    most_inside = std::max<int>(most_inside, ++inside);
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    auto reader = open();
    --inside;
    return reader;
  };
  driver::FrameStream stream(first, {}, driver::BadFrames::skip, ahead);
  CHECK(read_to_end(stream).size() == 900);
  CHECK(opened == 7);
  CHECK(most_inside == 1);
}

TEST_CASE("further readers are not opened while frames arrive in time") {
  std::atomic<int> opened = 0;
  FakeReader first(40, 7000);
  driver::FrameStream stream(first, {}, driver::BadFrames::skip,
                             several(3, 7000, opened));
  while (stream.next()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(opened == 0);
}

TEST_CASE("all readers start at the first frame, as many as fit into memory") {
  constexpr std::size_t particles = 7000;
  constexpr std::uint64_t none_is_bad = 1000;
  for (const std::uint64_t bad : {none_is_bad, std::uint64_t{0}}) {
    for (const std::size_t fit : {std::size_t{2}, std::size_t{100}}) {
      std::atomic<int> opened = 0;
      FakeReader first(900, particles);
      first.bad_input = bad;
      driver::ReadAhead ahead = several(4, particles, opened, bad);
      ahead.all_at_once = true;
      ahead.most_bytes_of_readers =
          fit * (3 * sizeof(double) * particles + sizeof(Frame));
      driver::FrameStream stream(first, {}, driver::BadFrames::skip, ahead);
      stream.next();
      std::this_thread::sleep_for(std::chrono::milliseconds(200));  // no demand
      CHECK(opened == (fit == 2 ? 1 : 3));
    }
  }
}

TEST_CASE("the first frames are delivered before many have been read") {
  FakeReader reader(900);
  reader.slow = 3;
  driver::ReadAhead ahead;
  ahead.most_bytes = 1U << 24U;
  driver::FrameStream stream(reader, {}, driver::BadFrames::fail, ahead);
  for (std::uint64_t index : {0U, 1U, 2U}) {
    CHECK(stream.next()->index.get() == index);
  }
  CHECK(reader.reads <= 4);
}

TEST_CASE("readers are limited to the frames that fit into memory") {
  std::atomic<int> opened = 0;
  FakeReader first(200, 7000);
  first.pause = std::chrono::microseconds(200);
  driver::ReadAhead ahead = several(8, 7000, opened);
  ahead.most_bytes_of_readers = 3 * 24 * 7000 + 3 * sizeof(Frame);
  driver::FrameStream stream(first, {}, driver::BadFrames::skip, ahead);
  CHECK(read_to_end(stream).size() == 200);
  CHECK(opened == 2);
}

TEST_CASE("each of many readers has a batch to read") {
  constexpr std::size_t particles = 7000;
  FakeReader first(900, particles);
  first.pause = std::chrono::milliseconds(5);
  driver::ReadAhead ahead;
  ahead.most_readers = 24;
  ahead.all_at_once = true;
  ahead.most_bytes = 200 * 3 * sizeof(double) * particles;
  ahead.open_another = [&] {
    auto reader = std::make_unique<FakeReader>(900, particles);
    reader->pause = first.pause;
    reader->reading = first.reading;
    return reader;
  };
  driver::FrameStream stream(first, {}, driver::BadFrames::fail, ahead);
  for (int k = 0; k < 500; ++k) {
    stream.next();
  }
  first.reading->most = 0;  // batches have their full size now
  CHECK(read_to_end(stream).size() == 400);
  CHECK(first.reading->most >= 20);
}

TEST_CASE("readers that cannot be opened are not needed") {
  FakeReader first(200, 7000);
  first.pause = std::chrono::microseconds(200);
  driver::ReadAhead ahead;
  ahead.most_readers = 3;
  ahead.open_another = []() -> std::unique_ptr<io::TrajectoryReader> {
    throw InputError("the file is gone");
  };
  driver::FrameStream stream(first, {}, driver::BadFrames::fail, ahead);
  CHECK(read_to_end(stream).size() == 200);
  CHECK(first.reads == 200);
}

TEST_CASE("the memory of returned frames is reused") {
  FakeReader reader(500, 7000);
  driver::FrameStream stream(reader, {}, driver::BadFrames::fail);
  std::set<const double*> places;
  while (std::optional<Frame> frame = stream.next()) {
    CHECK(frame->positions[0].size() == 21'000);
    CHECK(frame->positions[0].back() == double(frame->index.get()));
    places.insert(frame->positions[0].data());
    stream.recycle(std::move(*frame));
  }
  CHECK(places.size() < 10);
}

TEST_CASE("a stream may be destroyed before its end") {
  FakeReader reader(1'000'000);
  {
    driver::FrameStream stream(reader, {}, driver::BadFrames::fail);
    stream.next();
  }
  CHECK(reader.reads < 1'000'000);
}

}  // namespace
}  // namespace starhist
