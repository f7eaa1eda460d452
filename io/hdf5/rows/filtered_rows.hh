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

/// Reads rows of a dataset whose chunks are compressed or otherwise filtered. HDF5 only
/// locates the chunks; they are read and decoded without its lock. Not thread-safe.
///
/// The chunks that hold the same rows form a *band*. If chunks hold several rows, the
/// rows of the last band are kept, so that each chunk is decompressed once if rows are
/// read in order.
class FilteredRows {
 public:
  /// Returns a reader, or null if HDF5 has to read: other layouts, types and filters,
  /// unfiltered chunks at the edges, bands of more than 1 GiB, and files without the
  /// deferring driver. `dataset` must stay open during the object's lifetime. Up to
  /// `threads` threads decompress the chunks of a band. Throws InputError when the
  /// dataset cannot be read.
  static std::unique_ptr<FilteredRows> of(hid_t dataset,
                                          std::size_t threads = threads_for_slices());

  /// Writes row `row` [< number of rows] to `out` in the file's type. Returns false if
  /// it cannot be read, and problem() the reason.
  bool read(std::uint64_t row, char* out);
  const std::string& problem() const { return problem_; }

 private:
  using Offset = std::vector<hsize_t>;  ///< indices of the first value of a chunk

  /// A chunk that is stored in the file.
  struct Located {
    Offset offset;
    DeferredReads bytes;   ///< location in the file, as reads into room_
    unsigned skipped = 0;  ///< bit k: filter k was not applied
    int error = 0;         ///< errno of a failed read; 0: success
    ChunkDamage damage = ChunkDamage::none;
  };

  /// Memory of a decoding thread.
  struct Scratch {
    ChunkFilters::Scratch steps;
    std::vector<char> chunk;  ///< its values, if it has parts of rows
  };

  FilteredRows(hid_t dataset, std::vector<hsize_t> chunk, ChunkFilters filters,
               std::size_t threads);
  /// Reads the rows of a band into `to`, which has room for chunk_[0] rows.
  bool read_band(std::uint64_t band, char* to);
  /// Locates the chunks of a band. HDF5 reads chunks that are not stored, which have
  /// the fill value, and chunks that cannot be located.
  bool locate(std::uint64_t band, char* to);
  bool locate_chunk(const Offset& offset);
  bool hdf5_reads(const Offset& offset, char* to);
  /// Advances to the next chunk of the same band. False after the last one.
  bool next_in_band(Offset& offset) const;
  /// Returns the numbers of values of a chunk, along each axis, that lie within the
  /// dataset.
  std::vector<hsize_t> extents_at(const Offset& offset) const;
  /// Decodes a chunk into the band. Thread-safe, because it does not call HDF5.
  void decode(Located& chunk, Scratch& scratch, char* to) const noexcept;
  /// Copies the values of a chunk to their places in a band, recursively from `axis`.
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
  /// The last axis along which chunks are shorter than rows [> 0]; 0: chunks contain
  /// whole rows.
  std::size_t last_cut_ = 0;
  std::unique_ptr<char[]> room_;  ///< addresses for Located::bytes, never written
  std::vector<Located> located_;  ///< chunks of the current band
  Scratch scratch_;               ///< memory of each thread

  /// rows of the last band, if bands have several rows
  std::unique_ptr<char[]> kept_rows_;
  std::uint64_t kept_ = UINT64_MAX;  ///< number of that band; UINT64_MAX: not read yet
  bool kept_is_good_ = false;        ///< false: problem_ has the reason
  std::string problem_;
};

}  // namespace starhist::io
