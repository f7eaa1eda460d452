#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/layout_text.hh"
#include "driver/commands/command.hh"
#include "driver/commands/lag_times.hh"
#include "driver/commands/result_input.hh"
#include "driver/commands/shared_frames.hh"
#include "driver/options/manual.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/summary_text.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/run_summary.hh"
#include "driver/run/version.hh"
#include "io/export/export_columns.hh"
#include "io/export/neighbours/coordination_table.hh"
#include "io/files/file_signature.hh"
#include "io/output/coordination_writer.hh"
#include "io/output/result_writer.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/read_from.hh"
#include "io/particles/species_order.hh"
#include "io/result/external_record.hh"
#include "io/result/lag_result.hh"
#include "io/result/passed_on_reader.hh"
#include "io/result/result_reader.hh"
#include "io/trajectory/repeated_frames.hh"

namespace starhist::driver {
namespace {

using Names = std::vector<std::string>;

/// "only a.h5 has C1, C2", or "" if `other` has all names. Long lists are shortened.
std::string surplus(const std::string& path, const Names& names, const Names& other) {
  Names more;
  for (const std::string& name : names) {
    if (std::find(other.begin(), other.end(), name) == other.end()) {
      more.push_back(name);
    }
  }
  return more.empty() ? "" : "only " + path + " has " + listed(more);
}

/// End of a message about equal names in another order.
std::string order_remedy(const std::string& what, Names names) {
  if (what != "species") {
    return " (count both with the same --" + what + ", in the same order)";
  }
  io::sort_species(names);
  return " (the order must be the same: starhist sorts species, so callers of the C "
         "library name them in the order " +
         listed(names) + " in starhist_set_species())";
}

void check_same_names(const std::string& what, const io::ResultFile& a,
                      const Names& of_a, const io::ResultFile& b, const Names& of_b) {
  if (of_a == of_b) {
    return;
  }
  const std::string first = surplus(a.path, of_a, of_b);
  const std::string second = surplus(b.path, of_b, of_a);
  const bool same_set = first.empty() && second.empty();
  throw InputError(
      "results with different " + what + " cannot be merged: " +
      (same_set ? a.path + " has " + listed(of_a) + ", " + b.path + " has " +
                      listed(of_b) + order_remedy(what, of_a)
                : first + (first.empty() || second.empty() ? "" : ", ") + second));
}

/// Removes the species that are in no pair.
void keep_species_of_pairs(io::ResultFile& result) {
  HistogramLayout& layout = result.layout;
  std::vector<char> used(layout.species.size());
  for (const SpeciesPair& pair : layout.pairs) {
    used[pair.first.index()] = used[pair.second.index()] = 1;
  }
  std::vector<SpeciesId> number(used.size());  // new number of each species
  Names species;
  std::vector<SpeciesElement> elements;
  Names selections;
  for (std::size_t s = 0; s < used.size(); ++s) {
    number[s] = SpeciesId(static_cast<std::uint32_t>(species.size()));
    if (used[s] != 0) {
      species.push_back(layout.species[s]);
      elements.push_back(io::element_of(layout, s));
      if (!layout.selections.empty()) {
        selections.push_back(layout.selections[s]);
      }
    }
  }
  for (SpeciesPair& pair : layout.pairs) {
    pair = {number[pair.first.index()], number[pair.second.index()]};
  }
  layout.species = std::move(species);
  layout.elements = std::move(elements);
  layout.selections = std::move(selections);
  for (BlockCounts& block : result.blocks) {
    for (auto* numbers : {&block.particle_number, &block.empty_frames}) {
      std::vector<std::uint64_t> kept;
      for (std::size_t s = 0; s < numbers->size(); ++s) {
        if (used[s] != 0) {
          kept.push_back((*numbers)[s]);
        }
      }
      *numbers = std::move(kept);
    }
  }
  const bool any_changes =
      std::any_of(layout.selections.begin(), layout.selections.end(),
                  [](const std::string& rule) { return !rule.empty(); });
  if (!any_changes) {
    layout.selections.clear();
    for (BlockCounts& block : result.blocks) {
      block.empty_frames.clear();
    }
  }
}

/// If results differ in species that are in no pair, removes these species from all.
void agree_in_species(std::vector<io::ResultFile>& results) {
  const Names first = results.front().layout.species;
  const bool same = std::all_of(
      results.begin(), results.end(),
      [&](const io::ResultFile& result) { return result.layout.species == first; });
  if (!same) {
    for (io::ResultFile& result : results) {
      keep_species_of_pairs(result);
    }
  }
}

/// Sorts values of species or pairs: entry k becomes values[place[k]].
template <class Value>
void rearrange(std::vector<Value>& values, const std::vector<std::size_t>& place) {
  std::vector<Value> sorted;
  for (std::size_t k = 0; k < place.size() && !values.empty(); ++k) {
    sorted.push_back(std::move(values[place[k]]));
  }
  values = std::move(sorted);
}

/// Sorts species and pairs into the order of `first`, because O-H is H-O. Does not
/// change a result with other species or pairs, or with a second axis, whose cosines
/// depend on the order.
void agree_in_order(const HistogramLayout& first, io::ResultFile& result) {
  HistogramLayout& layout = result.layout;
  if (layout.second) {
    return;
  }
  std::vector<std::size_t> species;  // by number in `first`
  for (const std::string& name : first.species) {
    const auto found = std::find(layout.species.begin(), layout.species.end(), name);
    species.push_back(static_cast<std::size_t>(found - layout.species.begin()));
  }
  std::vector<std::size_t> pairs;
  for (const SpeciesPair& pair : first.pairs) {
    const std::size_t a = species[pair.first.index()];
    const std::size_t b = species[pair.second.index()];
    const auto found = std::find_if(
        layout.pairs.begin(), layout.pairs.end(), [&](const SpeciesPair& own) {
          return (own.first.index() == a && own.second.index() == b) ||
                 (own.first.index() == b && own.second.index() == a);
        });
    if (found == layout.pairs.end()) {
      return;
    }
    pairs.push_back(static_cast<std::size_t>(found - layout.pairs.begin()));
  }
  if (species.size() != layout.species.size() || pairs.size() != layout.pairs.size() ||
      std::count(species.begin(), species.end(), layout.species.size()) > 0) {
    return;
  }
  rearrange(layout.species, species);
  rearrange(layout.elements, species);
  rearrange(layout.selections, species);
  layout.pairs = first.pairs;
  for (BlockCounts& block : result.blocks) {
    rearrange(block.particle_number, species);
    rearrange(block.empty_frames, species);
    rearrange(block.counts, pairs);
    rearrange(block.underflow, pairs);
    rearrange(block.out_of_range, pairs);
    rearrange(block.pairs, pairs);
    rearrange(block.excluded, pairs);
    rearrange(block.pairs_over_volume, pairs);
  }
}

std::string edges_text(double edge_shift) {
  return edge_shift == 0.0
             ? "edges at whole numbers of bins (counted by an older version)"
             : "edges shifted down by a billionth of a bin (counted by this version)";
}

std::string unit_text(const HistogramLayout& layout) {
  const auto said = [](const std::string& unit) {
    return unit.empty() ? std::string("no unit") : unit;
  };
  return said(layout.length_unit) + " and " + said(layout.time_unit);
}

/// End of a message: the option that sets the unit missing in one of the results.
std::string unit_remedy(const HistogramLayout& a, const HistogramLayout& b) {
  const bool length = a.length_unit.empty() != b.length_unit.empty();
  if (!length && a.length_unit != b.length_unit) {
    return " (merge does not convert: count all of them in one length unit)";
  }
  const bool time = a.time_unit.empty() != b.time_unit.empty();
  if (length && time) {
    return " (give the units of results without them with --unit and --time-unit)";
  }
  return length ? " (give the length unit of results without one with --unit)"
         : time ? " (give the time unit of results without one with --time-unit)"
                : "";
}

/// "near = 'name OW and z < 2'", or "the same W in all frames".
std::string selection_text(const HistogramLayout& layout, std::size_t species) {
  const std::string rule = layout.selections.empty() ? "" : layout.selections[species];
  return rule.empty() ? "the same " + layout.species[species] + " in all frames"
                      : layout.species[species] + " = '" + rule + "'";
}

/// Warns of results whose mean numbers of particles of a species differ by more than a
/// tenth: they may be of different systems. "" otherwise.
std::string other_system_sentence(const io::ResultFile& a, const io::ResultFile& b) {
  if (a.blocks.empty() || b.blocks.empty()) {
    return "";
  }
  const BlockCounts all_a = total(a.blocks);
  const BlockCounts all_b = total(b.blocks);
  const auto warning = [&](double sum_a, double sum_b, const std::string& before,
                           const std::string& after) {
    constexpr double most_different = 0.1;
    const double of_a = sum_a / all_a.frames;
    const double of_b = sum_b / all_b.frames;
    return std::abs(of_a - of_b) > most_different * std::max(of_a, of_b)
               ? "starhist: " + a.path + " has " + before + rounded_text(of_a) + after +
                     " per frame, " + b.path + " has " + rounded_text(of_b) +
                     ": if they are of different systems, the merged g(r) describes "
                     "neither\n"
               : "";
  };
  for (std::size_t s = 0; s < a.layout.species.size(); ++s) {
    std::string text = warning(static_cast<double>(all_a.particle_number[s]),
                               static_cast<double>(all_b.particle_number[s]), "",
                               " " + a.layout.species[s]);
    if (!text.empty()) {
      return text;
    }
  }
  const std::string& unit = a.layout.length_unit;
  return warning(all_a.volume, all_b.volume, "a volume of ",
                 unit.empty() ? "" : " " + unit + "^3");
}

/// Returns an order of results in which the results of one trajectory follow each other
/// in the order of their frames. Errors and block tests compare neighbouring blocks.
std::vector<std::size_t> order_of_frames(const std::vector<io::ResultFile>& results) {
  using Key = std::pair<std::size_t, std::uint64_t>;
  std::map<std::size_t, std::size_t> place;  // of a trajectory
  std::map<const io::ResultFile*, Key> keys;
  for (const CountedRun& run : counted_runs(results)) {
    const std::size_t of_result =
        place.emplace(run.trajectory, place.size()).first->second;
    const std::vector<std::uint64_t> frames = run.frame_numbers();
    keys.emplace(run.result, Key{of_result, frames.empty() ? 0 : frames.front()});
  }
  std::vector<std::size_t> order(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return keys[&results[a]] < keys[&results[b]];
  });
  return order;
}

/// " of 3 trajectories", or "" for one.
std::string trajectories_text(const std::vector<io::ResultFile>& results) {
  std::set<std::size_t> trajectories;
  for (const CountedRun& run : counted_runs(results)) {
    trajectories.insert(run.trajectory);
  }
  return trajectories.size() < 2
             ? ""
             : " of " + std::to_string(trajectories.size()) + " trajectories";
}

/// Throws InputError with the first property in which the layouts differ.
void check_same_layout(const io::ResultFile& a, const io::ResultFile& b) {
  const auto compare = [&](const char* what, const std::string& of_a,
                           const std::string& of_b, const std::string& remedy = "") {
    if (of_a != of_b) {
      throw InputError("results with different " + std::string(what) +
                       " cannot be merged: " + a.path + " has " + of_a + ", " + b.path +
                       " has " + of_b + remedy);
    }
  };
  check_same_names("pairs", a, pair_names(a.layout), b, pair_names(b.layout));
  compare("units", unit_text(a.layout), unit_text(b.layout),
          unit_remedy(a.layout, b.layout));
  compare("bins", bins_text(a.layout.bins), bins_text(b.layout.bins));
  compare("edges of bins", edges_text(a.edge_shift), edges_text(b.edge_shift),
          ": recount the older one with this version");
  for (std::size_t s = 0; s < a.layout.species.size(); ++s) {
    const std::string of_a = io::element_of(a.layout, s).element;
    const std::string of_b = io::element_of(b.layout, s).element;
    if (!of_a.empty() && !of_b.empty()) {
      compare("elements", a.layout.species[s] + " of " + of_a,
              b.layout.species[s] + " of " + of_b);
    }
  }
  for (std::size_t s = 0; s < a.layout.species.size(); ++s) {
    compare("selections", selection_text(a.layout, s), selection_text(b.layout, s),
            " (count both with the same --species)");
  }
  compare("planes", plane_text(a.layout.plane), plane_text(b.layout.plane));
  compare("volumes", region_text(a.layout.region), region_text(b.layout.region),
          " (give both the same --volume, or --geometry and --extent)");
  compare("second axes", second_axis_text(a.layout.second),
          second_axis_text(b.layout.second),
          " (count both with the same --axis2, --axis2-bins and --axis2-max)");
  compare("excluded pairs", to_string(a.layout.exclusion),
          to_string(b.layout.exclusion));
}

/// The elements that all results record, with their sources; prints a note about those
/// that only some record.
std::vector<SpeciesElement> common_elements(
    const std::vector<io::ResultFile>& results) {
  std::vector<SpeciesElement> common;
  const HistogramLayout& first = results.front().layout;
  for (std::size_t s = 0; s < first.species.size(); ++s) {
    SpeciesElement element = io::element_of(first, s);
    std::string without;
    bool any = false;
    for (const io::ResultFile& result : results) {
      const SpeciesElement own = io::element_of(result.layout, s);
      any = any || !own.element.empty();
      without = own.element.empty() ? result.path : without;
      io::add_phrase(own.source, element.source);
    }
    if (any && !without.empty()) {
      std::cerr << "starhist: " << without << " does not record the element of "
                << first.species[s]
                << ", so the merged result does not either (give it to starhist "
                   "analyze with --element)\n";
      element = {};
    }
    common.push_back(element);
  }
  return common;
}

/// Writes the passed-on data of the results' blocks, if all results have them.
void pass_on(const std::vector<io::ResultFile>& results, io::ExternalFiles external,
             io::ResultWriter& writer) {
  std::vector<io::PassedOnReader> readers;
  for (const io::ResultFile& result : results) {
    readers.emplace_back(result, external);
    if (readers.back().empty()) {
      return;
    }
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    for (std::uint64_t block = 0; block < results[k].blocks.size(); ++block) {
      writer.pass_on(readers[k].block(block));
    }
  }
}

void tell_unfinished(const io::ResultFile& result) {
  if (result.state == io::ResultState::partial) {
    std::cerr << "starhist: " << result.path << " is from an unfinished run: its "
              << counted(result.blocks.size(), "block")
              << (result.blocks.size() == 1 ? " is" : " are") << " merged\n";
  }
}

/// `units`: for results that do not record theirs.
std::vector<io::ResultFile> read_results(const std::vector<std::string>& paths,
                                         io::ExternalFiles external,
                                         const io::ShownUnits& units) {
  std::vector<io::ResultFile> results;
  for (const std::string& path : paths) {
    results.push_back(read_result_input(path, external));
    io::set_units(results.back(), units);
  }
  agree_in_species(results);
  for (std::size_t n = 0; n < results.size(); ++n) {
    agree_in_order(results.front().layout, results[n]);
    const io::ResultFile& last = results[n];
    check_same_layout(results.front(), last);
    tell_unfinished(last);
    std::cerr << other_system_sentence(results.front(), last);
  }
  return results;
}

/// Results of starhist vanhove. Throws InputError if they cannot be merged.
std::vector<io::LagResult> read_lag_results(const std::vector<std::string>& paths,
                                            io::ExternalFiles external,
                                            const io::ShownUnits& units) {
  std::vector<io::LagResult> results;
  for (const std::string& path : paths) {
    results.push_back(io::read_lag_result(path, external));
    io::set_units(results.back(), units);
    const io::LagResult& a = results.front();
    const io::LagResult& b = results.back();
    check_same_names("species", a.channels, a.layout.pairs.species, b.channels,
                     b.layout.pairs.species);
    if (a.layout.lags != b.layout.lags) {
      throw InputError(
          "results with different lags cannot be merged: " + a.channels.path + " and " +
          b.channels.path + " (give both the same --lags)");
    }
    check_same_layout(a.channels, b.channels);
    tell_unfinished(b.channels);
  }
  return results;
}

/// Throws InputError if frames would count twice without being allowed to, or if runs
/// of one trajectory do not match; reports missing frames. Returns
/// MissingFrames::parts.
std::vector<std::string> check_frames(const std::vector<io::ResultFile>& results,
                                      io::RepeatedFrames repeated) {
  const std::vector<CountedRun> runs = counted_runs(results);
  check_same_settings(runs);
  std::set<std::string> reported;
  for (const io::ResultFile& result : results) {
    if (!reported.insert(result.path).second) {
      continue;  // given twice
    }
    if (std::any_of(runs.begin(), runs.end(), [&](const CountedRun& run) {
          return run.result == &result && !run.has_checksums;
        })) {
      std::cerr
          << "starhist: " << result.path
          << " has no frame checksums (as results of the C library and of old "
             "versions): frames that it shares with another result are recognized "
             "only if both read the same file, or have identical blocks\n";
    }
  }
  const std::string shared = shared_frame(runs);
  if (!shared.empty() && repeated == io::RepeatedFrames::fail) {
    throw InputError(
        shared +
        " would count twice: give each result once, and only results that share "
        "no frames (see starhist rdf --first, --last, --part); to count shared frames "
        "twice, give --repeated keep");
  }
  if (!shared.empty()) {
    std::cerr << "starhist: " << shared << " counts twice\n";
  }
  MissingFrames missing = missing_frames(runs);
  for (const std::string& message : missing.messages) {
    std::cerr << "starhist: " << message << '\n';
  }
  return std::move(missing.parts);
}

/// Reports frames in which selections are empty. Throws InputError if one is empty in
/// all frames.
void report_empty_selections(const std::vector<io::ResultFile>& results) {
  const HistogramLayout& layout = results.front().layout;
  std::vector<std::uint64_t> empty(layout.selections.size());
  std::uint64_t frames = 0;
  for (const io::ResultFile& result : results) {
    for (const BlockCounts& block : result.blocks) {
      frames += block.frames;
      for (std::size_t s = 0; s < empty.size(); ++s) {
        empty[s] += block.empty_frames[s];
      }
    }
  }
  check_selections(layout, empty, frames);
  for (const auto& [species, without] : empty_selections(layout, empty)) {
    std::cerr << "starhist: " << empty_selection_sentence(species, without, frames)
              << '\n';
  }
}

/// `missing`: MissingFrames::parts.
io::RunRecord make_record(const std::vector<io::ResultFile>& results,
                          const std::vector<std::string>& missing) {
  io::RunRecord record{{"program", "starhist merge"}, {"version", version()}};
  if (!missing.empty()) {
    record.emplace_back(io::missing_parts_entry, join(missing, "; "));
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::string name = "result " + std::to_string(k + 1);
    record.emplace_back(name, results[k].path);
    record.emplace_back(name + merged_blocks, std::to_string(results[k].blocks.size()));
    io::add_external_files(results[k].external_files, name + " ", record);
    for (const auto& [key, value] : results[k].record) {
      record.emplace_back(name + " " + key, value);
    }
  }
  return record;
}

ExitCode code_of(const std::vector<std::string>& missing_parts) {
  return missing_parts.empty() ? ExitCode::done : ExitCode::frames_left_out;
}

/// Merges results of starhist vanhove.
ExitCode merge_lag_results(const ParsedOptions& parsed, const io::ShownUnits& units,
                           io::RepeatedFrames repeated) {
  const std::string output = parsed.get("output");
  std::vector<io::LagResult> results =
      read_lag_results(parsed.positional, external_files(parsed), units);
  std::vector<io::ResultFile> channels;
  for (io::LagResult& result : results) {
    check_external_conflicts(merge_manual(), parsed, result.channels.external_files);
    channels.push_back(std::move(result.channels));
  }
  check_same_lag_times(results, channels, counted_runs(channels));
  const std::vector<std::size_t> order = order_of_frames(channels);
  rearrange(channels, order);
  rearrange(results, order);
  const std::vector<std::string> absent = check_frames(channels, repeated);
  const bool are_parts =
      std::all_of(channels.begin(), channels.end(), [](const io::ResultFile& result) {
        return io::value_of(result.record, "option --part").has_value();
      });
  const std::string from = trajectories_text(channels);
  LagLayout layout = results.front().layout;
  layout.pairs.elements = common_elements(channels);
  io::ResultWriter writer(output, layout, make_record(channels, absent),
                          parsed.has("force"), channels.front().edge_shift);
  std::uint64_t blocks = 0;
  std::uint64_t frames = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    for (std::size_t b = 0; b < channels[k].blocks.size(); ++b) {
      LaggedBlock block{std::move(channels[k].blocks[b]),
                        std::move(results[k].displacements[b])};
      block.pairs.index = BlockIndex(blocks++);
      frames += block.pairs.frames;
      writer.append(block);
    }
  }
  writer.finish({});
  std::cerr << output << ": " << counted(frames, "frame") << " in "
            << counted(blocks, "block") << from
            << (are_parts ? "" : "; without pairs of frames from two results") << '\n';
  return code_of(absent);
}

