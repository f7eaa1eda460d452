#include "io/result/result_reader.hh"

#include <cmath>
#include <functional>
#include <unordered_set>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/log/record_log.hh"
#include "io/log/result_log.hh"
#include "io/result/result_blocks.hh"
#include "io/result/result_contents.hh"
#include "io/result/result_header.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {

void refuse_damaged(hid_t parent, const std::string& name, const std::string& problem) {
  throw InputError(hdf5_location(parent, name) + ": " + problem +
                   " (the file is damaged)");
}

void check_version(hid_t file, const std::string& path, std::int32_t known) {
  const Hdf5Object module = open_hdf5_group(file, path);
  const auto version = read_hdf5_numbers<std::int32_t>(module.get(), "version");
  if (version.size() != 2 || version[0] != known) {
    throw InputError(hdf5_location(module.get()) +
                     ": this version of the layout is not known (it was written by a "
                     "newer starhist)");
  }
}

std::vector<std::string> read_texts(hid_t histogram, const std::string& name) {
  const Hdf5Object dataset = open_hdf5_dataset(histogram, name);
  const auto shape = hdf5_shape(dataset.get());
  if (shape.size() != 1 || shape[0] == 0) {
    refuse_damaged(histogram, name, "has an unexpected shape");
  }
  check_hdf5_extent(dataset.get(), static_cast<double>(shape[0]));
  return read_hdf5_strings(dataset.get());
}

std::string read_text(hid_t group, const std::string& attribute) {
  const auto texts = read_hdf5_strings(group, attribute);
  if (texts.size() != 1) {
    refuse_damaged(group, attribute, "has an unexpected shape");
  }
  return texts.front();
}

std::vector<std::string> read_selections(hid_t histogram, std::size_t species_count) {
  if (!hdf5_exists(histogram, result_layout::selection)) {
    return {};
  }
  std::vector<std::string> selections = read_texts(histogram, result_layout::selection);
  if (selections.size() != species_count) {
    refuse_damaged(histogram, result_layout::selection, "does not match the species");
  }
  return selections;
}

