#pragma once

#include <string>
#include <vector>

#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// How a command uses a path.
enum class PathUse {
  none,     ///< not a path
  read,     ///< a file, or a folder with files, that is read
  written,  ///< a file that is written aside and renamed when it is complete
  grown     ///< an OutputPath, with the files that a run keeps next to it
};

/// A path of a command line or a parameter file.
struct UsedPath {
  std::string path;
  PathUse use;
  /// What names it: "--index", or "" for a file that is read and that no option names.
  std::string source;
};

/// Throws InputError if a path that is written, or a file that a run keeps next to it,
/// is a file that is read, lies in a folder that is read, or is another path that is
/// written. Compares files by device and inode, so that links and the case of letters
/// do not matter, and names that do not exist yet by folder and name. Devices and pipes
/// conflict with nothing. Opens no file.
void check_path_conflicts(const std::vector<UsedPath>& paths);

/// Paths of the external files of HDF5 files, which are read.
std::vector<UsedPath> external_paths(const ExternalFileList& files);

}  // namespace starhist::io
