#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/files/parallel_slices.hh"
#include "io/hdf5/deferred_reads.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/rows/chunk_filters.hh"

namespace starhist::io {

/// Rows of a dataset whose chunks are compressed or otherwise filtered. HDF5 only
/// locates the chunks; they are read, and their filters undone, without its lock. For
/// one thread.
///
/// The chunks that hold the same rows are a *band*. Where chunks hold several rows, the
/// rows of the last band are kept: chunks are decompressed once if rows are read in
/// order.
class FilteredRows {
 public:
  /// Null where HDF5 has to read: other layouts, types and filters, chunks of which
  /// those at the edges are not filtered, bands of more than 1 GiB, and files without
  /// the deferring driver. `dataset` must stay open as long as the object lives. Chunks
  /// of a band are decompressed by up to `threads` threads at a time. Throws InputError
  /// when the dataset cannot be read.
  static std::unique_ptr<FilteredRows> of(hid_t dataset,
                                          std::size_t threads = threads_for_slices());

  /// Writes row `row` [< number of rows] to `out` in the type of the file. Returns
  /// false if it cannot be read; then problem() says why.
  bool read(std::uint64_t row, char* out);
  const std::string& problem() const { return problem_; }

 private:
  using Offset = std::vector<hsize_t>;  ///< of the first value of a chunk

  /// A chunk that lies in the file.
  struct Located {
    Offset offset;
    DeferredReads bytes;   ///< to room_, to find out where they lie
    unsigned skipped = 0;  ///< bit k: filter k was not applied
    int error = 0;         ///< errno of reading it
    ChunkDamage damage = ChunkDamage::none;
  };

  /// Memory of a thread that decodes.
  struct Scratch {
    ChunkFilters::Scratch steps;
    std::vector<char> chunk;  ///< its values, if it has parts of rows
  };

  FilteredRows(hid_t dataset, std::vector<hsize_t> chunk, ChunkFilters filters,
               std::size_t threads);
  /// Reads the rows of a band to `to`, which has room for chunk_[0] rows.
  bool read_band(std::uint64_t band, char* to);
  /// Finds the chunks of a band. HDF5 reads those that lie nowhere, which have the fill
  /// value, and those that cannot be found.
  bool locate(std::uint64_t band, char* to);
  bool locate_chunk(const Offset& offset);
  bool hdf5_reads(const Offset& offset, char* to);
  /// Goes to the next chunk of the same band. False after the last one.
  bool next_in_band(Offset& offset) const;
  /// Number of values of a chunk along each axis that lie in the dataset.
  std::vector<hsize_t> extents_at(const Offset& offset) const;
  /// In any thread, as HDF5 is not called.
  void decode(Located& chunk, Scratch& scratch, char* to) const noexcept;
  /// Copies the values of a chunk to their places in a band, from an axis on.
  void scatter(const std::vector<hsize_t>& extents, std::size_t axis,
               const char* values, char* to) const;

  hid_t dataset_;
  std::vector<hsize_t> shape_;
  std::vector<hsize_t> chunk_;  ///< shape of a chunk
  ChunkFilters filters_;
  std::size_t threads_;
  Hdf5Object type_;
  Hdf5Object file_space_;
  Hdf5Object band_space_;
  /// Bytes between neighbours along each axis, in a chunk and in a band.
  std::vector<std::size_t> chunk_stride_;
  std::vector<std::size_t> band_stride_;
  /// The last axis along which chunks are shorter than rows [> 0]; 0: they have whole
  /// rows.
  std::size_t last_cut_ = 0;
  std::unique_ptr<char[]> room_;  ///< addresses for Located::bytes, never written
  std::vector<Located> located_;  ///< chunks of the band that is read
  Scratch scratch_;               ///< of one of the threads

  std::unique_ptr<char[]> kept_rows_;  ///< of the last band, for several rows
  std::uint64_t kept_ = UINT64_MAX;    ///< number of that band; UINT64_MAX: none yet
  bool kept_is_good_ = false;          ///< else problem_ says why it is not
  std::string problem_;
};

}  // namespace starhist::io
