#pragma once

#include <cstdint>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes row `row` of a dataset of create_hdf5_rows<std::uint64_t>() with
/// Hdf5Storage::compressed and two further dimensions: `lines` have equal lengths and
/// fill the row. The chunks contain the same bytes that HDF5 would write, but are
/// compressed before HDF5 is called, whose lock other threads need for reading:
/// compression takes four fifths of the time of a row of 60 000 counts. Throws RunError
/// with file and path when the row cannot be written, InternalError when `lines` do not
/// fill it.
void write_compressed_hdf5_row(hid_t dataset, hsize_t row,
                               const std::vector<std::vector<std::uint64_t>>& lines);

}  // namespace starhist::io