namespace {

/// The bins between the edges of the file. Throws InputError for unusable edges.
UniformBins read_explicit_bins(hid_t histogram) {
  const Hdf5Object dataset = open_hdf5_dataset(histogram, "bin_edges");
  const auto shape = hdf5_shape(dataset.get());
  if (shape.size() != 1 || shape[0] > max_explicit_bins + 1) {
    refuse_damaged(histogram, "bin_edges", "has an unexpected shape");
  }
  return make_bins_between(read_hdf5_numbers<double>(dataset.get()));
}

bool has_explicit_edges(hid_t file) {
  const Hdf5Object group = open_hdf5_group(file, result_layout::parameters);
  if (!hdf5_has_attribute(group.get(), result_layout::bins)) {
    return false;
  }
  if (read_text(group.get(), result_layout::bins) != result_layout::between_edges) {
    refuse_damaged(group.get(), result_layout::bins, "is not \"edges\"");
  }
  return true;
}

UniformBins read_bins(hid_t file, hid_t histogram) {
  const Hdf5Object group = open_hdf5_group(file, result_layout::parameters);
  const double r_max = read_shaped<double>(group.get(), "r_max", {}).front();
  const auto count = read_shaped<std::uint64_t>(group.get(), "bin_count", {}).front();
  const bool from_zero = !hdf5_exists(group.get(), "bins_below");  // older results
  const std::uint64_t below =
      from_zero ? 0 : read_shaped<std::uint64_t>(group.get(), "bins_below", {}).front();
  UniformBins bins;
  const bool explicit_edges = has_explicit_edges(file);
  try {
    bins =
        explicit_edges ? read_explicit_bins(histogram) : make_bins(r_max, count, below);
  } catch (const InputError& error) {
    refuse_damaged(group.get(), "", error.what());
  }
  if (bins.r_max != r_max || bins.count != count || bins.below != below) {
    refuse_damaged(histogram, "bin_edges", "does not match r_max and bin_count");
  }
  // Checks the bin count against the file before bin_edges() allocates memory for it.
  const auto edges = read_shaped<double>(histogram, "bin_edges", {count + 1});
  if (edges != bin_edges(bins)) {
    refuse_damaged(histogram, "bin_edges", "does not follow from r_max and bin_count");
  }
  return bins;
}

Exclusion read_exclusion(hid_t file) {
  const Hdf5Object group = open_hdf5_group(file, result_layout::parameters);
  if (!hdf5_has_attribute(group.get(), result_layout::exclusion)) {
    return Exclusion::none;
  }
  const std::string text = read_text(group.get(), result_layout::exclusion);
  try {
    return parse_exclusion(text);
  } catch (const InputError& error) {
    refuse_damaged(group.get(), "", error.what());
  }
}

Plane read_plane(hid_t file) {
  const Hdf5Object group = open_hdf5_group(file, result_layout::parameters);
  if (!hdf5_has_attribute(group.get(), result_layout::plane)) {
    return Plane::none;
  }
  const std::string text = read_text(group.get(), result_layout::plane);
  for (const Plane plane : {Plane::xy, Plane::xz, Plane::yz}) {
    if (text == to_string(plane)) {
      return plane;
    }
  }
  refuse_damaged(group.get(), result_layout::plane, "is not xy, xz or yz");
}

Region read_region(hid_t file) {
  const Hdf5Object group = open_hdf5_group(file, result_layout::parameters);
  Region region;
  if (!hdf5_has_attribute(group.get(), result_layout::geometry)) {
    return region;
  }
  const std::string name = read_text(group.get(), result_layout::geometry);
  try {
    region.shape = parse_shape(name);
  } catch (const InputError& error) {
    refuse_damaged(group.get(), result_layout::geometry, error.what());
  }
  region.size = read_shaped<double>(group.get(), result_layout::extent, {}).front();
  if (region.shape == Region::Shape::box || !std::isfinite(region.size) ||
      !(region.size > 0.0)) {
    refuse_damaged(group.get(), result_layout::extent, "does not fit the geometry");
  }
  return region;
}

std::optional<SecondAxis> read_second_axis(hid_t file, Plane plane, double r_max) {
  if (!hdf5_exists(file, result_layout::second_axis_path)) {
    return std::nullopt;
  }
  const Hdf5Object group = open_hdf5_group(file, result_layout::second_axis_path);
  check_version(file, result_layout::second_axis_path,
                result_layout::second_axis_version(plane));
  const std::string text = read_text(group.get(), result_layout::second_axis);
  SecondAxis axis;
  try {
    axis = parse_second_axis(text);
  } catch (const InputError& error) {
    refuse_damaged(group.get(), result_layout::second_axis, error.what());
  }
  const char* const edges = result_layout::second_edges;
  const auto shape = hdf5_shape(open_hdf5_dataset(group.get(), edges).get());
  if (shape.size() != 1 || shape[0] < 2 || shape[0] > most_second_bins + 1) {
    refuse_damaged(group.get(), edges, "has an unexpected shape");
  }
  axis.count = static_cast<std::uint32_t>(shape[0] - 1);
  const auto values = read_shaped<double>(group.get(), edges, shape);
  if (plane != Plane::none) {
    axis.limit = values.back();
    if (!std::isfinite(axis.limit) || !axis.along_normal() ||
        axis.kind != SecondAxis::Kind::component ||
        axis.axis != static_cast<int>(normal_axis(plane))) {
      refuse_damaged(group.get(), result_layout::second_axis, "does not fit the plane");
    }
  }
  if (values != axis.edges(r_max)) {
    refuse_damaged(group.get(), edges, "does not follow from the axis and r_max");
  }
  return axis;
}

std::vector<SpeciesElement> read_elements(hid_t histogram, std::size_t species_count) {
  if (!hdf5_exists(histogram, result_layout::element)) {
    return {};
  }
  const auto symbols = read_texts(histogram, result_layout::element);
  const auto sources = read_texts(histogram, result_layout::element_source);
  if (symbols.size() != species_count || sources.size() != species_count) {
    refuse_damaged(histogram, result_layout::element, "does not match the species");
  }
  std::vector<SpeciesElement> elements;
  for (std::size_t s = 0; s < species_count; ++s) {
    elements.push_back({symbols[s], sources[s]});
  }
  return elements;
}

/// `repeat`: the same pair may have several channels.
std::vector<SpeciesPair> read_pairs(hid_t histogram, std::size_t species_count,
                                    bool repeat) {
  const Hdf5Object dataset = open_hdf5_dataset(histogram, "pair_species");
  const auto shape = hdf5_shape(dataset.get());
  if (shape.size() != 2 || shape[0] == 0) {
    refuse_damaged(histogram, "pair_species", "has an unexpected shape");
  }
  const auto ids = read_shaped<std::int32_t>(histogram, "pair_species", {shape[0], 2});
  std::vector<SpeciesPair> pairs;
  std::unordered_set<std::uint64_t> known;  // hundreds of species make 10^5 pairs
  for (std::size_t i = 0; i < ids.size(); i += 2) {
    const bool valid = ids[i] >= 0 && ids[i] <= ids[i + 1] &&
                       static_cast<std::size_t>(ids[i + 1]) < species_count;
    if (!valid) {
      refuse_damaged(histogram, "pair_species",
                     "pair (" + std::to_string(ids[i]) + ", " +
                         std::to_string(ids[i + 1]) + ") is not one of the species");
    }
    const SpeciesPair pair{SpeciesId(static_cast<std::uint32_t>(ids[i])),
                           SpeciesId(static_cast<std::uint32_t>(ids[i + 1]))};
    if (!known.insert(std::uint64_t{pair.first.get()} << 32U | pair.second.get())
             .second &&
        !repeat) {
      refuse_damaged(histogram, "pair_species", "a pair occurs twice");
    }
    pairs.push_back(pair);
  }
  return pairs;
}

herr_t add_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  return append_name(*static_cast<std::vector<std::string>*>(names), name);
}

}  // namespace

