#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace starhist::io {

/// Returns the chunks, in order, of a row of a dataset of
/// create_hdf5_rows<std::uint64_t>() with Hdf5Storage::compressed and two further
/// dimensions: `lines` have equal lengths and fill the row. The chunks have the bytes
/// that HDF5 would write, but are compressed without HDF5, whose lock other threads
/// need for reading: compression takes four fifths of the time of a row of 60 000
/// counts.
std::vector<std::string> compressed_chunks(
    const std::vector<std::vector<std::uint64_t>>& lines);

}  // namespace starhist::io
