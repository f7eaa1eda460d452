#pragma once

#include <string>

#include <gromacs/fileio/oenv.h>
#include <gromacs/fileio/trxio.h>
#include <gromacs/trajectory/trajectoryframe.h>

#include "io/decoder/protocol.hh"

namespace starhist::io::gromacs {

/// Frames of one file, as far as they have positions, one after the other.
class Trajectory {
 public:
  explicit Trajectory(const std::string& path);
  ~Trajectory();
  Trajectory(const Trajectory&) = delete;
  Trajectory& operator=(const Trajectory&) = delete;

  /// False at the end, or where a frame is not whole.
  bool next();
  decoder::FrameHead head() const;
  const float* positions() const { return &frame_.x[0][0]; }

 private:
  std::string path_;
  gmx_output_env_t* environment_ = nullptr;
  t_trxstatus* status_ = nullptr;
  t_trxframe frame_;
};

}  // namespace starhist::io::gromacs
