#include "io/files/disk_space.hh"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/files/descriptor.hh"

namespace starhist::io {
namespace {

off_t file_size(const std::string& path, int file) {
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0) {
    throw RunError(path + " cannot be written any more (" +
                   std::generic_category().message(errno) + ")");
  }
  return status.st_size;
}

/// Returns EFBIG if the process may not write files of `size` bytes, otherwise 0.
int size_limit_problem(std::uint64_t size) {
  rlimit limit{};
  const bool limited = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                       limit.rlim_cur != RLIM_INFINITY && size > limit.rlim_cur;
  return limited ? EFBIG : 0;
}

/// Appends `bytes` zeros to the file and truncates it again, for file systems without
/// fallocate(). Returns 0 or the errno of the failure.
int write_and_give_back(int file, off_t size, std::uint64_t bytes) {
  const std::vector<char> zeros(64 * 1024);
  int problem = 0;
  for (std::uint64_t done = 0; done < bytes && problem == 0;) {
    const std::size_t part = std::min<std::uint64_t>(zeros.size(), bytes - done);
    const ssize_t written =
        ::pwrite(file, zeros.data(), part, size + static_cast<off_t>(done));
    problem = written < 0 ? errno : 0;
    done += written < 0 ? 0 : static_cast<std::uint64_t>(written);
  }
  // Network file systems may report a failed write only here.
  if (problem == 0 && ::fsync(file) != 0) {
    problem = errno;
  }
  if (::ftruncate(file, size) != 0 && problem == 0) {
    problem = errno;
  }
  return problem;
}

}  // namespace

void reserve_growth(const std::string& path, std::uint64_t bytes) {
  const Descriptor file(path, O_WRONLY);
  const off_t size = file_size(path, file.get());
  int problem = size_limit_problem(static_cast<std::uint64_t>(size) + bytes);
  if (problem == 0 && ::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, size,
                                  static_cast<off_t>(bytes)) != 0) {
    const bool unknown = errno == EOPNOTSUPP || errno == ENOSYS;
    problem = unknown ? write_and_give_back(file.get(), size, bytes) : errno;
  }
  if (problem != 0) {
    throw RunError(path + " cannot grow by " + grouped(bytes) + " bytes (" +
                   std::generic_category().message(problem) +
                   "; make room, or write to another disk)");
  }
}

void release_reserve(const std::string& path) {
  const Descriptor file(path, O_WRONLY);
  if (::ftruncate(file.get(), file_size(path, file.get())) != 0) {
    throw RunError(path + " cannot be cut to its size (" +
                   std::generic_category().message(errno) + ")");
  }
}

}  // namespace starhist::io
