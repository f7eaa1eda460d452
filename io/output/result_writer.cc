#include "io/output/result_writer.hh"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_image.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/log/record_log.hh"
#include "io/log/result_log.hh"
#include "io/output/checkpoint.hh"
#include "io/output/output_path.hh"
#include "io/result/lag_result.hh"
#include "io/result/passed_on_rows.hh"
#include "io/result/result_distributions.hh"
#include "io/result/result_header.hh"
#include "io/result/result_layout.hh"
#include "io/result/result_reader.hh"
#include "io/result/result_rows.hh"

namespace starhist::io {

/// The log PATH.partial.
class ResultWriter::File {
 public:
  /// `resumed`: copy_blocks() follows.
  File(const std::string& path, const HistogramLayout& layout, const RunRecord& record,
       bool overwrite, bool resumed, double edge_shift,
       const std::optional<LagLayout>& lags = {})
      : path_(path, overwrite ? Overwrite::yes : Overwrite::no,
              resumed     ? OldPartial::keep
              : overwrite ? OldPartial::remove
                          : OldPartial::refuse),
        kind_(lags ? result_layout::van_hove : result_layout::pair_histogram),
        layout_(layout),
        lags_(lags),
        record_(record) {
    Hdf5Object file = create_hdf5_image(path_.partial());
    write_result_header(file.get(), layout_, edge_shift, kind_);
    write_run_record(file.get(), record_);
    {
      const Hdf5Object group = open_hdf5_group(file.get(), kind_.counts);
      create_result_rows(group.get(), layout_);
      if (lags_) {
        create_lag_rows(group.get(), *lags_);
      }
    }
    start_ =
        log_signature() + log_record(RecordType::header, hdf5_image(std::move(file)));
  }

  /// Starts PATH.partial, with the blocks appended so far.
  void show() {
    path_.replace(unwritten_.empty() ? start_ : start_ + unwritten_);
    unwritten_ = {};
    shown_ = true;
  }

  /// Appends the first blocks of the PATH.partial of an earlier run, then replaces it.
  void copy_blocks(std::uint64_t blocks) {
    const RunRecord earlier =
        lags_ ? append_lagged_blocks(blocks) : append_blocks(blocks);
    if (extents_.size() < blocks ||
        value_of(earlier, result_id) != value_of(record_, result_id)) {
      throw InputError(path_.partial() +
                       " has changed since this run began: another run wrote it (run "
                       "again)");
    }
    keep();
    show();
  }

  void keep() { keep_ = true; }

  ~File() {
    if (shown_ && extents_.empty() && !keep_) {
      path_.remove();
    }
  }

  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void append(const BlockCounts& block,
              const std::vector<DisplacementCounts>& displacements = {}) {
    check_open();
    check_conservation(block);
    write(record_of(block, displacements));
    all_have_volume_ = all_have_volume_ && block.volume > 0.0;
    if (extents_.empty()) {
      sum_ = block;
    } else if (!lags_) {  // results with lags lack g(r) of the sum
      add_block(block, sum_);
    }
    extents_.push_back({block.first_frame, block.last_frame, block.frames});
  }

  void save_open_block(const BlockCounts& block, std::uint64_t next_number) {
    check_open();
    keep();
    const LogPosition position{next_number, extents_.size()};
    path_.save(
        checkpoint_of(path_.path()),
        start_ + record_of(block, {}) +
            log_record(RecordType::position,
                       {reinterpret_cast<const char*>(&position), sizeof position}));
  }

  const std::vector<BlockExtent>& extents() const { return extents_; }

  void pass_on(const PassedOn& block) {
    check_open();
    try {
      if (!passed_on_) {
        passed_on_.emplace(result().get());
      }
      passed_on_->append(block);
    } catch (...) {
      close();
      throw;
    }
  }

  void finish(const RunRecord& record) {
    check_open();
    try {
      const hid_t file = result().get();
      write_run_record(file, merged(record_, record));
      if (passed_on_) {
        passed_on_->finish();
        passed_on_.reset();
      }
      if (!extents_.empty() && all_have_volume_ && !lags_) {
        write_distributions(file, layout_, std::move(sum_));
      }
      write_hdf5_attribute(open_hdf5_group(file, kind_.counts).get(),
                           result_layout::complete, std::vector<std::int32_t>{1});
      path_.replace(hdf5_image(std::move(result_)));
      // PATH.partial is complete now; after publish() a kill would leave the
      // checkpoint.
      std::error_code ignored;
      std::filesystem::remove(checkpoint_of(path_.path()), ignored);
      path_.publish();
    } catch (...) {
      close();
      throw;
    }
  }

  void discard() noexcept { path_.remove(); }

