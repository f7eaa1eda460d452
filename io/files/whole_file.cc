#include "io/files/whole_file.hh"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/descriptor.hh"

namespace starhist::io {
namespace {

namespace fs = std::filesystem;

std::string reason(int code) {
  return std::generic_category().message(code);
}

[[noreturn]] void fail_to_create(const std::string& path, int code) {
  throw InputError("'" + path + "' cannot be written (" + reason(code) +
                   "): choose another name or folder");
}

[[noreturn]] void fail_to_write(const std::string& path, int code) {
  throw RunError("'" + path + "' cannot be written to the end (" +
                 (code != 0 ? reason(code) : "is the disk full?") +
                 "): make room, or write to another disk");
}

/// Whether the path is a device, a pipe, or the name of an open file (/dev/stdout).
bool is_written_directly(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return (fs::exists(status) && !fs::is_regular_file(status)) ||
         path.starts_with("/dev/") || path.starts_with("/proc/");
}

/// Writes the file `name` on behalf of `path`, which messages name.
void write_to(const std::string& name, const std::string& path,
              const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream file(name);
  if (!file) {
    fail_to_create(path, errno);
  }
  errno = 0;
  write(file);
  file.close();
  if (!file) {
    fail_to_write(path, errno);
  }
}

/// Opens the pipe `path` for writing. Waits `patience` for a program that reads it:
/// open() without O_NONBLOCK waits forever.
Descriptor open_pipe(const std::string& path, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    const int id = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (id >= 0 || errno != ENXIO) {
      return Descriptor(id);
    }
    if (std::chrono::steady_clock::now() >= end) {
      throw InputError("'" + path +
                       "' cannot be written (no program has opened this pipe for "
                       "reading within " +
                       std::to_string(patience.count() / 1000) +
                       " s): start the program that reads it first");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void write_to_pipe(const std::string& path,
                   const std::function<void(std::ostream&)>& write,
                   std::chrono::milliseconds patience) {
  std::ostringstream stream;
  write(stream);
  const std::string text = stream.str();
  const Descriptor pipe = open_pipe(path, patience);
  if (pipe.get() < 0) {
    fail_to_create(path, errno);
  }
  ::fcntl(pipe.get(), F_SETFL, O_WRONLY);  // without O_NONBLOCK
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t written = ::write(pipe.get(), text.data() + sent, text.size() - sent);
    if (written < 0 && errno != EINTR) {
      fail_to_write(path, errno);
    }
    sent += written < 0 ? 0 : static_cast<std::size_t>(written);
  }
}

/// A new file that is removed unless it is renamed to its final path.
class NewFile {
 public:
  /// Creates the file in the folder of `path`, with the permissions of an existing file
  /// `path`.
  explicit NewFile(const std::string& path) : path_(path) {
    for (int number = 0; !file_ || (file_->get() < 0 && errno == EEXIST); ++number) {
      name_ =
          (fs::path(path).parent_path() / (".starhist-" + std::to_string(::getpid()) +
                                           "-" + std::to_string(number) + ".new"))
              .string();
      file_.emplace(name_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
    }
    if (file_->get() < 0) {
      fail_to_create(path, errno);
    }
    struct stat old {};
    if (::stat(path.c_str(), &old) == 0) {
      ::fchmod(file_->get(), old.st_mode & 07777U);
    }
  }
  ~NewFile() {
    if (!renamed_) {
      ::unlink(name_.c_str());
    }
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& name() const { return name_; }

  /// Syncs the file and renames it to `path`.
  void publish() {
    if (::fsync(file_->get()) != 0 && errno != EINVAL) {
      fail_to_write(path_, errno);
    }
    if (::rename(name_.c_str(), path_.c_str()) != 0) {
      fail_to_create(path_, errno);
    }
    renamed_ = true;
  }

 private:
  const std::string path_;
  std::string name_;
  std::optional<Descriptor> file_;
  bool renamed_ = false;
};

}  // namespace

std::string end_of_links(const std::string& path) {
  constexpr int most_links = 40;  // limit of the kernel
  fs::path name(path);
  std::error_code error;
  for (int links = 0; fs::is_symlink(name, error); ++links) {
    const fs::path target = fs::read_symlink(name, error);
    if (error || links == most_links) {
      throw InputError("output " + path + " is a symbolic link that leads nowhere (" +
                       (error ? error.message() : reason(ELOOP)) + ")");
    }
    name = target.is_absolute() ? target : name.parent_path() / target;
  }
  return name.string();
}

void write_whole_file(const std::string& path,
                      const std::function<void(std::ostream&)>& write,
                      std::chrono::milliseconds patience) {
  std::error_code ignored;
  if (fs::is_fifo(path, ignored)) {
    write_to_pipe(path, write, patience);
    return;
  }
  if (is_written_directly(path)) {
    write_to(path, path, write);
    return;
  }
  NewFile file(end_of_links(path));
  write_to(file.name(), path, write);
  file.publish();
}

}  // namespace starhist::io
