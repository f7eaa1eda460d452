#pragma once

#include <string>
#include <vector>

#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_text.hh"

namespace starhist::io {

/// Creates a dataset without rows, as create_hdf5_rows() does, whose values have
/// `unit`.
template <class Number>
void create_rows(hid_t group, const std::string& name,
                 const std::vector<hsize_t>& row_shape, const std::string& unit,
                 Hdf5Storage storage = Hdf5Storage::gathered) {
  const Hdf5Object dataset = create_hdf5_rows<Number>(group, name, row_shape, storage);
  write_hdf5_unit(dataset.get(), unit);
}

}  // namespace starhist::io