 private:
  /// Appends the first blocks of PATH.partial, and returns its provenance.
  RunRecord append_blocks(std::uint64_t blocks) {
    return read_result_blocks(path_.partial(),
                              [&](BlockCounts&& block) {
                                if (extents_.size() < blocks) {
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
    if (closed_) {
      throw InternalError("a result that is closed was written to");
    }
  }

  std::string record_of(const BlockCounts& block,
                        const std::vector<DisplacementCounts>& displacements) const {
    if (block.counts.size() != layout_.pairs.size() ||
        std::any_of(block.counts.begin(), block.counts.end(), [&](const auto& counts) {
          return counts.size() != layout_.bins.count;
        })) {
      throw InternalError("a block does not have the layout of its result");
    }
    RowRecord rows(kind_.counts);
    add_result_rows(block, rows);
    if (lags_) {
      add_lag_rows(displacements, layout_.species.size(), rows);
    }
    return log_record(RecordType::block, rows.bytes());
  }

  void write(const std::string& record) {
    if (!shown_) {
      unwritten_ += record;
      return;
    }
    try {
      path_.append(record);
    } catch (...) {
      close();
      throw;
    }
  }

  ResultLog opened_log() const {
    try {
      return open_result_log(path_.partial());
    } catch (const InputError& error) {  // this run wrote the file
      throw RunError(error.what());
    }
  }

  /// The log as an HDF5 file in memory.
  const Hdf5Object& result() {
    if (!result_) {
      ResultLog log = opened_log();
      if (log.blocks != extents_.size()) {
        throw RunError(path_.partial() + " has " + std::to_string(log.blocks) +
                       " blocks instead of " + std::to_string(extents_.size()) +
                       ": another program changed it, or the disk is damaged (run "
                       "again)");
      }
      result_ = std::move(log.file);
    }
    return result_;
  }

  /// Keeps the log as it is.
  void close() noexcept {
    closed_ = true;
    passed_on_.reset();
    result_ = {};
  }

  OutputPath path_;
  const result_layout::KindOfResult& kind_;
  HistogramLayout layout_;
  const std::optional<LagLayout> lags_;  ///< empty: counts within frames
  RunRecord record_;
  std::string start_;      ///< log without blocks
  std::string unwritten_;  ///< records of blocks before show()
  bool shown_ = false;
  bool closed_ = false;
  bool keep_ = false;
  Hdf5Object result_;
  std::optional<PassedOnWriter> passed_on_;
  std::vector<BlockExtent> extents_;
  BlockCounts sum_;
  bool all_have_volume_ = true;
};

ResultWriter::ResultWriter(const std::string& path, const HistogramLayout& layout,
                           const RunRecord& record, bool overwrite, double edge_shift)
    : file_(
          std::make_unique<File>(path, layout, record, overwrite, false, edge_shift)) {
  file_->show();
}

ResultWriter::ResultWriter(const std::string& path, const LagLayout& layout,
                           const RunRecord& record, bool overwrite, double edge_shift)
    : file_(std::make_unique<File>(path, channels_of(layout), record, overwrite, false,
                                   edge_shift, layout)) {
  file_->show();
}

ResultWriter::ResultWriter(const std::string& path, const HistogramLayout& layout,
                           const RunRecord& record, bool overwrite,
                           std::uint64_t blocks)
    : file_(std::make_unique<File>(path, layout, record, overwrite, true, edge_shift)) {
  file_->copy_blocks(blocks);
}

ResultWriter::ResultWriter(const std::string& path, const LagLayout& layout,
                           const RunRecord& record, bool overwrite,
                           std::uint64_t blocks)
    : file_(std::make_unique<File>(path, channels_of(layout), record, overwrite, true,
                                   edge_shift, layout)) {
  file_->copy_blocks(blocks);
}

void ResultWriter::keep() {
  if (file_) {
    file_->keep();
  }
}

ResultWriter::~ResultWriter() = default;

ResultWriter::File& ResultWriter::open_file() const {
  if (!file_) {
    throw InternalError("a result that is closed was used");
  }
  return *file_;
}

void ResultWriter::append(const BlockCounts& block) {
  open_file().append(block);
}

void ResultWriter::append(const LaggedBlock& block) {
  open_file().append(block.pairs, block.displacements);
}

void ResultWriter::save_open_block(const BlockCounts& block,
                                   std::uint64_t next_number) {
  open_file().save_open_block(block, next_number);
}

const std::vector<BlockExtent>& ResultWriter::extents() const {
  return open_file().extents();
}

void ResultWriter::pass_on(const PassedOn& block) {
  open_file().pass_on(block);
}

void ResultWriter::finish(const RunRecord& record) {
  open_file().finish(record);
  file_.reset();
}

void ResultWriter::discard() {
  if (file_) {
    file_->discard();
    file_.reset();
  }
}

}  // namespace starhist::io