RunRecord read_record(hid_t file) {
  if (!hdf5_is_group(file, result_layout::provenance)) {
    return {};
  }
  const Hdf5Object group = open_hdf5_group(file, result_layout::provenance);
  std::vector<std::string> names;
  check_hdf5<InputError>(H5Aiterate2(group.get(), H5_INDEX_CRT_ORDER, H5_ITER_INC,
                                     nullptr, add_name, &names),
                         group.get(), "", "cannot be listed");
  RunRecord record;
  for (const std::string& name : names) {
    const auto values = read_hdf5_strings(group.get(), name);
    record.emplace_back(name, values.empty() ? "" : values.front());
  }
  return record;
}

Hdf5Object open_result(const std::string& path, ExternalFiles external) {
  return is_record_log(path) ? open_result_log(path).file
                             : open_inspected_hdf5_file(path, external);
}

ResultState read_state(hid_t counts, const std::string& path) {
  if (hdf5_has_attribute(counts, result_layout::complete)) {
    return ResultState::complete;
  }
  if (!is_record_log(path)) {
    throw InputError(path +
                     ": is an unfinished result of a version of starhist before 0.3, "
                     "which this version cannot read (finish it with that version, or "
                     "count all frames again, with --force)");
  }
  return ResultState::partial;
}

bool has_groups_of(hid_t file, const result_layout::KindOfResult& kind) {
  return hdf5_is_group(file, kind.module) && hdf5_is_group(file, kind.counts);
}

bool is_result_of(const result_layout::KindOfResult& kind, const std::string& path,
                  ExternalFiles external) {
  try {
    const Hdf5Object file = is_record_log(path)
                                ? open_log_header(path)
                                : open_inspected_hdf5_file(path, external);
    return has_groups_of(file.get(), kind);
  } catch (const InputError&) {
    return false;
  }
}

