#include <fstream>

#include <zlib.h>

#include "tests/support/catch.hh"
#include "tests/support/read_all.hh"
#include "tests/support/small_file.hh"
#include "tests/support/xyz_text.hh"

// Trajectories for which TrajectoryInfo::sequential_only or
// TrajectoryInfo::decompresses is set.

namespace starhist {
namespace {

using testing::flat;
using testing::HdfFile;
using testing::NumberType;
using testing::SmallFile;
using testing::Storage;

bool decompresses(const std::vector<std::string>& paths) {
  return io::open_trajectory(paths, {})->info().decompresses;
}

bool sequential_only(const std::vector<std::string>& paths,
                     const io::ReadOptions& options = {}) {
  return io::open_trajectory(paths, options)->info().sequential_only;
}

TEST_CASE("H5MD: in order if frames are compressed together") {
  const SmallFile file(25);
  CHECK(!sequential_only({file.path}));
  CHECK(!decompresses({file.path}));
  const auto storage = [&](const Storage& how) {
    file.edit().numbers(file.position + "/value", {25, 5, 3},
                        flat(file.trajectory.positions), how);
  };
  storage({NumberType::f32, {1, 5, 3}, {}, true});
  CHECK(!sequential_only({file.path}));
  CHECK(decompresses({file.path}));
  const SmallFile plain(25);
  plain.edit().numbers(plain.position + "/value", {25, 5, 3},
                       flat(plain.trajectory.positions), {NumberType::f32, {1, 5, 3}});
  CHECK(decompresses({plain.path, file.path}));
  storage({NumberType::f32, {5, 5, 3}, {}, true});
  CHECK(sequential_only({file.path}));
}

TEST_CASE("H5MD: in order if particle properties are compressed together") {
  const SmallFile file(25);
  std::vector<double> ids;
  std::vector<double> steps;
  for (int k = 0; k < 25; ++k) {
    steps.push_back(10 * k);
    ids.insert(ids.end(), {1, 2, 3, 4, 5});
  }
  const auto write_ids = [&](const Storage& how) {
    HdfFile edit = file.edit();
    edit.numbers("particles/all/id/value", {25, 5}, ids, how);
    edit.numbers("particles/all/id/step", {25}, steps, {NumberType::i64});
  };
  write_ids({NumberType::i32, {1, 5}, -1.0, true});
  CHECK(!sequential_only({file.path}));
  write_ids({NumberType::i32, {5, 5}, -1.0, true});
  CHECK(sequential_only({file.path}));
  io::ReadOptions per_particle;
  per_particle.per_particle = true;
  CHECK(sequential_only({file.path}, per_particle));
}

TEST_CASE("text: in order if it is compressed") {
  const testing::TemporaryDirectory folder;
  const std::string text =
      testing::xyz_frame({{5, 0, 0}, {0, 5, 0}, {0, 0, 5}}, {{"O", {1, 2, 3}}});
  std::ofstream(folder.file("a.xyz")) << text;
  CHECK(!sequential_only({folder.file("a.xyz")}));
  const gzFile file = gzopen(folder.file("b.xyz.gz").c_str(), "wb");
  REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) > 0);
  gzclose(file);
  CHECK(sequential_only({folder.file("b.xyz.gz")}));
  CHECK(sequential_only({folder.file("a.xyz"), folder.file("b.xyz.gz")}));
  CHECK(sequential_only({folder.file("b.xyz.gz"), folder.file("a.xyz")}));
}

}  // namespace
}  // namespace starhist
