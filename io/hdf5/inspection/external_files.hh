#pragma once

#include <string>
#include <vector>

namespace starhist::io {

/// What happens with an HDF5 file whose data lie in other files, which the file names.
enum class ExternalFiles {
  refused,   ///< InputError
  followed,  ///< they are read
};

/// Another file that an HDF5 file names as the place of its data.
struct ExternalFile {
  std::string kind;   ///< "external link", "virtual dataset", "external storage"
  std::string place;  ///< path of the link or dataset in the HDF5 file
  std::string file;   ///< name of the other file, as it stands in the HDF5 file
  /// Path under which HDF5 opens the other file; "" if it opens none.
  std::string path;

  friend bool operator==(const ExternalFile&, const ExternalFile&) = default;
};

/// In the order of discovery, without repetition of kind, name and path.
using ExternalFileList = std::vector<ExternalFile>;

}  // namespace starhist::io
