#include "io/compression/gzip_source.hh"

#include <cerrno>
#include <cstring>

#include <zlib.h>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr unsigned gzip_buffer_bytes = 1U << 10U;
#else
constexpr unsigned gzip_buffer_bytes = 1U << 17U;
#endif

}  // namespace

void GzipSource::Close::operator()(gzFile_s* file) const {
  gzclose(file);
}

GzipSource::GzipSource(const std::string& path)
    : path_(path), file_(gzopen(path.c_str(), "rb")) {
  if (file_ == nullptr) {
    throw InputError(path + ": " + (errno != 0 ? std::strerror(errno) : "no memory"));
  }
  gzbuffer(file_.get(), gzip_buffer_bytes);
}

const char* GzipSource::compression() const {
  return gzdirect(file_.get()) == 0 ? "gzip" : "";
}

std::size_t GzipSource::read(char* bytes, std::size_t size) {
  const int count = gzread(file_.get(), bytes, static_cast<unsigned>(size));
  int error = Z_OK;
  const char* message = gzerror(file_.get(), &error);
  if (error == Z_ERRNO) {
    throw RunError(path_ + ": " + std::strerror(errno));
  }
  if (error == Z_BUF_ERROR || error == Z_DATA_ERROR) {
    damaged_ = true;  // data before the damage are usable
  } else if (error != Z_OK) {
    throw RunError(path_ + ": " + message);
  }
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

std::uint64_t GzipSource::taken() const {
  return static_cast<std::uint64_t>(gzoffset(file_.get()));
}

bool GzipSource::go_to(std::uint64_t offset) {
  damaged_ = false;
  return gzseek(file_.get(), static_cast<z_off_t>(offset), SEEK_SET) >= 0;
}

}  // namespace starhist::io
