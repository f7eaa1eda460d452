#pragma once

#include <functional>

#include "io/hdf5/hdf5_object.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Reads and checks the blocks of `result`, whose layout and state are set, from its
/// histogram group and passes them to `sink` one by one. In a partial result, the first
/// block with an error and all later ones are skipped and counted in lost_blocks. In a
/// complete result, an error throws InputError with file, block and pair.
void read_blocks(hid_t group, ResultFile& result,
                 const std::function<void(BlockCounts&&)>& sink);

}  // namespace starhist::io
