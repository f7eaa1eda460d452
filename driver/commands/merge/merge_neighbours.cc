#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "driver/commands/merge/merge_kinds.hh"
#include "driver/commands/merge/mergeable_layouts.hh"
#include "driver/commands/merge/merged_results.hh"
#include "driver/commands/merge/rearrange.hh"
#include "driver/options/trajectory_options.hh"
#include "io/export/neighbours/coordination_table.hh"
#include "io/output/coordination_writer.hh"
#include "io/result/coordination_result.hh"

namespace starhist::driver {
namespace {

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
    report_unfinished(b.file);
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

}  // namespace

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

}  // namespace starhist::driver
