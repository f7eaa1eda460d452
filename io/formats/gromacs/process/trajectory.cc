#include "io/formats/gromacs/process/trajectory.hh"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace starhist::io::gromacs {

using namespace gmx;  // namespace of the same functions in later versions of libgromacs

static_assert(std::is_same_v<real, float>,
              "starhist-gromacs needs libgromacs in mixed precision, not libgromacs_d");

Trajectory::Trajectory(const std::string& path) : path_(path) {
  output_env_init_default(&environment_);
  clear_trxframe(&frame_, true);
}

Trajectory::~Trajectory() {
  done_frame(&frame_);
  if (status_ != nullptr) {
    close_trx(status_);
  }
  output_env_done(environment_);
}

bool Trajectory::next() {
  const bool read =
      status_ == nullptr
          ? read_first_frame(environment_, &status_, path_.c_str(), &frame_, TRX_NEED_X)
          : read_next_frame(environment_, status_, &frame_);
  return read && frame_.not_ok == 0 && frame_.bX && frame_.natoms > 0;
}

decoder::FrameHead Trajectory::head() const {
  decoder::FrameHead head;
  head.atoms = static_cast<std::uint64_t>(frame_.natoms);
  head.step = frame_.bStep ? frame_.step : 0;
  // libgromacs does not set bTime for a TNG frame at time 0.
  const bool has_time = frame_.bTime || path_.ends_with(".tng");
  head.time = has_time ? frame_.time : std::numeric_limits<double>::quiet_NaN();
  head.periodic = frame_.bBox ? decoder::all_axes : 0;
  if (frame_.bBox) {
    std::copy_n(&frame_.box[0][0], 9, head.box);
  }
  return head;
}

}  // namespace starhist::io::gromacs
