#include "io/log/row_record.hh"

#include <cstring>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/hdf5/compressed_row.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

void add_number(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Reads the numbers and texts of a record.
class Reading {
 public:
  explicit Reading(std::string_view bytes) : left_(bytes) {}

  bool ended() const { return left_.empty() || failed_; }
  bool failed() const { return failed_; }
  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view bytes = take(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::string_view text() { return take(number()); }

 private:
  std::string_view take(std::uint64_t size) {
    failed_ = failed_ || size > left_.size();
    const std::string_view bytes = failed_ ? "" : left_.substr(0, size);
    left_.remove_prefix(bytes.size());
    return bytes;
  }

  std::string_view left_;
  bool failed_ = false;
};

}  // namespace

void RowRecord::add_compressed(const std::string& dataset,
                               const std::vector<std::vector<std::uint64_t>>& lines) {
  const std::vector<std::string> chunks = compressed_chunks(lines);
  add_parts(dataset, {chunks.begin(), chunks.end()});
}

void RowRecord::add_text(std::string_view text) {
  add_number(bytes_, text.size());
  bytes_ += text;
}

void RowRecord::add_parts(const std::string& dataset,
                          const std::vector<std::string_view>& parts) {
  add_text(dataset.starts_with('/') ? dataset : group_ + dataset);
  add_number(bytes_, parts.size());
  for (const std::string_view part : parts) {
    add_text(part);
  }
}

/// A dataset that grows.
struct RowAppender::Dataset {
  Hdf5Object id;
  Hdf5Object type;
  std::vector<hsize_t> shape;
  std::vector<hsize_t> chunk;  ///< empty: not compressed
  std::size_t row_bytes = 0;
  std::string waiting;  ///< rows that are not written yet
};

RowAppender::RowAppender(hid_t file) : file_(file) {}
RowAppender::~RowAppender() = default;

void RowAppender::refuse(const std::string& name) const {
  throw InputError(hdf5_location(file_, name) +
                   ": a block does not fit this dataset (the file is damaged)");
}

RowAppender::Dataset& RowAppender::dataset(const std::string& name) {
  const auto [found, is_new] = datasets_.try_emplace(name);
  Dataset& rows = found->second;
  if (is_new) {
    rows.id = open_hdf5_dataset(file_, name);
    const hid_t id = rows.id.get();
    rows.type = own_hdf5<RunError>(H5Dget_type(id), H5Tclose, id);
    rows.shape = hdf5_shape(id);
    rows.row_bytes = H5Tget_size(rows.type.get());
    for (std::size_t k = 1; k < rows.shape.size(); ++k) {
      rows.row_bytes *= rows.shape[k];
    }
    const Hdf5Object properties =
        own_hdf5<RunError>(H5Dget_create_plist(id), H5Pclose, id);
    if (H5Pget_nfilters(properties.get()) > 0) {
      rows.chunk.resize(rows.shape.size());
      check_hdf5<RunError>(
          H5Pget_chunk(properties.get(), static_cast<int>(rows.chunk.size()),
                       rows.chunk.data()),
          id);
    }
    if (rows.shape.empty() || rows.row_bytes == 0 || rows.chunk.size() % 3 != 0) {
      refuse(name);
    }
  }
  return rows;
}

void RowAppender::append(const std::string& record) {
  constexpr std::size_t most_waiting = 1U << 20U;
  for (Reading reading(record); !reading.ended();) {
    const std::string name(reading.text());
    std::vector<std::string_view> parts;
    for (std::uint64_t left = reading.number(); left > 0 && !reading.ended(); --left) {
      parts.push_back(reading.text());
    }
    if (reading.failed()) {
      refuse(name);
    }
    Dataset& rows = dataset(name);
    if (!rows.chunk.empty()) {
      write_chunks(rows, parts);
    } else if (parts.size() != 1 || parts[0].size() % rows.row_bytes != 0) {
      refuse(name);
    } else {
      rows.waiting += parts[0];
      if (rows.waiting.size() >= most_waiting) {
        write_rows(rows);
      }
    }
  }
}

void RowAppender::write_rows(Dataset& rows) {
  std::vector<hsize_t> start(rows.shape.size());
  start[0] = rows.shape[0];
  std::vector<hsize_t> shape = rows.shape;
  shape[0] = rows.waiting.size() / rows.row_bytes;
  rows.shape[0] += shape[0];
  resize_hdf5_rows(rows.id.get(), rows.shape[0]);
  write_hdf5_part(rows.id.get(), start, shape, rows.type.get(), rows.waiting.data());
  rows.waiting.clear();
}

/// Writes the chunks of one row.
void RowAppender::write_chunks(Dataset& rows,
                               const std::vector<std::string_view>& chunks) {
  const hid_t id = rows.id.get();
  resize_hdf5_rows(id, rows.shape[0] + 1);
  auto next = chunks.begin();
  for (hsize_t line = 0; line < rows.shape[1]; line += rows.chunk[1]) {
    for (hsize_t k = 0; k < rows.shape[2]; k += rows.chunk[2]) {
      if (next == chunks.end()) {
        refuse(hdf5_location(id));
      }
      const hsize_t start[] = {rows.shape[0], line, k};
      check_hdf5<RunError>(
          H5Dwrite_chunk(id, H5P_DEFAULT, 0, start, next->size(), next->data()), id);
      ++next;
    }
  }
  ++rows.shape[0];
}

void RowAppender::finish() {
  for (auto& [name, rows] : datasets_) {
    if (!rows.waiting.empty()) {
      write_rows(rows);
    }
  }
}

}  // namespace starhist::io
