#include "io/output/result_writer.hh"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/files/disk_space.hh"
#include "io/hdf5/flushed/flushed_file.hh"
#include "io/hdf5/flushed/hdf5_detach.hh"
#include "io/hdf5/flushed/redo_journal.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/output/output_path.hh"
#include "io/result/lag_result.hh"
#include "io/result/lag_rows.hh"
#include "io/result/passed_on_rows.hh"
#include "io/result/result_distributions.hh"
#include "io/result/result_header.hh"
#include "io/result/result_layout.hh"
#include "io/result/result_reader.hh"
#include "io/result/result_rows.hh"

namespace starhist::io {
namespace {

// Upper bounds of the growth of the file [bytes]. Small objects and chunk indices take
// a few KiB each; counts are assumed not to compress.

constexpr std::uint64_t per_object = 8 * 1024;
constexpr std::uint64_t indices = 256 * 1024;

std::uint64_t record_bytes(const RunRecord& record) {
  std::uint64_t bytes = per_object;
  for (const auto& [name, value] : record) {
    bytes += name.size() + value.size() + per_object;
  }
  return bytes;
}

std::uint64_t header_bytes(const HistogramLayout& layout) {
  std::uint64_t bytes = indices + 8 * std::uint64_t{layout.bins.count};
  for (const std::string& name : layout.species) {
    // Fixed-length strings have the length of the longest string.
    bytes += name.size() * layout.species.size();
  }
  return bytes;
}

std::uint64_t block_bytes(const HistogramLayout& layout, std::uint64_t frames) {
  constexpr std::uint64_t rows_per_chunk = 64;
  const std::uint64_t per_frame = 2 * (8 + per_object / rows_per_chunk);
  const std::uint64_t per_pair = layout.bins.count + 5 * rows_per_chunk;
  const std::uint64_t per_pair_by_second_axis =
      layout.second ? std::uint64_t{layout.bins.count} * layout.second->columns() : 0;
  return indices + per_frame * (frames + rows_per_chunk) +
         8 * layout.pairs.size() * per_pair_by_second_axis +
         8 * (layout.pairs.size() * per_pair + layout.species.size() * rows_per_chunk);
}

/// Bytes of a block's displacements.
std::uint64_t displacement_bytes(const LagLayout& layout) {
  constexpr std::uint64_t rows_per_chunk = 64;
  const std::uint64_t histograms = layout.lags.size() * layout.pairs.species.size();
  return indices + 8 * histograms * (layout.pairs.bins.count + 6 * rows_per_chunk);
}

std::uint64_t passed_on_bytes(const PassedOn& block) {
  std::uint64_t bytes = indices;
  for (const auto* numbers : {&block.constants, &block.sums, &block.series}) {
    for (const auto& [name, values] : *numbers) {
      bytes += per_object + 8 * values.size();
    }
  }
  for (const auto& [name, text] : block.texts) {
    bytes += per_object + text.size();
  }
  return bytes;
}

std::uint64_t distributions_bytes(const HistogramLayout& layout) {
  std::size_t longest = 0;
  for (const std::string& name : layout.species) {
    longest = std::max(longest, name.size());
  }
  const bool table = layout.pairs.size() > result_layout::most_distribution_groups;
  const std::uint64_t per_pair =
      8 * std::uint64_t{layout.bins.count} + (table ? 2 * longest + 1 : per_object);
  return indices + 8 * std::uint64_t{layout.bins.count} +
         layout.pairs.size() * per_pair;
}

}  // namespace

/// The open PATH.partial.
class ResultWriter::File {
 public:
  File(const std::string& path, const HistogramLayout& layout, const RunRecord& record,
       Overwrite overwrite, OldPartial old, double edge_shift,
       const std::optional<LagLayout>& lags = {})
      : path_(path, overwrite, old),
        kind_(lags ? result_layout::van_hove : result_layout::pair_histogram),
        layout_(layout),
        lags_(lags),
        record_(record),
        file_(create_flushed_file(path_.written())) {
    try {
      reserve_growth(path_.written(), header_bytes(layout) + block_bytes(layout, 0) +
                                          record_bytes(record));
      write_result_header(file_.get(), layout_, edge_shift, kind_);
      write_run_record(file_.get(), record_);
      {
        const Hdf5Object group = open_hdf5_group(file_.get(), kind_.counts);
        create_result_rows(group.get(), layout_);
        if (lags_) {
          create_lag_rows(group.get(), *lags_);
        }
      }
      close();
      if (old == OldPartial::keep) {
        complete_last_flush(path_.partial());
      }
      file_ = reopen_flushed_file(path_.written(), journal_of(path_.partial()));
      histogram_ = open_hdf5_group(file_.get(), kind_.counts);
      rows_.emplace(histogram_.get());
      if (lags_) {
        lag_rows_.emplace(histogram_.get(), *lags_);
      }
    } catch (...) {
      discard();
      throw;
    }
  }

