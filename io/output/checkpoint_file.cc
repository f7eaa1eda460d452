#include "io/output/checkpoint_file.hh"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <type_traits>
#include <vector>

#include <sys/stat.h>
#include <zlib.h>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/divide_up.hh"
#include "codelets/core/base/error.hh"
#include "io/files/descriptor.hh"

namespace starhist::io {
namespace {

constexpr char magic[16] = "starhist part 2";

/// First bytes of each of the two slots.
struct Header {
  char magic[16];
  /// number of the checkpoint, from 1; the larger one is newer
  std::uint64_t sequence;
  std::uint64_t bytes;  ///< size of the content that follows [bytes]
  std::uint32_t content_sum;
  std::uint32_t id_sum;      ///< checksum of the result_id
  std::uint32_t frames_sum;  ///< checksum of the list of frames
  std::uint32_t header_sum;  ///< checksum of all members above
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) == 48);

std::uint32_t checksum(const void* data, std::size_t size) {
  return static_cast<std::uint32_t>(
      crc32_z(0, static_cast<const unsigned char*>(data), size));
}

std::uint32_t checksum_of(const std::vector<CountedFrame>& frames) {
  static_assert(std::is_trivially_copyable_v<CountedFrame> &&
                sizeof(CountedFrame) == 16);
  return checksum(frames.data(), frames.size() * sizeof(CountedFrame));
}

/// A Checkpoint without a copy of its block.
struct CheckpointView {
  const BlockCounts& block;
  std::uint64_t next_number;
  std::uint64_t blocks_before;
};

/// Calls `field` for all members of a checkpoint in a fixed order: numbers, and vectors
/// whose sizes follow from the layout.
template <class Content, class Field>
void each_field(Content& checkpoint, Field&& field) {
  auto& block = checkpoint.block;
  field(checkpoint.next_number);
  field(checkpoint.blocks_before);
  field(block.index);
  field(block.frames);
  field(block.first_frame);
  field(block.last_frame);
  field(block.last_step);
  field(block.last_time);
  field(block.volume);
  field(block.inverse_volume);
  field(block.inscribed_radius);
  field(block.particle_number);
  field(block.empty_frames);
  field(block.underflow);
  field(block.out_of_range);
  field(block.pairs);
  field(block.excluded);
  field(block.pairs_over_volume);
  for (auto& counts : block.counts) {
    field(counts);
  }
}

/// Number of bytes that Writing will hold.
class Measuring {
 public:
  template <class T>
  void operator()(const T&) {
    bytes += sizeof(T);
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    bytes += values.size() * sizeof(T);
  }
  std::size_t bytes = 0;
};

class Writing {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    append(values.data(), values.size() * sizeof(T));
  }
  std::vector<char> bytes;

