#include "io/result_writer.hh"

#include <algorithm>
#include <optional>

#include "codelets/core/error.hh"
#include "io/hdf5_read.hh"
#include "io/hdf5_write.hh"
#include "io/output_path.hh"
#include "io/result_distributions.hh"
#include "io/result_header.hh"
#include "io/result_layout.hh"
#include "io/result_rows.hh"

namespace starhist {
namespace {

Hdf5Object create_file(const std::string& path) {
  silence_hdf5();
  // Files of this format can be opened after their writer was killed; those of the
  // latest format are marked as open for writing and then refused.
  const Hdf5Object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Chunk indices that lie in space reserved earlier stay within the end of the file as
  // the superblock knows it, even if the process is killed between two writes.
  constexpr hsize_t reserved_for_indices = 64 * 1024;
  if (H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18) < 0 ||
      H5Pset_meta_block_size(access.get(), reserved_for_indices) < 0) {
    throw RunError(path + " cannot be created (" + hdf5_reason() + ")");
  }
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access.get());
  if (file < 0) {
    throw InputError("output " + path + " cannot be created (" + hdf5_reason() + ")");
  }
  return {file, H5Fclose};
}

/// Bytes that the file may grow by with one more block: the counts before compression,
/// the first chunks of the small datasets, chunk indices.
std::uint64_t block_bytes(const HistogramLayout& layout) {
  constexpr std::uint64_t indices = 256 * 1024;
  constexpr std::uint64_t rows_per_chunk = 64;
  const std::uint64_t numbers =
      layout.pairs.size() * (layout.bins.count + 3 * rows_per_chunk) +
      rows_per_chunk * layout.species.size();
  return 8 * numbers + indices;
}

/// The same for what finish() adds.
std::uint64_t final_bytes(const HistogramLayout& layout, const RunRecord& record) {
  constexpr std::uint64_t per_group = 8 * 1024;
  std::uint64_t bytes =
      layout.pairs.size() * (2 * 8 * std::uint64_t{layout.bins.count} + per_group);
  for (const auto& [name, value] : record) {
    bytes += name.size() + value.size() + per_group;
  }
  return bytes;
}

}  // namespace

/// An open PATH.partial.
class ResultWriter::File {
 public:
  File(const std::string& path, const HistogramLayout& layout, const RunRecord& record,
       Overwrite overwrite)
      : path_(path, overwrite),
        layout_(layout),
        record_(record),
        file_(create_file(path_.partial())) {
    try {
      path_.reserve(block_bytes(layout) + 8 * std::uint64_t{layout.bins.count} +
                    final_bytes(layout, record));
      write_result_header(file_.get(), layout_);
      write_run_record(file_.get(), record_);
      histogram_ = open_hdf5_group(file_.get(), result_layout::histogram);
      rows_.emplace(histogram_.get(), layout_);
      flush();
    } catch (...) {
      close_and_remove();
      throw;
    }
  }

  ~File() {
    if (block_count_ == 0) {
      close_and_remove();
    }
  }

  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void append(const BlockCounts& block) {
    check_conservation(block);
    path_.reserve(block_bytes(layout_));
    try {
      rows_->resize(block_count_ + 1);
      rows_->write(block_count_, block);
      flush();
    } catch (const RunError&) {
      withdraw_block();
      throw;
    }
    all_have_volume_ = all_have_volume_ && block.volume > 0.0;
    sum_ = block_count_ == 0 ? block : total({sum_, block});
    ++block_count_;
  }

  void finish(const RunRecord& record) {
    record_ = merged(record_, record);
    path_.reserve(final_bytes(layout_, record_));
    write_run_record(file_.get(), record_);
    if (block_count_ > 0 && all_have_volume_) {
      write_distributions(file_.get(), layout_, sum_);
    }
    write_hdf5_attribute(histogram_.get(), result_layout::complete,
                         std::vector<std::int32_t>{1});
    flush();
    close_contents();
    if (file_.close() < 0) {
      throw RunError(path_.partial() + " cannot be closed (" + hdf5_reason() + ")");
    }
    path_.publish();
  }

  void close_and_remove() noexcept {
    close_contents();
    file_ = {};
    path_.remove();
  }

 private:
  void flush() {
    check_hdf5<RunError>(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), file_.get(), "",
                         "cannot be flushed");
  }

  /// After a failed write: without the new rows, what is still in memory fits into the
  /// file as it is, so that closing it does not damage the blocks before.
  void withdraw_block() noexcept {
    try {
      rows_->resize(block_count_);
      flush();
    } catch (const RunError&) {
      // The message of the first failure says it all.
    }
  }

  void close_contents() noexcept {
    rows_.reset();
    histogram_ = {};
  }

  OutputPath path_;
  HistogramLayout layout_;
  RunRecord record_;
  Hdf5Object file_;
  Hdf5Object histogram_;
  std::optional<ResultRows> rows_;
  std::uint64_t block_count_ = 0;
  BlockCounts sum_;
  bool all_have_volume_ = true;
};

ResultWriter::ResultWriter(const std::string& path, const HistogramLayout& layout,
                           const RunRecord& record, bool overwrite)
    : file_(std::make_unique<File>(path, layout, record,
                                   overwrite ? Overwrite::yes : Overwrite::no)) {}

ResultWriter::~ResultWriter() = default;

void ResultWriter::append(const BlockCounts& block) {
  if (!file_) {
    throw InternalError("a block was appended to a result that is closed");
  }
  file_->append(block);
}

void ResultWriter::finish(const RunRecord& record) {
  if (!file_) {
    throw InternalError("a result was finished twice");
  }
  file_->finish(record);
  file_.reset();
}

void ResultWriter::discard() {
  if (file_) {
    file_->close_and_remove();
    file_.reset();
  }
}

}  // namespace starhist
