#include "io/output/output_lock.hh"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "io/files/file_identity.hh"
#include "io/files/local_time.hh"

namespace starhist::io {
namespace {

std::string lock_path_of(const std::string& path) {
  return path + ".lock";
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

/// Describes this process: "host node12, process 4711, since 2026-11-23 16:40:12
/// +0100".
std::string this_process() {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  return std::string("host ") + host + ", process " + std::to_string(::getpid()) +
         ", since " + local_time();
}

/// Returns the text that the holder wrote, made printable because others may have
/// written the file.
std::string text_of(int file) {
  char text[400];
  const ssize_t size = ::pread(file, text, sizeof text, 0);
  std::string said(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  said.resize(std::min(said.size(), said.find('\n')));
  std::replace_if(
      said.begin(), said.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return said.empty() ? "it has just started" : said;
}

[[noreturn]] void refuse(const std::string& path, const std::string& lock, int code) {
  const std::string reason = std::generic_category().message(code);
  if (code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP || code == EINVAL) {
    throw InputError("output " + path +
                     " cannot be locked: the file system of its folder has no locks (" +
                     reason +
                     "), so that two runs could write it at the same time (write to "
                     "another file system and copy the result)");
  }
  throw InputError("output " + path + " cannot be locked: " + lock +
                   " cannot be opened or locked (" + reason + ")");
}

}  // namespace

OutputLock::OutputLock(const std::string& path) : lock_path_(lock_path_of(path)) {
  // The holder removes the file before it releases the lock. If the locked file has
  // lost its name, try again with a new one.
  for (;;) {
    // O_NONBLOCK: opening a FIFO must not block.
    file_ = std::make_unique<Descriptor>(lock_path_,
                                         O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    struct stat found {};
    if (file_->get() < 0) {
      refuse(path, lock_path_, errno);
    }
    if (::fstat(file_->get(), &found) != 0 || !S_ISREG(found.st_mode)) {
      throw InputError("output " + path + " cannot be locked: " + lock_path_ +
                       " is not a regular file (remove it)");
    }
    struct flock lock = whole_file(F_WRLCK);
    if (::fcntl(file_->get(), F_OFD_SETLK, &lock) != 0) {
      if (errno != EAGAIN && errno != EACCES) {
        refuse(path, lock_path_, errno);
      }
      throw InputError("output " + path + " is being written by another run (" +
                       text_of(file_->get()) +
                       ": wait for it, or choose another output)");
    }
    if (is_named(file_->get(), lock_path_)) {
      break;
    }
  }
  // The text is only for messages; the lock does not need it.
  const std::string text = this_process() + "\n";
  const ssize_t written = ::pwrite(file_->get(), text.data(), text.size(), 0);
  if (::ftruncate(file_->get(), written < 0 ? 0 : written) != 0) {
    throw RunError(lock_path_ + " cannot be cut (" +
                   std::generic_category().message(errno) + ")");
  }
}

OutputLock::~OutputLock() {
  if (is_named(file_->get(), lock_path_)) {
    ::unlink(lock_path_.c_str());
  }
}

std::optional<std::string> holder_of_output(const std::string& path) {
  const Descriptor file(lock_path_of(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (file.get() < 0) {
    return std::nullopt;
  }
  struct flock lock = whole_file(F_RDLCK);
  if (::fcntl(file.get(), F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) {
    return std::nullopt;
  }
  return text_of(file.get());
}

}  // namespace starhist::io
