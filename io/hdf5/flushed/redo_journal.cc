#include "io/hdf5/flushed/redo_journal.hh"

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <type_traits>
#include <vector>

#include <sys/stat.h>
#include <zlib.h>

#include "codelets/core/base/error.hh"
#include "io/files/file_identity.hh"

namespace starhist::io {
namespace {

constexpr char magic[16] = "starhist redo 1";

/// First bytes of the file. They are followed by the content: for each write its Range
/// and its bytes.
struct Header {
  char magic[16];
  FileNumber target;
  std::uint64_t bytes;  ///< size of the content
  std::uint32_t content_sum;
  std::uint32_t header_sum;  ///< checksum of all members above
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) == 48);

/// Bytes [offset, offset + size) of the target.
struct Range {
  std::uint64_t offset;
  std::uint64_t size;
};

std::uint32_t checksum(const void* data, std::size_t size) {
  return static_cast<std::uint32_t>(
      crc32_z(0, static_cast<const unsigned char*>(data), size));
}

std::string reason() {
  return std::generic_category().message(errno);
}

struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

FileNumber number_of(const struct stat& file) {
  return {file.st_dev, file.st_ino};
}

bool write_at(int file, std::uint64_t offset, const char* data,
              std::size_t size) noexcept {
  while (size > 0) {
    const ssize_t count = ::pwrite(file, data, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return false;
    }
    data += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

/// Reads up to `size` bytes at `offset`; fewer at the end of the file, and on errors.
std::vector<char> read_at(int file, std::uint64_t offset, std::size_t size) {
  std::vector<char> bytes(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::pread(file, bytes.data() + done, size - done,
                                  static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      break;
    }
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

/// Returns header and content.
std::vector<char> record_of(const PendingWrites& writes, const FileNumber& target) {
  std::vector<char> bytes(sizeof(Header));
  const auto append = [&](const void* data, std::size_t size) {
    const auto* const first = static_cast<const char*>(data);
    bytes.insert(bytes.end(), first, first + size);
  };
  for (const auto& [offset, data] : writes.extents()) {
    const Range range{offset, data.size()};
    append(&range, sizeof range);
    append(data.data(), data.size());
  }
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.target = target;
  header.bytes = bytes.size() - sizeof header;
  header.content_sum = checksum(bytes.data() + sizeof header, header.bytes);
  header.header_sum = checksum(&header, offsetof(Header, header_sum));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

/// Whether the content consists of Ranges, each with all its bytes.
bool is_well_formed(const std::vector<char>& content) {
  std::size_t left = content.size();
  while (left >= sizeof(Range)) {
    Range range{};
    std::memcpy(&range, content.data() + (content.size() - left), sizeof range);
    left -= sizeof range;
    if (range.size > left) {
      return false;
    }
    left -= range.size;
  }
  return left == 0;
}

/// Returns the content of a journal for this target; empty unless it is complete.
std::vector<char> content_for(int journal, const FileNumber& target) {
  Header header{};
  const std::vector<char> first = read_at(journal, 0, sizeof header);
  struct stat file {};
  if (first.size() != sizeof header || ::fstat(journal, &file) != 0) {
    return {};
  }
  std::memcpy(&header, first.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0 ||
      header.header_sum != checksum(&header, offsetof(Header, header_sum)) ||
      header.target != target ||
      header.bytes > static_cast<std::uint64_t>(file.st_size)) {
    return {};
  }
  std::vector<char> content = read_at(journal, sizeof header, header.bytes);
  if (content.size() != header.bytes ||
      header.content_sum != checksum(content.data(), content.size()) ||
      !is_well_formed(content)) {
    return {};
  }
  return content;
}

/// Performs the writes. False, with errno, if the target cannot be written.
bool do_writes(const std::vector<char>& content, int target) {
  for (std::size_t at = 0; at < content.size();) {
    Range range{};
    std::memcpy(&range, content.data() + at, sizeof range);
    at += sizeof range;
    if (!write_at(target, range.offset, content.data() + at, range.size)) {
      return false;
    }
    at += range.size;
  }
  return true;
}

}  // namespace

RedoJournal::RedoJournal(const std::string& path, const std::string& target)
    : path_(path) {
  struct stat found {};
  if (::stat(target.c_str(), &found) != 0) {
    throw RunError(target + " cannot be looked at (" + reason() + ")");
  }
  target_ = number_of(found);
  // complete_last_flush() may briefly hold the lock, and removes the file.
  do {
    file_ =
        std::make_unique<Descriptor>(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    if (file_->get() < 0 || ::fstat(file_->get(), &found) != 0) {
      throw RunError(path + " cannot be created (" + reason() + ")");
    }
    if (!S_ISREG(found.st_mode)) {
      throw RunError(path + " is not a regular file (remove it)");
    }
    struct flock lock = whole_file();
    int status = 0;
    do {
      status = ::fcntl(file_->get(), F_OFD_SETLKW, &lock);
    } while (status != 0 && errno == EINTR);
    if (status != 0) {
      throw RunError(path + " cannot be locked (" + reason() + ")");
    }
  } while (!is_named(file_->get(), path));
  if (::ftruncate(file_->get(), 0) != 0) {
    throw RunError(path + " cannot be cut (" + reason() + ")");
  }
}

RedoJournal::~RedoJournal() {
  if (!holds_) {
    ::unlink(path_.c_str());
  }
}

bool RedoJournal::hold(const PendingWrites& writes) noexcept {
  try {
    const std::vector<char> record = record_of(writes, target_);
    // Write the header last: until it is complete, the journal counts as empty.
    holds_ = write_at(file_->get(), sizeof(Header), record.data() + sizeof(Header),
                      record.size() - sizeof(Header)) &&
             write_at(file_->get(), 0, record.data(), sizeof(Header));
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
  }
  return holds_;
}

bool RedoJournal::clear() noexcept {
  constexpr char nothing[sizeof(Header)] = {};
  holds_ = !write_at(file_->get(), 0, nothing, sizeof nothing);
  return !holds_;
}

std::string journal_of(const std::string& partial) {
  const std::string suffix = ".partial";
  if (partial.size() <= suffix.size() ||
      partial.compare(partial.size() - suffix.size(), suffix.size(), suffix) != 0) {
    return "";
  }
  return partial.substr(0, partial.size() - suffix.size()) + ".journal";
}

void complete_last_flush(const std::string& partial) {
  const std::string path = journal_of(partial);
  if (path.empty()) {
    return;
  }
  const Descriptor journal(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  const Descriptor reading(partial, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  struct stat target {};
  if (journal.get() < 0) {
    const bool there = errno != ENOENT;
    const Descriptor readable(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!there || readable.get() < 0 || ::fstat(reading.get(), &target) != 0 ||
        content_for(readable.get(), number_of(target)).empty()) {
      return;
    }
    throw InputError(partial + " is not complete: its last write was cut short and " +
                     path + ", which completes it, cannot be opened for writing (" +
                     reason() + "; run this as the owner of the file)");
  }
  struct flock lock = whole_file();
  if (reading.get() < 0 || ::fstat(reading.get(), &target) != 0 ||
      ::fcntl(journal.get(), F_OFD_SETLK, &lock) != 0) {
    return;  // a running process writes the file
  }
  if (const std::vector<char> content = content_for(journal.get(), number_of(target));
      !content.empty()) {
    const Descriptor file(partial, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    if (file.get() < 0 || !do_writes(content, file.get()) ||
        ::fdatasync(file.get()) != 0) {
      throw InputError(partial +
                       " is not complete: its last write was cut short, and "
                       "it cannot be written to complete it (" +
                       reason() + ")");
    }
  }
  ::unlink(path.c_str());
}

}  // namespace starhist::io
