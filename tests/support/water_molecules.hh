#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/h5md_file.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist::testing {

/// The water of tests/data, whose molecules are consecutive, with their membership.
class WaterMolecules {
 public:
  static constexpr std::uint64_t count = 884;

  WaterMolecules() : path_(folder_.file("water.h5")) {
    std::filesystem::copy_file(data_file("water.h5"), path_);
    HdfFile file(path_, HdfFile::Mode::edit);
    std::vector<double> molecule;
    for (std::uint64_t particle = 0; particle < 3 * count; ++particle) {
      molecule.push_back(1.0 + static_cast<double>(particle / 3));
    }
    Storage integers;
    integers.type = NumberType::i32;
    file.numbers("particles/all/molecule", {3 * count}, molecule, integers);
  }

  const std::string& path() const { return path_; }

 private:
  TemporaryDirectory folder_;
  std::string path_;
};

}  // namespace starhist::testing
