#pragma once

#include <string>
#include <vector>

namespace starhist::io {

/// Treatment of an HDF5 file that refers to data in other files.
enum class ExternalFiles {
  refused,   ///< throw InputError
  followed,  ///< read them
};

/// Another file to which an HDF5 file refers for data.
struct ExternalFile {
  std::string kind;   ///< "external link", "virtual dataset", "external storage"
  std::string place;  ///< path of the link or dataset in the HDF5 file
  std::string file;   ///< name of the other file, as stored in the HDF5 file
  /// Path under which HDF5 opens the other file; "" if it does not open one.
  std::string path;

  friend bool operator==(const ExternalFile&, const ExternalFile&) = default;
};

/// In the order of discovery, without duplicates of kind, name and path.
using ExternalFileList = std::vector<ExternalFile>;

}  // namespace starhist::io