/// Results of starhist coordination. Throws InputError if they cannot be merged.
std::vector<io::CoordinationResult> read_neighbours(
    const std::vector<std::string>& paths, io::ExternalFiles external,
    const io::ShownUnits& units) {
  std::vector<io::CoordinationResult> results;
  for (const std::string& path : paths) {
    results.push_back(io::read_coordination_result(path, external));
    io::set_units(results.back(), units);
    const io::CoordinationResult& a = results.front();
    const io::CoordinationResult& b = results.back();
    check_same_names("species", a.file, a.file.layout.species, b.file,
                     b.file.layout.species);
    check_same_layout(a.file, b.file);
    if (a.shells != b.shells) {
      throw InputError("results with different pairs or cut-offs cannot be merged: " +
                       a.file.path + " and " + b.file.path +
                       " (count both with the same --pairs, --cutoff and bins)");
    }
    tell_unfinished(b.file);
  }
  return results;
}

/// Identifiers of the particles: ids or, of a file without ids, rows.
std::vector<std::int64_t> names_of(const io::ParticleNeighbours& particles) {
  if (!particles.order.id.empty()) {
    return particles.order.id;
  }
  std::vector<std::int64_t> names(particles.neighbours.size());
  std::iota(names.begin(), names.end(), 0);
  std::copy(particles.order.row.begin(), particles.order.row.end(), names.begin());
  return names;
}

