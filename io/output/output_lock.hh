#pragma once

#include <memory>
#include <optional>
#include <string>

#include "io/files/descriptor.hh"

namespace starhist::io {

/// The right to write one output file, among all processes on all machines that see its
/// folder. A lock of the kernel (fcntl(2), open file description locks) on PATH.lock:
/// it ends with the process that holds it, however that ends. PATH.lock says who that
/// is. HDF5's own locks play no part.
class OutputLock {
 public:
  /// Takes the lock of the output `path`, whose folder must exist and be writable.
  /// Throws InputError if another run holds it, saying who; if PATH.lock cannot be
  /// opened; or if the file system has no locks.
  explicit OutputLock(const std::string& path);
  /// Removes PATH.lock and gives up the lock.
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  std::string lock_path_;
  std::unique_ptr<Descriptor> file_;
};

/// Who holds the lock of the output `path`: "host node12, process 4711, since
/// 2026-11-23 16:40:12 +0100". Nothing if nobody does, or if that cannot be told. Takes
/// no lock.
std::optional<std::string> holder_of_output(const std::string& path);

}  // namespace starhist::io
