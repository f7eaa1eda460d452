#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/test_location.hh"

namespace starhist::testing {

/// Counts of a species pair from the independent program of tests/data/README.md.
struct ReferencePair {
  std::size_t first = 0;  ///< species, in alphabetical order
  std::size_t second = 0;
  std::uint64_t total = 0;
  std::uint64_t out_of_range = 0;
  std::uint64_t near = 0;  ///< pairs whose bin depends on the last rounding
  std::vector<std::uint64_t> counts;
};

/// One file NAME.rR.bN.txt: counts of every fifth frame of NAME.h5.
struct ReferenceCounts {
  std::string trajectory;  ///< path of NAME.h5
  std::string r_max;       ///< R, as text for an option
  std::string bins;        ///< N
  std::uint64_t frames = 0;
  double volume = 0.0;          ///< sum of V in nm^3
  double inverse_volume = 0.0;  ///< sum of 1/V
  std::vector<ReferencePair> pairs;
};

inline ReferenceCounts read_reference_counts(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::size_t r = name.find(".r");
  const std::size_t b = name.find(".b");
  ReferenceCounts reference;
  reference.trajectory = (path.parent_path() / (name.substr(0, r) + ".h5")).string();
  reference.r_max = name.substr(r + 2, b - r - 2);
  reference.bins = name.substr(b + 2, name.size() - b - 6);

  std::ifstream file(path);
  std::string line;
  std::string word;
  std::getline(file, line);
  std::istringstream header(line);
  while (header >> word) {
    if (word == "frames") {
      header >> reference.frames;
    } else if (word == "sum_volume") {
      header >> reference.volume;
    } else if (word == "sum_inverse_volume") {
      header >> reference.inverse_volume;
    }
  }
  while (std::getline(file, line)) {
    std::istringstream numbers(line);
    ReferencePair pair;
    numbers >> word >> pair.first >> pair.second >> word >> pair.total >> word >>
        pair.out_of_range >> word >> pair.near >> word;
    for (std::uint64_t count = 0; numbers >> count;) {
      pair.counts.push_back(count);
    }
    reference.pairs.push_back(pair);
  }
  if (reference.pairs.empty() || reference.frames == 0) {
    throw std::runtime_error(path.string() + " holds no reference counts");
  }
  return reference;
}

/// All reference counts in tests/data.
inline std::vector<ReferenceCounts> all_reference_counts() {
  std::vector<ReferenceCounts> all;
  for (const auto& entry : std::filesystem::directory_iterator(data_file(""))) {
    if (entry.path().extension() == ".txt") {
      all.push_back(read_reference_counts(entry.path()));
    }
  }
  return all;
}

}  // namespace starhist::testing
