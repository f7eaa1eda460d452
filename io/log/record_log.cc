#include "io/log/record_log.hh"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <sys/stat.h>
#include <zlib.h>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

constexpr std::string_view signature = "\x89starhist log 1\n";

/// First bytes of a record.
struct Head {
  std::uint64_t length;  ///< size of the payload [bytes]
  std::uint32_t type;
  std::uint32_t payload_sum;
  std::uint64_t head_sum;  ///< checksum of all members above
};
static_assert(std::is_trivially_copyable_v<Head> && sizeof(Head) == 24);

std::uint32_t checksum(const void* data, std::size_t size) {
  return static_cast<std::uint32_t>(
      crc32_z(0, static_cast<const unsigned char*>(data), size));
}

}  // namespace

std::string log_signature() {
  return std::string(signature);
}

std::string log_record(RecordType type, const std::string& payload) {
  Head head{payload.size(), static_cast<std::uint32_t>(type),
            checksum(payload.data(), payload.size()), 0};
  head.head_sum = checksum(&head, offsetof(Head, head_sum));
  std::string bytes(sizeof head + payload.size(), '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  payload.copy(bytes.data() + sizeof head, payload.size());
  return bytes;
}

bool is_record_log(const std::string& path) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);
  std::string bytes(signature.size(), '\0');
  return ::pread(file.get(), bytes.data(), bytes.size(), 0) ==
             static_cast<ssize_t>(bytes.size()) &&
         bytes == signature;
}

LogReader::LogReader(const std::string& path)
    : path_(path), file_(path, O_RDONLY | O_NONBLOCK) {
  struct stat found {};
  if (file_.get() < 0 || ::fstat(file_.get(), &found) != 0) {
    throw InputError(path + " cannot be read (" +
                     std::generic_category().message(errno) + ")");
  }
  size_ = static_cast<std::uint64_t>(found.st_size);
  std::string bytes(signature.size(), '\0');
  if (!read(bytes.data(), bytes.size()) || bytes != signature) {
    throw InputError(path + ": is not an unfinished result of starhist");
  }
}

/// False if the file, as it was opened, ends before.
bool LogReader::read(void* data, std::size_t size) {
  if (size > size_ - offset_) {
    return false;
  }
  auto* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = ::pread(file_.get(), next, size, static_cast<off_t>(offset_));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      throw InputError(path_ + " cannot be read (" +
                       (count == 0 ? "it has become shorter"
                                   : std::generic_category().message(errno)) +
                       ")");
    }
    next += count;
    offset_ += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

std::optional<LogReader::Record> LogReader::next() {
  Head head{};
  if (damaged_ || !read(&head, sizeof head)) {
    return std::nullopt;
  }
  damaged_ = head.head_sum != checksum(&head, offsetof(Head, head_sum));
  if (damaged_ || head.length > size_ - offset_) {
    offset_ = size_;
    return std::nullopt;
  }
  Record record{static_cast<RecordType>(head.type), std::string(head.length, '\0')};
  read(record.payload.data(), record.payload.size());
  damaged_ = head.payload_sum != checksum(record.payload.data(), record.payload.size());
  return damaged_ ? std::nullopt : std::optional(std::move(record));
}

}  // namespace starhist::io
