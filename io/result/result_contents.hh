#pragma once

#include <functional>
#include <string>

#include "io/hdf5/hdf5_object.hh"
#include "io/result/result_layout.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

// Parts of the readers of all kinds of results.

/// Opens a result whose last flush is complete. Throws InputError.
Hdf5Object open_result(const std::string& path, ExternalFiles external);

/// Whether the file has the groups of this kind of result.
bool has_groups_of(hid_t file, const result_layout::KindOfResult& kind);

/// Reads everything that all kinds of results have, and passes the blocks to `sink`.
/// Throws InputError like read_result(), and exceptions of `sink`.
ResultFile read_result_of(hid_t file, const result_layout::KindOfResult& kind,
                          const std::string& path, ExternalFiles external,
                          const std::function<void(BlockCounts&&)>& sink);

}  // namespace starhist::io
