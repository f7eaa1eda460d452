#pragma once

#include <memory>
#include <optional>
#include <string>

#include "io/files/descriptor.hh"

namespace starhist::io {

/// Exclusive right to write one output file, among all processes on all machines that
/// share its folder. Uses a kernel lock (fcntl(2), open file description locks) on
/// PATH.lock, which is released when the process ends for any reason. The file names
/// the holder. HDF5's own locks are not involved.
class OutputLock {
 public:
  /// Locks the output `path`, whose folder must exist and be writable. Throws
  /// InputError if another run holds the lock (and names it), if PATH.lock cannot be
  /// opened, or if the file system does not support locks.
  explicit OutputLock(const std::string& path);
  /// Removes PATH.lock and releases the lock.
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  std::string lock_path_;
  std::unique_ptr<Descriptor> file_;
};

/// Returns the holder of the output's lock: "host node12, process 4711, since
/// 2026-11-23 16:40:12 +0100". Empty if the output is not locked, or the holder is
/// unknown. Does not lock.
std::optional<std::string> holder_of_output(const std::string& path);

}  // namespace starhist::io
