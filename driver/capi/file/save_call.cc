// Function of starhist_file.h.
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "driver/capi/call.hh"
#include "driver/capi/file/counted_blocks.hh"
#include "driver/capi/file/starhist_file.h"
#include "io/output/coordination_writer.hh"
#include "io/output/result_writer.hh"

namespace starhist::capi {
namespace {

void check_free(const std::string& path, bool overwrite) {
  for (const std::string& name : {path, path + ".partial"}) {
    std::error_code ignored;
    if (!overwrite && std::filesystem::exists(name, ignored)) {
      throw CallError(STARHIST_FILE_ERROR,
                      "'" + name +
                          "' exists already (choose another name, or replace "
                          "it with overwrite = 1)");
    }
  }
}

void save_neighbours(starhist_histogram* histogram, const std::string& path,
                     bool overwrite, const std::vector<NeighbourShell>& shells) {
  const io::CoordinationResult result = coordination_of(histogram, shells);
  const std::vector<std::uint64_t> particles =
      total(result.file.blocks).particle_number;
  for (const NeighbourShell& shell : shells) {
    if (particles[shell.centre.index()] == 0) {
      throw CallError(STARHIST_BAD_COUNT,
                      "no frame has a particle of species " +
                          result.file.layout.species[shell.centre.index()] +
                          ", so its numbers of neighbours cannot be saved (leave out "
                          "its shell)");
    }
  }
  io::CoordinationWriter(path, overwrite ? io::Overwrite::yes : io::Overwrite::no)
      .write(result);
}

void save(starhist_histogram* histogram, const std::string& path, bool overwrite) {
  const HistogramLayout layout = layout_of(histogram);
  const std::uint64_t blocks = block_count(histogram);
  if (blocks == 0) {
    throw CallError(STARHIST_NO_FRAMES, "no frame has been counted yet");
  }
  const std::vector<NeighbourShell> shells = shells_of(histogram);
  const std::optional<LagLayout> lags =
      shells.empty() ? lag_layout_of(histogram, layout) : std::nullopt;
  check_free(path, overwrite);
  try {
    if (!shells.empty()) {
      save_neighbours(histogram, path, overwrite, shells);
      return;
    }
    const io::RunRecord record = provenance_of(histogram);
    auto writer = lags ? io::ResultWriter(path, *lags, record, overwrite)
                       : io::ResultWriter(path, layout, record, overwrite);
    for (std::uint64_t b = 0; b < blocks; ++b) {
      BlockCounts block = read_block(histogram, layout, b);
      if (lags) {
        writer.append(with_displacements(histogram, *lags, std::move(block)));
      } else {
        writer.append(block);
      }
    }
    writer.finish({});
  } catch (const InputError& error) {
    throw CallError(STARHIST_FILE_ERROR, error.what());
  } catch (const RunError& error) {
    throw CallError(STARHIST_FILE_ERROR, error.what());
  }
}

}  // namespace
}  // namespace starhist::capi

starhist_status starhist_save(starhist_histogram* histogram, const char* path,
                              int overwrite) {
  return starhist::capi::guarded([&] {
    starhist::capi::check_pointer(histogram, "histogram");
    starhist::capi::check_pointer(path, "path");
    starhist::capi::save(histogram, path, overwrite != 0);
  });
}
