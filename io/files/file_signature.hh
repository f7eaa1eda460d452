#pragma once

#include <string>

namespace starhist::io {

/// What the first bytes of a file say about it.
struct FileSignature {
  bool is_hdf5 = false;
  bool may_be_text = false;  ///< also where gzip has compressed it
  std::string description;  ///< "a GROMACS XTC trajectory", "text (\"ITEM: TIMESTEP\")"
  std::string gromacs;      ///< usual ending of a binary file of GROMACS: "xtc"; or ""
};

/// Throws InputError unless the file is there, can be opened and is not empty.
void check_is_file(const std::string& path);

/// For messages about files that cannot be read; never throws for their content.
FileSignature signature_of_file(const std::string& path);

}  // namespace starhist::io
