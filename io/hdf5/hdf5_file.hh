#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Method of reading raw data.
enum class Hdf5Reading {
  at_once,   ///< HDF5 reads them
  deferred,  ///< Hdf5Rows reads them, without HDF5's lock (deferring_driver.hh)
};

/// Opens an HDF5 file for reading, with the LZF filter available. Throws InputError
/// when the file is missing, a directory, not readable, empty, truncated or not HDF5;
/// the message describes its content, such as "a NetCDF file".
Hdf5Object open_hdf5_file(const std::string& path,
                          Hdf5Reading reading = Hdf5Reading::at_once);

/// Opens the existing, empty file `path` for writing, with the format of HDF5 1.8 and
/// without HDF5's lock, because writers hold the lock of the output. Throws RunError.
Hdf5Object create_hdf5_file(const std::string& path);

/// Like open_hdf5_file(); returns an empty object if the file is not HDF5.
Hdf5Object try_open_hdf5_file(const std::string& path,
                              Hdf5Reading reading = Hdf5Reading::at_once);

}  // namespace starhist::io
