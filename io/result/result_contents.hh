#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/result/result_layout.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

// Parts of the readers of all kinds of results.

/// Opens a result file, or the log of an unfinished result as one. Throws InputError.
Hdf5Object open_result(const std::string& path, ExternalFiles external);

/// Returns the state of an open result with this group of counts. Throws InputError for
/// an unfinished HDF5 file of an earlier version.
ResultState read_state(hid_t counts, const std::string& path);

/// Whether the file has the groups of this kind of result.
bool has_groups_of(hid_t file, const result_layout::KindOfResult& kind);

/// Whether the file can be opened and has the groups of this kind of result.
bool is_result_of(const result_layout::KindOfResult& kind, const std::string& path,
                  ExternalFiles external);

/// Throws InputError: the file is damaged at `name` in `parent`.
[[noreturn]] void refuse_damaged(hid_t parent, const std::string& name,
                                 const std::string& problem);

/// Throws InputError unless the group `path` has this version of its layout.
void check_version(hid_t file, const std::string& path, std::int32_t known);

/// Reads a small dataset. Throws InputError unless it has this shape, before memory is
/// allocated.
template <class Number>
std::vector<Number> read_shaped(hid_t group, const std::string& name,
                                const std::vector<hsize_t>& shape) {
  const Hdf5Object dataset = open_hdf5_dataset(group, name);
  if (hdf5_shape(dataset.get()) != shape) {
    refuse_damaged(group, name, "has an unexpected shape");
  }
  double count = 1.0;
  for (const hsize_t extent : shape) {
    count *= static_cast<double>(extent);
  }
  check_hdf5_extent(dataset.get(), count);
  return read_hdf5_numbers<Number>(dataset.get());
}

/// Reads an attribute that is one text.
std::string read_text(hid_t group, const std::string& attribute);
/// Reads a list of texts, one or more.
std::vector<std::string> read_texts(hid_t histogram, const std::string& name);

/// Reads the rules of species that are selected in each frame; empty without any.
std::vector<std::string> read_selections(hid_t histogram, std::size_t species_count);

/// Reads the provenance; empty without one.
RunRecord read_record(hid_t file);

/// Reads everything that all kinds of results have, and passes the blocks to `sink`.
/// Throws InputError like read_result(), and exceptions of `sink`.
ResultFile read_result_of(hid_t file, const result_layout::KindOfResult& kind,
                          const std::string& path, ExternalFiles external,
                          const std::function<void(BlockCounts&&)>& sink);

}  // namespace starhist::io
