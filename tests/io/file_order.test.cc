// Frame::order from every reader: positions of particles in the file.
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Rows = std::vector<std::uint32_t>;
using Ids = std::vector<std::int64_t>;

io::ReadOptions told(const std::string& rules = "") {
  io::ReadOptions options;
  options.tell_order = true;
  if (!rules.empty()) {
    options.species = io::parse_species_groups(rules);
  }
  return options;
}

/// Reads the frames from last to first, each into the same memory.
std::vector<std::vector<FileOrder>> orders(const std::vector<std::string>& paths,
                                           const io::ReadOptions& options) {
  const auto reader = io::open_trajectory(paths, options);
  std::vector<std::vector<FileOrder>> all(reader->info().frame_count);
  Frame frame;
  for (std::size_t index = all.size(); index > 0; --index) {
    reader->read(FrameIndex(index - 1), frame);
    all[index - 1] = frame.order;
  }
  return all;
}

TEST_CASE("file order in text: by species, by groups, by rules, over several files") {
  const TextTrajectory a("4\n\nO 0 0 0\nH 0 0 1\nC 0 0 2\nO 0 0 3\n");
  const TextTrajectory b("4\n\nH 0 0 4\nS 0 0 5\nS 0 0 7\nS 0 0 8\n1\n\nS 0 0 6\n");
  // C, H, O, S
  const auto all = orders({a.path, b.path}, told());
  CHECK(all[0] == std::vector<FileOrder>{{{2}, {}}, {{1}, {}}, {{0, 3}, {}}, {}});
  CHECK(all[1] == std::vector<FileOrder>{{}, {{0}, {}}, {}, {{1, 2, 3}, {}}});
  CHECK(all[2] == std::vector<FileOrder>{{}, {}, {}, {{0}, {}}});
  // Positions of a group are stored one species after the other.
  const auto groups = orders({a.path}, told("X=O H; Y=C"));
  CHECK(groups[0] == std::vector<FileOrder>{{{0, 3, 1}, {}}, {{2}, {}}});
  const auto rules = orders({a.path}, told("X=name O H; Y=index 4"));
  CHECK(rules[0] == std::vector<FileOrder>{{{0, 1, 3}, {}}, {{3}, {}}});
  CHECK(orders({a.path}, {})[0].empty());
}

TEST_CASE("file order in a dump with ids: in text order and sorted by id") {
  const std::string head =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 9\n"
      "0 9\n0 9\nITEM: ATOMS id mol element x y z\n";
  const TextTrajectory file(head + "7 1 O 1 1 1\n2 1 H 2 2 2\n5 2 O 3 3 3\n" + head +
                            "5 2 O 3 3 4\n7 1 O 1 1 2\n2 1 H 2 2 3\n");
  const auto plain = orders({file.path}, told());
  CHECK(plain[0] == std::vector<FileOrder>{{{1}, {2}}, {{0, 2}, {7, 5}}});
  CHECK(plain[1] == std::vector<FileOrder>{{{2}, {2}}, {{0, 1}, {5, 7}}});
  const auto rules = orders({file.path}, told("O=element O"));
  CHECK(rules[0] == std::vector<FileOrder>{{{2, 0}, {5, 7}}});
  CHECK(rules[1] == std::vector<FileOrder>{{{0, 1}, {5, 7}}});
  // Centres are not in the file: they follow its particles.
  const auto centres = orders({file.path}, told("M=mol_cog of all; O=element O"));
  CHECK(centres[0] == std::vector<FileOrder>{{{3, 4}, {}}, {{2, 0}, {5, 7}}});
}

TEST_CASE("file order in H5MD: rows and ids, without absent particles") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  write_h5md(path, small_trajectory(2));  // O H H O H
  const auto plain = orders({path}, told());
  CHECK(plain[0] == std::vector<FileOrder>{{{1, 2, 4}, {}}, {{0, 3}, {}}});
  {
    HdfFile file(path, HdfFile::Mode::edit);
    file.numbers("particles/all/id/value", {2, 5}, {5, 4, -1, 2, 1, 1, 2, 4, 5, -1},
                 {NumberType::i32, {1, 5}, -1.0});
    file.numbers("particles/all/id/step", {2}, {0, 10}, {NumberType::i64});
  }
  const auto ids = orders({path}, told());
  CHECK(ids[0] == std::vector<FileOrder>{{{1, 4}, {4, 1}}, {{0, 3}, {5, 2}}});
  CHECK(ids[1] == std::vector<FileOrder>{{{1, 2}, {2, 4}}, {{0, 3}, {1, 5}}});
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("particles/all/species", {5}, {1, 1, 1, 1, 1}, {NumberType::i32});
  const auto rules = orders({path}, told("A=id 1 4 5"));
  CHECK(rules[0] == std::vector<FileOrder>{{{3, 1, 0}, {1, 4, 5}}});
  CHECK(rules[1] == std::vector<FileOrder>{{{0, 2, 3}, {1, 4, 5}}});
}

TEST_CASE("file order in CADISHI files: one species after the other") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  {
    HdfFile file(path);
    file.numbers("1/coordinates/O", {1, 3}, {1, 2, 3});
    file.numbers("1/coordinates/H", {2, 3}, {4, 5, 6, 7, 8, 9});
    file.numbers("2/coordinates/O", {2, 3}, {1, 2, 4, 4, 5, 7});
  }
  const auto all = orders({path}, told());
  CHECK(all[0] == std::vector<FileOrder>{{{0, 1}, {}}, {{2}, {}}});
  CHECK(all[1] == std::vector<FileOrder>{{}, {{0, 1}, {}}});
  HdfFile(path, HdfFile::Mode::edit).remove("2");
  CHECK(orders({path}, told("A=index 2 3"))[0] == std::vector<FileOrder>{{{1, 2}, {}}});
}

}  // namespace
}  // namespace starhist::testing
