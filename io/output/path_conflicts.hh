#pragma once

#include <string>
#include <vector>

#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// How a command uses a path.
enum class PathUse {
  none,     ///< is not a path
  read,     ///< reads a file, or the files in a folder
  written,  ///< writes a temporary file and renames it when it is complete
  grown     ///< writes an OutputPath, with the files that a run keeps next to it
};

/// A path from a command line or a parameter file.
struct UsedPath {
  std::string path;
  PathUse use;
  /// Option that gave the path, such as "--index"; "" for an input file without an
  /// option.
  std::string source;
};

/// Throws InputError if an output path, or a file that a run keeps next to it, is an
/// input file, lies in an input folder, or is another output path. Existing files are
/// compared by device and inode, so that links and case do not matter; names that do
/// not exist yet, by folder and name. Devices and pipes never conflict. Opens no file.
void check_path_conflicts(const std::vector<UsedPath>& paths);

/// Returns the paths of external files of HDF5 files as paths that are read.
std::vector<UsedPath> external_paths(const ExternalFileList& files);

}  // namespace starhist::io