  /// Renames the file to PATH.partial.
  void show() { path_.show(); }

  /// Copies the first blocks from the PATH.partial of an earlier run, then replaces it.
  void copy_blocks(std::uint64_t blocks) {
    const RunRecord earlier =
        lags_ ? append_lagged_blocks(blocks) : append_blocks(blocks);
    if (block_count_ < blocks ||
        value_of(earlier, result_id) != value_of(record_, result_id)) {
      throw InputError(path_.partial() +
                       " has changed since this run began: another run wrote it (run "
                       "again)");
    }
    keep();
    path_.sync();
    path_.show();
  }

  void keep() { keep_ = true; }

  ~File() {
    if (block_count_ == 0 && !keep_) {
      discard();
    } else {
      abandon();
    }
  }

  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void append(const BlockCounts& block,
              const std::vector<DisplacementCounts>& displacements = {}) {
    check_open();
    check_conservation(block);
    reserve_growth(path_.written(), block_bytes(layout_, block.frames) +
                                        (lags_ ? displacement_bytes(*lags_) : 0));
    try {
      rows_->append(block);
      if (lag_rows_) {
        lag_rows_->append(displacements);
      }
      flush();
      sync_from_time_to_time();
    } catch (...) {
      abandon();
      throw;
    }
    all_have_volume_ = all_have_volume_ && block.volume > 0.0;
    if (block_count_ == 0) {
      sum_ = block;
    } else if (!lags_) {  // results with lags lack g(r) of the sum
      add_block(block, sum_);
    }
    extents_.push_back({block.first_frame, block.last_frame, block.frames});
    ++block_count_;
  }

  const std::vector<BlockExtent>& extents() const { return extents_; }

  void pass_on(const PassedOn& block) {
    check_open();
    reserve_growth(path_.written(), passed_on_bytes(block));
    try {
      if (!passed_on_) {
        passed_on_.emplace(file_.get());
      }
      passed_on_->append(block);
    } catch (...) {
      abandon();
      throw;
    }
  }

  void finish(const RunRecord& record) {
    check_open();
    record_ = merged(record_, record);
    reserve_growth(path_.written(),
                   distributions_bytes(layout_) + record_bytes(record_));
    try {
      write_run_record(file_.get(), record_);
      if (passed_on_) {
        passed_on_->finish();
        passed_on_.reset();
      }
      if (block_count_ > 0 && all_have_volume_ && !lags_) {
        write_distributions(file_.get(), layout_, std::move(sum_));
      }
      write_hdf5_attribute(histogram_.get(), result_layout::complete,
                           std::vector<std::int32_t>{1});
      flush();
    } catch (...) {
      abandon();
      throw;
    }
    rows_.reset();
    lag_rows_.reset();
    histogram_ = {};
    close();
    release_reserve(path_.written());
    path_.publish();
  }

  void discard() noexcept {
    abandon();
    path_.remove();
  }

 private:
  /// Appends the first blocks of PATH.partial, and returns its provenance.
  RunRecord append_blocks(std::uint64_t blocks) {
    return read_result_blocks(path_.partial(),
                              [&](BlockCounts&& block) {
                                if (block_count_ < blocks) {
                                  append(block);
                                }
                              })
        .record;
  }
  RunRecord append_lagged_blocks(std::uint64_t blocks) {
    const LagResult earlier = read_lag_result(path_.partial());
    const std::size_t count =
        std::min<std::size_t>(blocks, earlier.channels.blocks.size());
    for (std::size_t k = 0; k < count; ++k) {
      append(earlier.channels.blocks[k], earlier.displacements[k]);
    }
    return earlier.channels.record;
  }

  void check_open() const {
    if (!file_) {
      throw InternalError("a result that is closed was written to");
    }
  }