 private:
  void append(const void* data, std::size_t size) {
    const auto* const first = static_cast<const char*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

class Reading {
 public:
  explicit Reading(const char* bytes) : next_(bytes) {}
  template <class T>
  void operator()(T& value) {
    take(&value, sizeof value);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    take(values.data(), values.size() * sizeof(T));
  }

 private:
  void take(void* data, std::size_t size) {
    if (size > 0) {  // an empty vector has no data()
      std::memcpy(data, next_, size);
    }
    next_ += size;
  }
  const char* next_;
};

/// The box as edge vectors and periodicity; all 0 if the block has no common box.
struct StoredBox {
  std::array<Vec3, 3> edges{};
  /// by edge; [3]: 1 if there is a box; [4]: Plane of a planar box; the rest is padding
  std::array<std::uint8_t, 8> periodic{};
};

StoredBox stored(const std::optional<Box>& box) {
  StoredBox result;
  if (box) {
    result.edges = box->edges();
    for (std::size_t k = 0; k < 3; ++k) {
      result.periodic[k] = box->periodic()[k] ? 1 : 0;
    }
    result.periodic[3] = 1;
    result.periodic[4] = static_cast<std::uint8_t>(box->plane());
  }
  return result;
}

std::optional<Box> box_of(const StoredBox& box) {
  if (box.periodic[3] == 0) {
    return std::nullopt;
  }
  if (box.periodic[4] != 0) {
    return Box::in_plane(box.edges, static_cast<Plane>(box.periodic[4]));
  }
  return Box(box.edges,
             {box.periodic[0] != 0, box.periodic[1] != 0, box.periodic[2] != 0});
}

std::vector<char> content_of(const CheckpointView& checkpoint) {
  const auto each = [&](auto& field) {
    each_field(checkpoint, field);
    field(stored(checkpoint.block.box));
    field(std::uint64_t{checkpoint.block.counted.size()});
  };
  Measuring measuring;
  each(measuring);
  Writing writing;
  writing.bytes.reserve(measuring.bytes);
  each(writing);
  return std::move(writing.bytes);
}

/// Returns the distance between the beginnings of the two slots [bytes].
std::uint64_t place_bytes(std::uint64_t content) {
  constexpr std::uint64_t page = 4096;
  return divide_up(sizeof(Header) + content, page) * page;
}

/// Returns the offset of the list of frames, after both slots because its length
/// changes. Within a block the list only grows, so both slots share it; once the next
/// block has begun, the older checkpoint is useless.
std::uint64_t list_offset(std::uint64_t content) {
  return 2 * place_bytes(content);
}

[[noreturn]] void fail(const std::string& file, const char* what) {
  throw RunError(file + " cannot be " + what + " (" +
                 std::generic_category().message(errno) + ")");
}

/// False at the end of the file.
bool read_at(const Descriptor& file, const std::string& name, std::uint64_t offset,
             void* data, std::size_t size) {
  auto* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = ::pread(file.get(), next, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail(name, "read");
    }
    if (count == 0) {
      return false;
    }
    next += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void write_at(const Descriptor& file, const std::string& name, std::uint64_t offset,
              const void* data, std::size_t size) {
  const auto* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = ::pwrite(file.get(), next, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail(name, "written");
    }
    next += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

}  // namespace

CheckpointFile::CheckpointFile(const std::string& path, const HistogramLayout& layout,
                               const std::string& id)
    : file_(path + ".checkpoint"),
      layout_(layout),
      id_sum_(checksum(id.data(), id.size())) {}

std::optional<Checkpoint> CheckpointFile::read() {
  const Descriptor file(file_, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (file.get() < 0) {
    if (errno == ENOENT) {
      return std::nullopt;
    }
    fail(file_, "opened");
  }
  std::vector<char> content = content_of({empty_block(layout_, BlockIndex()), 0, 0});
  const std::uint64_t size = content.size();
  std::optional<Checkpoint> checkpoint;
  std::uint64_t newest = 0;
  for (const std::uint64_t place : {0, 1}) {
    Header header{};
    const std::uint64_t offset = place * place_bytes(size);
    if (!read_at(file, file_, offset, &header, sizeof header) ||
        std::memcmp(header.magic, magic, sizeof magic) != 0 ||
        header.header_sum != checksum(&header, offsetof(Header, header_sum)) ||
        header.id_sum != id_sum_ || header.bytes != size || header.sequence <= newest) {
      continue;
    }
    content.resize(size);
    if (!read_at(file, file_, offset + sizeof header, content.data(), size) ||
        header.content_sum != checksum(content.data(), size)) {
      continue;
    }
    Checkpoint found{empty_block(layout_, BlockIndex())};
    Reading reading(content.data());
    each_field(found, reading);
    StoredBox box;
    reading(box);
    found.block.box = box_of(box);
    std::uint64_t listed = 0;
    reading(listed);
    std::vector<CountedFrame>& frames = found.block.counted;
    frames.resize(listed);
    if (!read_at(file, file_, list_offset(size), frames.data(),
                 frames.size() * sizeof(CountedFrame)) ||
        header.frames_sum != checksum_of(frames)) {
      continue;
    }
    checkpoint = std::move(found);
    newest = header.sequence;
  }
  sequence_ = newest;
  return checkpoint;
}

void CheckpointFile::write(const BlockCounts& block, std::uint64_t next_number,
                           std::uint64_t blocks_before) {
  STARHIST_EXPECT(block.counts.size() == layout_.pairs.size() &&
                      block.particle_number.size() == layout_.species.size(),
                  "a checkpoint has the layout of its result");
  STARHIST_EXPECT(block.counted.size() == block.frames,
                  "a checkpoint lists the frames of its block");
  const Descriptor file(file_, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  if (file.get() < 0) {
    fail(file_, "created");
  }
  const std::vector<char> content = content_of({block, next_number, blocks_before});
  ++sequence_;
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.sequence = sequence_;
  header.bytes = content.size();
  header.content_sum = checksum(content.data(), content.size());
  header.id_sum = id_sum_;
  header.frames_sum = checksum_of(block.counted);
  header.header_sum = checksum(&header, offsetof(Header, header_sum));
  const std::uint64_t offset = sequence_ % 2 * place_bytes(content.size());
  write_at(file, file_, list_offset(content.size()), block.counted.data(),
           block.counted.size() * sizeof(CountedFrame));
  write_at(file, file_, offset + sizeof header, content.data(), content.size());
  write_at(file, file_, offset, &header, sizeof header);
  if (::fdatasync(file.get()) != 0 && errno != EINVAL) {
    fail(file_, "synced to disk");
  }
}

void CheckpointFile::remove() const noexcept {
  ::unlink(file_.c_str());
}

}  // namespace starhist::io
