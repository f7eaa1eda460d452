#pragma once

#include <string>

#include <gromacs/fileio/oenv.h>
#include <gromacs/fileio/trxio.h>
#include <gromacs/trajectory/trajectoryframe.h>

#include "io/decoder/protocol.hh"

namespace starhist::io::gromacs {

/// Reads those frames of one file that have positions, in order.
class Trajectory {
 public:
  explicit Trajectory(const std::string& path);
  ~Trajectory();
  Trajectory(const Trajectory&) = delete;
  Trajectory& operator=(const Trajectory&) = delete;

  /// Reads the next frame; false at the end, or if the frame is incomplete.
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
