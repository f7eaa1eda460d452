#pragma once

#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::testing {

/// A trajectory read from its first frame to its last.
struct WholeTrajectory {
  io::TrajectoryInfo info;
  std::vector<Frame> frames;
};

inline WholeTrajectory read_all(const std::vector<std::string>& paths,
                                const io::ReadOptions& options = {}) {
  const auto reader = io::open_trajectory(paths, options);
  WholeTrajectory whole{reader->info(), {}};
  for (std::uint64_t index = 0; index < whole.info.frame_count; ++index) {
    whole.frames.emplace_back();
    reader->read(FrameIndex(index), whole.frames.back());
  }
  return whole;
}

/// Message of the InputError when reading a file to its end; "" if there is none.
inline std::string read_error(const std::string& path,
                              const io::ReadOptions& options = {}) {
  try {
    read_all({path}, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace starhist::testing