/// Adds the neighbours of the particles of another result. Throws InputError if its
/// particles differ.
void add_particles(const io::CoordinationResult& from, io::CoordinationResult& to) {
  for (std::size_t s = 0; s < to.particles.size(); ++s) {
    const io::ParticleNeighbours& own = from.particles[s];
    io::ParticleNeighbours& sum = to.particles[s];
    std::unordered_map<std::int64_t, std::size_t> places;
    for (const std::int64_t name : names_of(sum)) {
      places.emplace(name, places.size());
    }
    const std::vector<std::int64_t> names = names_of(own);
    if (names.size() != places.size() || own.order.id.empty() != sum.order.id.empty() ||
        std::any_of(names.begin(), names.end(),
                    [&](std::int64_t name) { return !places.contains(name); })) {
      throw InputError("the particles of " + to.file.path + " and " + from.file.path +
                       " differ, so their neighbours per particle cannot be added "
                       "(count without --per-particle)");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      sum.neighbours[places.at(names[i])] += own.neighbours[i];
    }
  }
}

/// Merges results of starhist coordination. Neighbours of each frame and particle are
/// kept if all results record them.
ExitCode merge_neighbours(const ParsedOptions& parsed, const io::ShownUnits& units,
                          io::RepeatedFrames repeated) {
  std::vector<io::CoordinationResult> results =
      read_neighbours(parsed.positional, external_files(parsed), units);
  std::vector<io::ResultFile> files;
  for (const io::CoordinationResult& result : results) {
    check_external_conflicts(merge_manual(), parsed, result.file.external_files);
    files.push_back(result.file);
  }
  const std::vector<std::size_t> order = order_of_frames(files);
  rearrange(files, order);
  rearrange(results, order);
  const std::vector<std::string> absent = check_frames(files, repeated);
  report_empty_selections(files);
  io::CoordinationWriter writer(parsed.get("output"), parsed.has("force")
                                                          ? io::Overwrite::yes
                                                          : io::Overwrite::no);
  io::CoordinationResult& all = results.front();
  all.file.record = make_record(files, absent);
  for (std::size_t k = 1; k < results.size(); ++k) {
    io::CoordinationResult& next = results[k];
    if (!next.frames || !all.frames) {
      all.frames.reset();
    } else {
      all.frames->centres.insert(all.frames->centres.end(),
                                 next.frames->centres.begin(),
                                 next.frames->centres.end());
      all.frames->neighbours.insert(all.frames->neighbours.end(),
                                    next.frames->neighbours.begin(),
                                    next.frames->neighbours.end());
    }
    if (next.particles.empty()) {
      all.particles.clear();
    }
    add_particles(next, all);
    all.times.insert(all.times.end(), next.times.begin(), next.times.end());
    std::move(next.file.blocks.begin(), next.file.blocks.end(),
              std::back_inserter(all.file.blocks));
    std::move(next.counts.begin(), next.counts.end(), std::back_inserter(all.counts));
  }
  writer.write(all);
  std::cerr << parsed.get("output") << ": " << all.times.size() << " frames in "
            << all.file.blocks.size() << " blocks" << trajectories_text(files) << '\n';
  return code_of(absent);
}

}  // namespace

