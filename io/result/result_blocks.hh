#pragma once

#include <functional>

#include "io/hdf5/hdf5_object.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Reads and checks the blocks of `result` from its histogram group, one after the
/// other, and hands them to `sink`; layout and state are known. A partial result ends
/// before the first block that is not whole: sets lost_blocks. Otherwise throws
/// InputError naming file, block and pair.
void read_blocks(hid_t group, ResultFile& result,
                 const std::function<void(BlockCounts&&)>& sink);

}  // namespace starhist::io
