// Text files are scanned once, however many readers there are, and again if they
// change.
#include "io/text/text_index_store.hh"

#include <filesystem>

#include "io/reader/trajectory_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist {
namespace {

using testing::TextTrajectory;

std::string xyz_frame(const std::string& x) {
  return "2\nstep\nO " + x + " 0 0\nH 1 0 0\n";
}

TEST_CASE("an index is made once per file, and again when the file has changed") {
  const TextTrajectory file("some text\n");
  io::TextIndexStore store;
  int made = 0;
  const auto get = [&] {
    return store.get(file.path, [&] {
      io::TextIndex index;
      index.damage = std::to_string(++made);
      return index;
    });
  };
  CHECK(get()->damage == "1");
  const auto kept = get();
  CHECK(kept->damage == "1");
  testing::write_bytes(file.path, "some other text\n");
  CHECK(get()->damage == "2");
  std::filesystem::last_write_time(
      file.path, std::filesystem::last_write_time(file.path) + std::chrono::seconds(5));
  CHECK(get()->damage == "3");
  CHECK(kept->damage == "1");  // holders of an index may keep it
  CHECK(io::known_index(nullptr, file.path, [] {
          return io::TextIndex();
        })->damage.empty());
}

TEST_CASE("readers with a shared index store read the same as separate readers") {
  const TextTrajectory first(xyz_frame("0.1") + xyz_frame("0.2"));
  const TextTrajectory second(xyz_frame("0.3") + xyz_frame("0.4"));
  io::ReadOptions options;
  options.text_indexes = std::make_shared<io::TextIndexStore>();
  const std::vector<std::string> paths{first.path, second.path};
  const auto one = io::open_trajectory(paths, options);
  const auto other = io::open_trajectory(paths, options);
  Frame frame;
  for (const std::uint64_t index : {3U, 0U, 2U, 1U}) {
    for (const auto& reader : {one.get(), other.get()}) {
      reader->read(FrameIndex(index), frame);
      CHECK(frame.positions[1][0] == Approx(0.1 * static_cast<double>(index + 1)));
    }
  }
}

TEST_CASE("a file replaced between readers is not read by its old index") {
  const TextTrajectory first(xyz_frame("0.1") + xyz_frame("0.2"));
  const TextTrajectory second(xyz_frame("0.3"));
  const auto reader = io::open_trajectory({first.path, second.path}, {});
  Frame frame;
  reader->read(FrameIndex(2), frame);
  testing::write_bytes(first.path, "1\n\nNa 7 0 0\n");
  CHECK(
      testing::missing(
          testing::error_text<InputError>([&] { reader->read(FrameIndex(0), frame); }),
          {first.path.c_str(), "has changed since it was opened"}) == "");
}

}  // namespace
}  // namespace starhist
