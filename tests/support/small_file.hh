#pragma once

#include <string>
#include <vector>

#include "tests/support/h5md_file.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist::testing {

/// A small H5MD file in a separate folder, to be edited by a test.
struct SmallFile {
  testing::TemporaryDirectory folder;
  std::string path = folder.file("small.h5");
  std::string position = "particles/all/position";
  SmallTrajectory trajectory;

  explicit SmallFile(std::uint64_t frames = 3) : trajectory(small_trajectory(frames)) {
    write_h5md(path, trajectory);
  }
  HdfFile edit() const { return HdfFile(path, HdfFile::Mode::edit); }
};

/// The frames one after the other, in the layout of a dataset.
inline std::vector<double> flat(const std::vector<std::vector<double>>& frames) {
  std::vector<double> all;
  for (const auto& frame : frames) {
    all.insert(all.end(), frame.begin(), frame.end());
  }
  return all;
}

}  // namespace starhist::testing