ResultFile read_result_of(hid_t file, const result_layout::KindOfResult& kind,
                          const std::string& path, ExternalFiles external,
                          const std::function<void(BlockCounts&&)>& sink) {
  const Plane plane = read_plane(file);
  const Region region = read_region(file);
  check_version(
      file, kind.module,
      result_layout::version_of(kind, !has_explicit_edges(file), plane, region.shape));
  const Hdf5Object histogram = open_hdf5_group(file, kind.counts);
  ResultFile result;
  result.path = path;
  result.external_files = external_files_of(path, external);
  result.edge_shift = read_edge_shift(file);
  result.layout.bins = read_bins(file, histogram.get());
  result.layout.species = read_texts(histogram.get(), "species");
  result.layout.elements = read_elements(histogram.get(), result.layout.species.size());
  result.layout.selections =
      read_selections(histogram.get(), result.layout.species.size());
  result.layout.pairs =
      read_pairs(histogram.get(), result.layout.species.size(), kind.has_lags);
  const Hdf5Object parameters = open_hdf5_group(file, result_layout::parameters);
  result.layout.length_unit =
      length_unit_spelling(read_text(parameters.get(), result_layout::length_unit));
  result.layout.time_unit =
      time_unit_spelling(read_text(parameters.get(), result_layout::time_unit));
  result.layout.exclusion = read_exclusion(file);
  result.layout.plane = plane;
  result.layout.region = region;
  result.record = read_record(file);
  result.state = read_state(histogram.get(), path);
  result.damaged = hdf5_has_attribute(file, damaged_attribute);
  result.layout.second = read_second_axis(file, plane, result.layout.bins.r_max);
  read_blocks(histogram.get(), result, sink);
  return result;
}

namespace {

/// Reads a result, passing its blocks to `sink`.
ResultFile read_with_blocks_to(const std::string& path, ExternalFiles external,
                               const std::function<void(BlockCounts&&)>& sink) {
  const Hdf5Object file = open_result(path, external);
  if (!has_groups_of(file.get(), result_layout::pair_histogram)) {
    if (has_groups_of(file.get(), result_layout::van_hove)) {
      throw InputError(
          path +
          ": is a result of starhist vanhove, which has no g(r) of single "
          "frames (use starhist export, plot, info and analyze --quantity fqt with it; "
          "starhist rdf counts g(r))");
    }
    if (has_groups_of(file.get(), result_layout::coordination)) {
      throw InputError(path +
                       ": is a result of starhist coordination, which has no g(r) (use "
                       "starhist export and starhist info with it; starhist rdf counts "
                       "g(r))");
    }
    throw InputError(path + ": is not a result of starhist (it has no " +
                     result_layout::histogram + "): pass the output of starhist rdf");
  }
  return read_result_of(file.get(), result_layout::pair_histogram, path, external,
                        sink);
}

}  // namespace

ResultFile read_result(const std::string& path, ExternalFiles external) {
  std::vector<BlockCounts> blocks;
  ResultFile result = read_with_blocks_to(
      path, external, [&](BlockCounts&& block) { blocks.push_back(std::move(block)); });
  result.blocks = std::move(blocks);
  return result;
}

ResultFile read_result_blocks(const std::string& path,
                              const std::function<void(BlockCounts&&)>& sink) {
  return read_with_blocks_to(path, ExternalFiles::refused, sink);
}

RunRecord read_run_record(const std::string& path) {
  return read_record(open_result(path, ExternalFiles::refused).get());
}

ResultExtent read_result_extent(const std::string& path) {
  ResultExtent extent;
  const ResultFile result =
      read_with_blocks_to(path, ExternalFiles::refused, [&](BlockCounts&& block) {
        if (extent.blocks == 0) {
          extent.first_frame = block.first_frame;
        }
        extent.last_frame = block.last_frame;
        extent.frames += block.frames;
        ++extent.blocks;
      });
  extent.state = result.state;
  return extent;
}

bool is_result(const std::string& path, ExternalFiles external) {
  return is_result_of(result_layout::pair_histogram, path, external);
}

}  // namespace starhist::io
