#include "io/export/cadishi_writer.hh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/export_columns.hh"
#include "io/files/json_text.hh"
#include "io/files/whole_file.hh"
#include "io/hdf5/hdf5_image.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/result/passed_on_reader.hh"

namespace starhist::io {
namespace {

std::vector<std::string> sorted_species(const ResultFile& result) {
  std::vector<std::string> species = result.layout.species;
  std::sort(species.begin(), species.end());
  return species;
}

void write_header(std::ostream& out, const std::vector<std::string>& species) {
  std::vector<std::string> pairs;
  for (std::size_t a = 0; a < species.size(); ++a) {
    for (std::size_t b = a; b < species.size(); ++b) {
      pairs.push_back(species[a] + "," + species[b]);
    }
  }
  out << "# " << join(pairs, " ") << '\n';
}

/// Writes the particle numbers of each frame.
void write_numbers(std::ostream& out, const std::vector<std::string>& species,
                   const PassedOn& all) {
  out << "# ";
  for (const std::string& name : species) {
    out << name << ' ';
  }
  out << '\n';
  for (std::uint64_t frame = 0; frame < all.frames; ++frame) {
    out << frame + 1 << ' ';
    for (const std::string& name : species) {
      out << static_cast<std::uint64_t>(
                 all.series.at("particle_numbers/" + name)[frame])
          << ' ';
    }
    out << '\n';
  }
}

void check_names(const ResultFile& result) {
  for (const std::string& name : result.layout.species) {
    if (name.find_first_of(",/") != std::string::npos || name.empty() || name == ".") {
      throw InputError("species '" + name + "' of " + result.path +
                       " has a name that CADISHI's layout cannot hold (no ',' and "
                       "no '/'; rename it with --species)");
    }
  }
}

/// Returns CADISHI's name of a pair: "H,O", in alphabetical order.
std::string pair_key(const SpeciesPair& pair, const std::vector<std::string>& species) {
  const std::string& first = species[pair.first.index()];
  const std::string& second = species[pair.second.index()];
  return std::min(first, second) + "," + std::max(first, second);
}

/// Returns the blocks of each group in the file.
std::vector<std::vector<std::size_t>> blocks_of_groups(const ResultFile& result,
                                                       const CadishiExport& options) {
  const std::vector<BlockCounts>& blocks = result.blocks;
  const std::uint32_t frames =
      options.frames_per_group > 0 ? options.frames_per_group : blocks.front().frames;
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    all.push_back(k);
    if (blocks[k].frames == frames) {
      groups.push_back({k});
    }
  }
  if (options.frames_per_group == 0 && groups.size() < blocks.size()) {
    return {all};
  }
  return groups;
}

/// A group of the file.
struct Group {
  BlockCounts block;
  PassedOn passed;
};

Group make_group(const std::vector<std::size_t>& members, const ResultFile& result,
                 const PassedOnReader& passed) {
  Group group;
  std::vector<BlockCounts> blocks;
  for (const std::size_t k : members) {
    blocks.push_back(result.blocks[k]);
    append(group.passed, passed.block(k));
  }
  group.block = total(blocks);
  return group;
}

using Json = nlohmann::ordered_json;

/// Returns the entries to add to the log of processing steps. CAPRIQORN reads dr and
/// sum from them.
Json own_entries(const ResultFile& result, const CadishiExport& options, double scale,
                 std::uint32_t frames) {
  if (!options.log_entries.empty()) {
    return Json::parse(options.log_entries);
  }
  const UniformBins bins = result.layout.bins;
  const std::string& unit = result.layout.length_unit;
  const Json source{{"source", result.path},
                    {"length_unit", unit.empty() ? "unknown" : unit},
                    {"angstrom_per_length_unit", json_number(scale)}};
  const Json histogram{{"r_max", json_number(bins.r_max * scale)},
                       {"dr", json_number(bins.width() * scale)},
                       {"sum", frames}};
  return Json::array(
      {{{"starhist", source}}, {{"histograms", {{"histogram", histogram}}}}});
}

/// Returns CADISHI's log as JSON: the trajectory's log, followed by `entries`.
std::string pipeline_log(const ResultFile& result, const PassedOn& passed,
                         const Json& entries) {
  Json log = Json::array();
  const auto found = passed.texts.find("log");
  if (found != passed.texts.end()) {
    log = Json::parse(found->second, nullptr, false);
    if (!log.is_array()) {
      throw InputError(result.path +
                       ": the log copied from the trajectory is not a JSON list (the "
                       "file is damaged)");
    }
  }
  log.insert(log.end(), entries.begin(), entries.end());
  return json_text(log, -1);
}

/// Writes one number per frame, as integers if all are integral. Frames without a
/// number are skipped.
void write_series(hid_t group, const std::string& path, std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](double value) { return std::isnan(value); }),
               values.end());
  const bool whole = std::all_of(values.begin(), values.end(), [](double value) {
    return std::trunc(value) == value && std::abs(value) < 0x1p53;
  });
  if (whole) {
    const std::vector<std::int64_t> numbers(values.begin(), values.end());
    write_hdf5_numbers(group, path, numbers, {numbers.size()});
  } else {
    write_hdf5_numbers(group, path, values, {values.size()});
  }
}

/// Writes the data that the trajectory passes on, except for the log.
void write_passed_on(hid_t group, const PassedOn& passed) {
  for (const auto* numbers : {&passed.constants, &passed.sums}) {
    for (const auto& [name, values] : *numbers) {
      write_hdf5_numbers(group, name, values, {values.size()});
    }
  }
  for (const auto& [name, values] : passed.series) {
    write_series(group, name, values);
  }
}

