#pragma once

#include <functional>

#include "io/hdf5/hdf5_object.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Reads and checks the blocks of `result`, whose layout and state are set, from its
/// histogram group and passes them to `sink` one by one. Throws InputError with file,
/// block and pair.
void read_blocks(hid_t group, const ResultFile& result,
                 const std::function<void(BlockCounts&&)>& sink);

}  // namespace starhist::io
