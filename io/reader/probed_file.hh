#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "io/compression/byte_source.hh"
#include "io/files/file_signature.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// A file whose format is being detected, the argument of TrajectoryFormat::probe.
class ProbedFile {
 public:
  /// Throws InputError unless the file exists, can be opened and is not empty.
  explicit ProbedFile(const std::string& path,
                      ExternalFiles external = ExternalFiles::refused);

  const std::string& path() const { return path_; }

  /// Whether the file contains these bytes at this offset, within its first 512 bytes.
  bool has_bytes(std::size_t offset, std::string_view bytes) const;

  /// Whether the first bytes are text or compressed.
  bool may_be_text() const { return signature_.may_be_text; }

  /// Whether the file is compressed, by its first bytes: compressed_endings().
  bool is_compressed() const { return io::is_compressed(signature_.bytes); }

  /// Returns the first, second or third line (index 0, 1, 2), decompressed; "" if it is
  /// missing or not terminated by a newline.
  std::string_view line(std::size_t index);

  /// Returns the root of the HDF5 file; empty if it is not an HDF5 file. Throws
  /// InputError for a damaged file, and for one with external data if these are
  /// refused.
  const Hdf5Object& hdf5();
  /// Like hdf5(), but transfers ownership.
  Hdf5Object take_hdf5();

  /// Message about a line that is too long; "" if all are short enough.
  const std::string& long_line() const { return long_line_; }

  /// Description of a file of unknown format: "a NetCDF file".
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