  /// Limits the loss in a system crash, which loses all that is not on the disk.
  void sync_from_time_to_time() {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds interval{30};
    if (Clock::now() - synced_ >= interval) {
      path_.sync();
      synced_ = Clock::now();
    }
  }

  void flush() {
    errno = 0;
    const herr_t status = H5Fflush(file_.get(), H5F_SCOPE_GLOBAL);
    const std::string reason =
        errno == 0 ? "" : ": " + std::generic_category().message(errno);
    const std::string problem =
        "cannot be flushed" + reason + " (make room, or write to another disk)";
    check_hdf5<RunError>(status, file_.get(), "", problem.c_str());
  }

  void close() {
    flush();
    if (file_.close() < 0) {
      throw RunError(path_.written() + " cannot be closed (" + hdf5_reason() + ")");
    }
  }

  /// Closes the file and keeps it on the disk in the state of the last flush.
  void abandon() noexcept {
    if (file_) {
      detach_hdf5_file(file_.get());
    }
    passed_on_.reset();
    rows_.reset();
    lag_rows_.reset();
    histogram_ = {};
    file_ = {};
  }

  OutputPath path_;
  const result_layout::KindOfResult& kind_;
  HistogramLayout layout_;
  const std::optional<LagLayout> lags_;  ///< empty: counts within frames
  RunRecord record_;
  Hdf5Object file_;
  Hdf5Object histogram_;
  std::optional<ResultRows> rows_;
  std::optional<LagRows> lag_rows_;
  std::optional<PassedOnWriter> passed_on_;
  std::vector<BlockExtent> extents_;
  std::uint64_t block_count_ = 0;
  bool keep_ = false;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
  BlockCounts sum_;
  bool all_have_volume_ = true;
};

ResultWriter::ResultWriter(const std::string& path, const HistogramLayout& layout,
                           const RunRecord& record, bool overwrite, double edge_shift)
    : file_(std::make_unique<File>(
          path, layout, record, overwrite ? Overwrite::yes : Overwrite::no,
          overwrite ? OldPartial::remove : OldPartial::refuse, edge_shift)) {
  file_->show();
}

ResultWriter::ResultWriter(const std::string& path, const LagLayout& layout,
                           const RunRecord& record, bool overwrite, double edge_shift)
    : file_(std::make_unique<File>(
          path, channels_of(layout), record, overwrite ? Overwrite::yes : Overwrite::no,
          overwrite ? OldPartial::remove : OldPartial::refuse, edge_shift, layout)) {
  file_->show();
}

ResultWriter::ResultWriter(const std::string& path, const HistogramLayout& layout,
                           const RunRecord& record, bool overwrite,
                           std::uint64_t blocks)
    : file_(std::make_unique<File>(path, layout, record,
                                   overwrite ? Overwrite::yes : Overwrite::no,
                                   OldPartial::keep, edge_shift)) {
  file_->copy_blocks(blocks);
}

ResultWriter::ResultWriter(const std::string& path, const LagLayout& layout,
                           const RunRecord& record, bool overwrite,
                           std::uint64_t blocks)
    : file_(std::make_unique<File>(path, channels_of(layout), record,
                                   overwrite ? Overwrite::yes : Overwrite::no,
                                   OldPartial::keep, edge_shift, layout)) {
  file_->copy_blocks(blocks);
}

void ResultWriter::keep() {
  if (file_) {
    file_->keep();
  }
}

ResultWriter::~ResultWriter() = default;

void ResultWriter::append(const BlockCounts& block) {
  if (!file_) {
    throw InternalError("a block was appended to a result that is closed");
  }
  file_->append(block);
}

void ResultWriter::append(const LaggedBlock& block) {
  if (!file_) {
    throw InternalError("a block was appended to a result that is closed");
  }
  file_->append(block.pairs, block.displacements);
}

const std::vector<BlockExtent>& ResultWriter::extents() const {
  if (!file_) {
    throw InternalError("the blocks of a result that is closed were asked for");
  }
  return file_->extents();
}

void ResultWriter::pass_on(const PassedOn& block) {
  if (!file_) {
    throw InternalError("something was passed on by a result that is closed");
  }
  file_->pass_on(block);
}

void ResultWriter::finish(const RunRecord& record) {
  if (!file_) {
    throw InternalError("a result that is closed was finished");
  }
  file_->finish(record);
  file_.reset();
}

void ResultWriter::discard() {
  if (file_) {
    file_->discard();
    file_.reset();
  }
}

}  // namespace starhist::io