/// Writes mean particle numbers and volumes, unless the trajectory passes them on.
void write_means(hid_t group, const ResultFile& result, const Group& from,
                 double scale) {
  const BlockCounts& block = from.block;
  const auto put = [&](const std::string& path, double value) {
    if (from.passed.series.count(path) == 0) {
      write_series(group, path, std::vector<double>(block.frames, value));
    }
  };
  const std::vector<std::string>& species = result.layout.species;
  for (std::size_t s = 0; s < species.size(); ++s) {
    put("particle_numbers/" + species[s],
        static_cast<double>(block.particle_number[s]) / block.frames);
  }
  if (block.inverse_volume > 0.0) {
    put("volumes/box", block.frames / block.inverse_volume * scale * scale * scale);
  }
}

void write_group(hid_t file, const std::string& name, const ResultFile& result,
                 const Group& from, const CadishiExport& options, double scale) {
  const HistogramLayout& layout = result.layout;
  const Hdf5Object group = create_hdf5_group(file, name);
  write_hdf5_attribute(
      group.get(), "log",
      pipeline_log(result, from.passed,
                   own_entries(result, options, scale, from.block.frames)));
  std::vector<double> radii(std::max(options.bins, layout.bins.count));
  for (std::uint32_t k = 0; k < radii.size(); ++k) {
    radii[k] = options.bin_width > 0.0 ? options.bin_width * (k + 0.5)
                                       : analysis::bin_centre(layout.bins, k) * scale;
  }
  write_hdf5_numbers(group.get(), "histograms/radii", radii, {radii.size()});
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const std::vector<std::uint64_t>& exact = from.block.counts[p];
    std::vector<double> counts(exact.begin(), exact.end());
    counts.resize(radii.size());
    write_hdf5_numbers(group.get(),
                       "histograms/" + pair_key(layout.pairs[p], layout.species),
                       counts, {counts.size()});
  }
  write_passed_on(group.get(), from.passed);
  write_means(group.get(), result, from, scale);
}

}  // namespace

void write_cadishi_histograms(const std::string& path, const ResultFile& result,
                              const CadishiExport& options) {
  check_has_blocks(result);
  check_in_space(result, "a file of CADISHI");
  check_bins_of_equal_width(result, "a file of CADISHI");
  check_counted_from_zero(result);
  check_all_pairs_counted(result);
  check_names(result);
  const double scale = angstroms_per(result.layout.length_unit).value_or(1.0);
  const PassedOnReader passed(result, options.external);
  OutputPath output(
      path, options.overwrite,
      options.overwrite == Overwrite::yes ? OldPartial::remove : OldPartial::refuse);
  Hdf5Object file = create_hdf5_image(output.partial());
  std::uint64_t frames = 0;
  for (const auto& members : blocks_of_groups(result, options)) {
    const Group group = make_group(members, result, passed);
    frames += group.block.frames;
    write_group(file.get(), std::to_string(frames), result, group, options, scale);
  }
  output.replace(hdf5_image(std::move(file)));
  try {
    output.publish();
  } catch (...) {
    output.remove();
    throw;
  }
}

std::array<std::string, 4> cadishi_run_paths(const CadishiRunFiles& files) {
  return {files.directory + "header.dat",
          files.directory + "nrPart." + std::to_string(files.first) + "." +
              std::to_string(files.last) + ".dat",
          files.directory + "preprocessor_log.json",
          files.directory + "histograms.yaml"};
}

void write_cadishi_run_files(const CadishiRunFiles& files, const ResultFile& result) {
  const PassedOnReader passed(result);
  PassedOn all;
  std::string log = "[]";
  for (std::uint64_t block = 0; block < result.blocks.size(); ++block) {
    PassedOn next = passed.block(block);
    next.sums.clear();
    append(all, next);
    if (block == 0 && next.texts.count("log") > 0) {
      log = next.texts["log"];
    }
  }
  const std::vector<std::string> species = sorted_species(result);
  const auto [header, numbers, frames_log, parameters] = cadishi_run_paths(files);
  write_whole_file(header, [&](std::ostream& out) { write_header(out, species); });
  write_whole_file(numbers,
                   [&](std::ostream& out) { write_numbers(out, species, all); });
  write_whole_file(frames_log, [&](std::ostream& out) {
    out << nlohmann::json::parse(log).dump(4, ' ', true);
  });
  write_whole_file(parameters, [&](std::ostream& out) { out << files.parameters; });
}

std::string cadishi_log_entries(const std::string& parameters) {
  using SortedJson = nlohmann::json;
  const SortedJson all = SortedJson::parse(parameters);
  const SortedJson& input = all.at("input");
  const SortedJson& output = all.at("output");
  const SortedJson& file = input.at("file");
  const SortedJson reader{{"file", file.is_array() ? file : SortedJson::array({file})},
                          {"first", input.at("first")},
                          {"last", input.at("last")},
                          {"step", input.at("step")},
                          {"shuffle", false},
                          {"shuffle_reproducible", false}};
  const SortedJson writer{{"file", output.at("directory").get<std::string>() +
                                       output.at("file").get<std::string>()},
                          {"compression", nullptr}};
  return SortedJson::array(
             {{{"H5Reader", reader}}, {{"histograms", all}}, {{"H5Writer", writer}}})
      .dump();
}

}  // namespace starhist::io
