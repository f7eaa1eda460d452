#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// A block as bytes: rows of datasets of a result.
class RowRecord {
 public:
  /// `group`: path of the group of datasets whose names do not start with '/'.
  explicit RowRecord(const std::string& group) : group_(group + "/") {}

  /// Adds rows of a dataset, or part of one.
  template <class Number>
  void add(const std::string& dataset, const std::vector<Number>& rows) {
    add_parts(dataset, {std::string_view(reinterpret_cast<const char*>(rows.data()),
                                         rows.size() * sizeof(Number))});
  }
  /// Adds one row of a compressed dataset of two further dimensions.
  void add_compressed(const std::string& dataset,
                      const std::vector<std::vector<std::uint64_t>>& lines);

  const std::string& bytes() const { return bytes_; }

 private:
  void add_parts(const std::string& dataset,
                 const std::vector<std::string_view>& parts);
  void add_text(std::string_view text);

  std::string group_;
  std::string bytes_;
};

/// Appends the rows of RowRecords to the datasets of a result.
class RowAppender {
 public:
  explicit RowAppender(hid_t file);
  ~RowAppender();
  RowAppender(const RowAppender&) = delete;
  RowAppender& operator=(const RowAppender&) = delete;

  /// Appends the rows of RowRecord::bytes(). Throws InputError for bytes that do not
  /// fit the datasets, RunError if HDF5 cannot write.
  void append(const std::string& record);
  /// Writes the rows that are kept back to write many at once. Throws like append().
  void finish();

 private:
  struct Dataset;

  Dataset& dataset(const std::string& name);
  [[noreturn]] void refuse(const std::string& name) const;
  void write_rows(Dataset& rows);
  void write_chunks(Dataset& rows, const std::vector<std::string_view>& chunks);

  hid_t file_;
  std::map<std::string, Dataset> datasets_;
};

}  // namespace starhist::io