Manual merge_manual() {
  return {
      .command = "merge",
      .summary = "merge the blocks of several results into one file",
      .synopsis = "RESULT.h5 RESULT.h5 ... -o ALL.h5 [options]",
      .description =
          R"(Merges the blocks of several results into one file, in the order given: parts of
a trajectory that different jobs counted, or independent runs. Results of one
trajectory are sorted by their frames. The results must
agree in species, pairs, exclusion, bins, units and rules evaluated in each
frame; results of one trajectory also in box and selection. They must not share
frames, which are recognized by their content. Missing parts of --part and
frames missing between parts set exit code 3.
Results of vanhove must also agree in lags; pairs of frames from two results are
counted only in parts of --part. Results of coordination must also agree in
cut-offs; neighbours per frame and per particle are kept if all results record
them.
For a killed run, give its partial file: OUT.h5.partial.)",
      .options = {{OptionGroup::output,
                   "output,o",
                   "FILE",
                   "merged result file (HDF5)",
                   {.path = io::PathUse::grown}},
                  {OptionGroup::output, "force,f", "",
                   "replace an existing FILE and the FILE.partial of an earlier run"},
                  {OptionGroup::output,
                   "repeated",
                   "WHAT",
                   "frames that occur in several results: fail, or keep them (they "
                   "count twice)",
                   {.fallback = "fail", .choices = {"fail", "keep"}}},
                  unit_option(),
                  time_unit_option(),
                  allow_external_option()},
      .sections = {{"example",
                    R"(  starhist rdf traj.h5 --last 999 ... -o a.h5    # two jobs
  starhist rdf traj.h5 --first 1000 ... -o b.h5
  starhist merge a.h5 b.h5 -o all.h5
  starhist rdf traj.h5 --part 1/8 ... -o part1.h5    # one of eight jobs
  starhist merge part?.h5 -o all.h5
)"}},
      .elsewhere = {out_unit_elsewhere("a result")}};
}

