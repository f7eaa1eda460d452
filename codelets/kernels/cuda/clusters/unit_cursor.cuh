#pragma once

#include "codelets/kernels/cuda/kernel_args.hh"

namespace starhist::kernels::cuda {

/// The units of work of a launch: numbered through all parts, and in each through the
/// tiles of rows, before the next super tiles of columns follow.
class UnitCursor {
 public:
  __device__ explicit UnitCursor(const KernelArgs& args) : args_(args) {}

  /// To the unit of that number, false where there is none. Faster forwards.
  __device__ bool move_to(std::uint64_t unit) {
    if (unit >= args_.units) {
      return false;
    }
    if (unit < first_unit_) {
      first_unit_ = 0;
      part_index_ = 0;
    }
    while (unit >= first_unit_ + units()) {
      first_unit_ += units();
      ++part_index_;
    }
    const std::uint64_t within = unit - first_unit_;
    row_tile_ = part().first_row_tile() +
                static_cast<std::uint32_t>(within % part().row_tiles());
    first_super_ =
        static_cast<std::uint32_t>(within / part().row_tiles()) * args_.supers_per_unit;
    return true;
  }

  __device__ const KernelPart& part() const { return args_.part[part_index_]; }
  __device__ std::uint32_t row_tile() const { return row_tile_; }
  __device__ std::uint32_t first_super() const { return first_super_; }

 private:
  __device__ std::uint64_t units() const { return part().units(args_.supers_per_unit); }

  const KernelArgs& args_;
  std::uint32_t part_index_ = 0;
  std::uint64_t first_unit_ = 0;  ///< of the part
  std::uint32_t row_tile_ = 0;
  std::uint32_t first_super_ = 0;
};

}  // namespace starhist::kernels::cuda
