#include "io/formats/gromacs/process/input_file.hh"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"

namespace starhist::io::gromacs {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw RunError(what + " (" + std::generic_category().message(errno) + ")");
}

}  // namespace

InputFile::~InputFile() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

const std::string& InputFile::name_of(const decoder::Source& source) {
  std::string target(source.content);
  if (source.kind == decoder::Source::Kind::bytes) {
    if (memory_ < 0 && (memory_ = ::memfd_create("frame", 0)) < 0) {
      fail("a file in memory cannot be created");
    }
    if (::ftruncate(memory_, 0) < 0) {
      fail("a file in memory cannot be emptied");
    }
    for (std::size_t done = 0; done < source.content.size();) {
      const ssize_t written =
          ::pwrite(memory_, source.content.data() + done, source.content.size() - done,
                   static_cast<off_t>(done));
      if (written <= 0) {
        fail("a frame does not fit into memory");
      }
      done += static_cast<std::size_t>(written);
    }
    target = "/proc/self/fd/" + std::to_string(memory_);
  }
  const std::string name =
      folder_ + "/" +
      (source.kind == decoder::Source::Kind::bytes ? "bytes." : "file.") +
      source.format;
  if (name != name_ || source.kind == decoder::Source::Kind::path) {
    ::unlink(name.c_str());
    if (::symlink(target.c_str(), name.c_str()) < 0) {
      fail(name + " cannot be made");
    }
    name_ = name;
  }
  return name_;
}

}  // namespace starhist::io::gromacs
