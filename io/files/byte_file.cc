#include "io/files/byte_file.hh"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <sys/stat.h>

#include "codelets/core/base/error.hh"

namespace starhist::io {

ByteFile::ByteFile(const std::string& path) : path_(path), file_(path, O_RDONLY) {
  struct stat status {};
  if (file_.get() < 0 || ::fstat(file_.get(), &status) != 0) {
    throw InputError(path + ": cannot be opened (" +
                     std::generic_category().message(errno) + ")");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

void ByteFile::read(std::uint64_t offset, std::uint64_t count, std::string& out) const {
  out.resize(offset < size_ ? std::min(count, size_ - offset) : 0);
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t more = ::pread(file_.get(), out.data() + done, out.size() - done,
                                 static_cast<off_t>(offset + done));
    if (more < 0 && errno != EINTR) {
      throw RunError(path_ + ": cannot be read at byte " +
                     std::to_string(offset + done) + " (" +
                     std::generic_category().message(errno) + ")");
    }
    if (more == 0) {
      break;  // the file has shrunk since it was opened
    }
    done += more > 0 ? static_cast<std::size_t>(more) : 0;
  }
  out.resize(done);
}

}  // namespace starhist::io
