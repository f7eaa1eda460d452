#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// How raw data are read.
enum class Hdf5Reading {
  at_once,
  deferred,  ///< for Hdf5Rows: by several threads at a time (deferring_driver.hh)
};

/// Opens an HDF5 file for reading, with the LZF filter at hand. Throws InputError when
/// it is missing, a directory, not readable, empty, truncated or no HDF5 file; the
/// message says what it looks like instead, such as "a NetCDF file".
Hdf5Object open_hdf5_file(const std::string& path,
                          Hdf5Reading reading = Hdf5Reading::at_once);

/// The same; empty where the file is no HDF5 file.
Hdf5Object try_open_hdf5_file(const std::string& path,
                              Hdf5Reading reading = Hdf5Reading::at_once);

}  // namespace starhist::io