ExitCode run_merge(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto given = parse_unless_help(merge_manual(), arguments, problems);
  if (!given) {
    return ExitCode::done;
  }
  const ParsedOptions& parsed = *given;
  if (parsed.positional.size() < 2) {
    problems.add("give two or more result files, not " +
                 std::to_string(parsed.positional.size()) + " (starhist merge " +
                 merge_manual().synopsis + ")");
  }
  const std::string output = parsed.get("output");
  if (output.empty()) {
    problems.add("--output is missing (-o ALL.h5)");
  }
  check_result_name(output, problems);
  io::RepeatedFrames repeated = io::RepeatedFrames::fail;
  problems.collect(
      [&] { repeated = io::parse_repeated_frames(parsed.get("repeated")); });
  io::ShownUnits units;
  problems.collect([&] { units = shown_units(parsed); });
  problems.throw_if_any("merge");
  for (const std::string& path : parsed.positional) {
    io::check_is_file(path);
  }

  const auto lagged = std::count_if(
      parsed.positional.begin(), parsed.positional.end(), [&](const std::string& path) {
        return io::is_lag_result(path, external_files(parsed));
      });
  if (lagged == static_cast<std::ptrdiff_t>(parsed.positional.size())) {
    return merge_lag_results(parsed, units, repeated);
  }
  const auto of_neighbours = std::count_if(
      parsed.positional.begin(), parsed.positional.end(), [&](const std::string& path) {
        return io::is_coordination_result(path, external_files(parsed));
      });
  if (of_neighbours == static_cast<std::ptrdiff_t>(parsed.positional.size())) {
    return merge_neighbours(parsed, units, repeated);
  }
  if (of_neighbours > 0) {
    throw InputError(
        "results of starhist coordination and of other commands cannot be merged (" +
        std::to_string(of_neighbours) + " of " +
        std::to_string(parsed.positional.size()) +
        " are of coordination): merge them separately");
  }
  if (lagged > 0) {
    throw InputError(
        "results of starhist vanhove and of starhist rdf cannot be merged (" +
        std::to_string(lagged) + " of " + std::to_string(parsed.positional.size()) +
        " are of vanhove): merge them separately");
  }
  std::vector<io::ResultFile> results =
      read_results(parsed.positional, external_files(parsed), units);
  rearrange(results, order_of_frames(results));
  const std::vector<std::string> absent = check_frames(results, repeated);
  report_empty_selections(results);
  for (const io::ResultFile& result : results) {
    check_external_conflicts(merge_manual(), parsed, result.external_files);
  }
  HistogramLayout layout = results.front().layout;
  layout.elements = common_elements(results);
  io::ResultWriter writer(output, layout, make_record(results, absent),
                          parsed.has("force"), results.front().edge_shift);
  const std::string from = trajectories_text(results);
  std::uint64_t blocks = 0;
  std::uint64_t frames = 0;
  for (io::ResultFile& result : results) {
    for (BlockCounts& block : result.blocks) {
      block.index = BlockIndex(blocks++);
      frames += block.frames;
      writer.append(block);
    }
  }
  pass_on(results, external_files(parsed), writer);
  writer.finish({});
  std::cerr << output << ": " << counted(frames, "frame") << " in "
            << counted(blocks, "block") << from << '\n';
  return code_of(absent);
}

}  // namespace starhist::driver
