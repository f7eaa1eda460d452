#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/files/descriptor.hh"

namespace starhist::io {

// Append-only files of records, each with its length and checksum: after a kill or a
// failed write, all records but the last one are whole. The file begins with a
// signature. Numbers have the byte order of the machine.

enum class RecordType : std::uint32_t {
  header = 1,   ///< everything that is known at the start of a run
  block = 2,    ///< a block of counts
  position = 3  ///< position of the run in its trajectory
};

/// First bytes of a log.
std::string log_signature();

/// Returns the bytes of a record.
std::string log_record(RecordType type, const std::string& payload);

/// Whether the file starts like a log. False if it cannot be read.
bool is_record_log(const std::string& path);

/// Reads the records of a log in order.
class LogReader {
 public:
  struct Record {
    RecordType type;
    std::string payload;
  };

  /// Throws InputError if the file cannot be opened or is not a log.
  explicit LogReader(const std::string& path);

  /// Returns the next record; empty after the last whole one. Throws InputError if the
  /// file cannot be read.
  std::optional<Record> next();

  /// Whether next() ended at a damaged record, and not at the end of the file or at a
  /// record that was being written when the run was killed.
  bool damaged() const { return damaged_; }

 private:
  bool read(void* data, std::size_t size);

  std::string path_;
  Descriptor file_;
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;  ///< size of the file when it was opened
  bool damaged_ = false;
};

}  // namespace starhist::io
