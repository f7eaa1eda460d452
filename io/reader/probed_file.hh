#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "io/files/file_signature.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// A file whose format is to be found, for TrajectoryFormat::probe.
class ProbedFile {
 public:
  /// Throws InputError unless the file is there, can be opened and is not empty.
  explicit ProbedFile(const std::string& path,
                      ExternalFiles external = ExternalFiles::refused);

  const std::string& path() const { return path_; }

  /// Whether the file holds these bytes at this offset, which must lie within its first
  /// 512.
  bool has_bytes(std::size_t offset, std::string_view bytes) const;

  /// Whether the first bytes are text, or compressed.
  bool may_be_text() const { return signature_.may_be_text; }

  /// The first, second or third line of text (0, 1, 2), decompressed; "" where there is
  /// none that a newline ends.
  std::string_view line(std::size_t index);

  /// The file opened by HDF5; empty where it is no HDF5 file. Throws InputError for one
  /// that is damaged, or whose data lie in other files that are refused.
  const Hdf5Object& hdf5();
  /// The same, handed over.
  Hdf5Object take_hdf5();

  /// What is wrong with the lines when one of them is too long; else "".
  const std::string& long_line() const { return long_line_; }

  /// What the file looks like whose format is not known: "a NetCDF file".
  const std::string& description() const { return signature_.description; }

 private:
  std::string path_;
  ExternalFiles external_;
  FileSignature signature_;
  bool has_lines_ = false;
  std::array<std::string, 3> lines_;
  std::string long_line_;
  bool has_hdf5_ = false;
  Hdf5Object hdf5_;
};

}  // namespace starhist::io
