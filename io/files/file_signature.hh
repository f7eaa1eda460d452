#pragma once

#include <string>

namespace starhist::io {

/// Kind of a file according to its first bytes.
struct FileSignature {
  bool is_hdf5 = false;
  bool may_be_text = false;  ///< also if compressed by gzip
  std::string description;  ///< "a GROMACS XTC trajectory", "text (\"ITEM: TIMESTEP\")"
  std::string gromacs;  ///< extension of a binary GROMACS file: "xtc"; "": it is none
};

/// Throws InputError unless the file is there, can be opened and is not empty.
void check_is_file(const std::string& path);

/// The signature of a file, for messages about files that cannot be read. Does not
/// throw, whatever the content is.
FileSignature signature_of_file(const std::string& path);

}  // namespace starhist::io
