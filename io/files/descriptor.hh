#pragma once

#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace starhist::io {

/// A file descriptor that is closed at the end of its scope. It is negative, and errno
/// set, if the file could not be opened. Files are created with mode 0666, less the
/// umask.
class Descriptor {
 public:
  /// Takes over a descriptor.
  explicit Descriptor(int id) : id_(id) {}
  Descriptor(const std::string& path, int flags)
      : id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (id_ >= 0) {
      ::close(id_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return id_; }

 private:
  int id_;
};

}  // namespace starhist::io
