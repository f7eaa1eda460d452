#include "io/export/cadishi_writer.hh"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_columns.hh"
#include "io/files/disk_space.hh"
#include "io/files/json_text.hh"
#include "io/hdf5/flushed/flushed_file.hh"
#include "io/hdf5/flushed/hdf5_detach.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/reader/units.hh"

namespace starhist::io {
namespace {

void check_names(const ResultFile& result) {
  for (const std::string& name : result.layout.species) {
    if (name.find_first_of(",/") != std::string::npos || name.empty() || name == ".") {
      throw InputError("species '" + name + "' of " + result.path +
                       " has a name that CADISHI's layout cannot hold (no ',' and "
                       "no '/'; rename it with --species)");
    }
  }
}

/// CADISHI's name of a pair: "H,O", in alphabetical order.
std::string pair_key(const SpeciesPair& pair, const std::vector<std::string>& species) {
  const std::string& first = species[pair.first.index()];
  const std::string& second = species[pair.second.index()];
  return std::min(first, second) + "," + std::max(first, second);
}

std::vector<BlockCounts> equal_blocks(const std::vector<BlockCounts>& blocks) {
  const auto same_frames = [&](const BlockCounts& block) {
    return block.frames == blocks.front().frames;
  };
  return std::all_of(blocks.begin(), blocks.end(), same_frames)
             ? blocks
             : std::vector<BlockCounts>{total(blocks)};
}

/// CADISHI's log of processing steps, as JSON. CAPRIQORN reads dr and sum from it.
std::string pipeline_log(const ResultFile& result, double scale, std::uint32_t frames) {
  using Json = nlohmann::ordered_json;
  const UniformBins bins = result.layout.bins;
  const std::string& unit = result.layout.length_unit;
  const Json source{{"source", result.path},
                    {"length_unit", unit.empty() ? "unknown" : unit},
                    {"angstrom_per_length_unit", json_number(scale)}};
  const Json histogram{{"r_max", json_number(bins.r_max * scale)},
                       {"dr", json_number(bins.width() * scale)},
                       {"sum", frames}};
  const Json log = Json::array(
      {{{"starhist", source}}, {{"histograms", {{"histogram", histogram}}}}});
  return json_text(log, -1);
}

void write_block(hid_t file, const std::string& name, const ResultFile& result,
                 const BlockCounts& block, double scale) {
  const HistogramLayout& layout = result.layout;
  const Hdf5Object group = create_hdf5_group(file, name);
  write_hdf5_attribute(group.get(), "log", pipeline_log(result, scale, block.frames));
  std::vector<double> radii(layout.bins.count);
  for (std::uint32_t k = 0; k < layout.bins.count; ++k) {
    radii[k] = analysis::bin_centre(layout.bins, k) * scale;
  }
  write_hdf5_numbers(group.get(), "histograms/radii", radii, {radii.size()});
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const std::vector<double> counts(block.counts[p].begin(), block.counts[p].end());
    write_hdf5_numbers(group.get(),
                       "histograms/" + pair_key(layout.pairs[p], layout.species),
                       counts, {counts.size()});
  }
  const auto per_frame = [&](const std::string& path, double value) {
    write_hdf5_numbers(group.get(), path, std::vector<double>(block.frames, value),
                       {block.frames});
  };
  for (std::size_t s = 0; s < layout.species.size(); ++s) {
    per_frame("particle_numbers/" + layout.species[s],
              static_cast<double>(block.particle_number[s]) / block.frames);
  }
  if (block.inverse_volume > 0.0) {
    per_frame("volumes/box",
              block.frames / block.inverse_volume * scale * scale * scale);
  }
}

std::uint64_t most_bytes(const HistogramLayout& layout,
                         const std::vector<BlockCounts>& blocks) {
  std::uint64_t bytes = 1024 * 1024;
  for (const BlockCounts& block : blocks) {
    bytes += 8 * ((layout.pairs.size() + 1) * (layout.bins.count + 1024) +
                  (layout.species.size() + 1) * (block.frames + std::uint64_t{1024})) +
             64 * 1024;
  }
  return bytes;
}

}  // namespace

void write_cadishi_histograms(const std::string& path, const ResultFile& result,
                              Overwrite overwrite_partial) {
  check_has_blocks(result);
  check_counted_from_zero(result);
  check_all_pairs_counted(result);
  check_names(result);
  const double scale = angstroms_per(result.layout.length_unit).value_or(1.0);
  const std::vector<BlockCounts> blocks = equal_blocks(result.blocks);
  OutputPath output(
      path, Overwrite::yes,
      overwrite_partial == Overwrite::yes ? OldPartial::remove : OldPartial::refuse);
  output.show();
  Hdf5Object file = create_flushed_file(output.partial());
  try {
    reserve_growth(output.partial(), most_bytes(result.layout, blocks));
    std::uint64_t frames = 0;
    for (const BlockCounts& block : blocks) {
      frames += block.frames;
      write_block(file.get(), std::to_string(frames), result, block, scale);
    }
    if (file.close() < 0) {
      throw RunError(output.partial() + " cannot be closed (" + hdf5_reason() + ")");
    }
    release_reserve(output.partial());
    output.publish();
  } catch (...) {
    if (file) {
      detach_hdf5_file(file.get());
      file = {};
    }
    output.remove();
    throw;
  }
}

}  // namespace starhist::io
