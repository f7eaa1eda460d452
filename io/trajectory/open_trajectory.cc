#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/compression/byte_source.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/reader/probed_file.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/text_index_store.hh"
#include "io/trajectory/format_texts.hh"
#include "io/trajectory/formats.hh"
#include "io/trajectory/grouped_trajectory.hh"
#include "io/trajectory/index_species.hh"
#include "io/trajectory/joined_trajectory.hh"
#include "io/trajectory/named_elements.hh"
#include "io/trajectory/selected_trajectory.hh"

namespace starhist::io {
namespace {

/// Why a file of no known format cannot be opened.
std::string problem_of(ProbedFile& file) {
  const std::string known = " (starhist reads " + trajectory_format_names() + ")";
  if (file.hdf5()) {
    return "is an HDF5 file but no trajectory; it holds [" +
           join(hdf5_names(file.hdf5().get()), ", ") + "]" + known;
  }
  for (const std::string& ending : compressed_endings()) {
    if (file.path().ends_with(ending) && !file.may_be_text()) {
      return "is called " + ending + ", but is not compressed: it looks like " +
             file.description() + " (copy it again, or see whether it is damaged)";
    }
  }
  return "is not an HDF5 file but looks like " + file.description() + known;
}

std::unique_ptr<TrajectoryReader> open_file(const std::string& path,
                                            const ReadOptions& options,
                                            const SharedStructure& structure) {
  if (const TrajectoryFormat* stream = stream_format_of(path)) {
    return stream->open_stream(path, options, structure);
  }
  ProbedFile file(path, options.external);
  const TrajectoryFormat* format = format_of(file);
  if (format == nullptr) {
    if (!file.long_line().empty()) {
      throw InputError(file.long_line());
    }
    throw InputError(path + ": " + problem_of(file));
  }
  if (format->open == nullptr) {
    throw InputError(path + ": " + format->refusal);
  }
  if (structure && format->names == TrajectoryFormat::Names::file) {
    throw InputError(path + ": names its particles itself (--structure is for " +
                     named_by_structure() + ")");
  }
  return format->open(file, options, structure);
}

/// The rules for the species of `info`: those of the options, or one for each value of
/// ReadOptions::by.
std::vector<SpeciesGroup> rules_for(const TrajectoryInfo& info,
                                    const ReadOptions& options) {
  if (options.by == SpeciesBy::file) {
    return options.species;
  }
  try {
    return species_groups_by(info.particles, options.by);
  } catch (const InputError& error) {
    throw InputError(info.paths.front() + ": " + error.what());
  }
}

/// Species by element, for a file with more species than ReadOptions::most_species.
std::unique_ptr<TrajectoryReader> open_by_element(const std::vector<std::string>& paths,
                                                  const ReadOptions& options) {
  ReadOptions fewer = options;
  fewer.most_species = 0;
  fewer.per_particle = true;
  {
    const auto reader = open_trajectory(paths, fewer);
    ParticleTable table = reader->info().particles;
    fill_species(table);
    if (!can_tell(table, SpeciesBy::element)) {
      throw InputError(paths.front() + ": " + too_many_species(table));
    }
  }
  fewer.per_particle = options.per_particle;
  fewer.by = SpeciesBy::element;
  return open_trajectory(paths, fewer);
}

}  // namespace

std::unique_ptr<TrajectoryReader> open_trajectory(const std::vector<std::string>& paths,
                                                  const ReadOptions& given) {
  ReadOptions options = given;
  for (const std::string& path : paths) {
    if (paths.size() > 1 && stream_format_of(path) != nullptr) {
      throw InputError(path +
                       ": is a simulation that runs, and is read alone, not with other "
                       "files (starhist merge adds results)");
    }
  }
  if (!options.index.empty()) {
    options.species = with_listed_groups(options.species, options.index);
    options.index.clear();
  }
  const ElementRules elements{options.aliases.empty()
                                  ? ElementAliases()
                                  : read_element_aliases(options.aliases),
                              options.guess_elements};
  ReadOptions each = options;
  if (!each.text_indexes) {
    each.text_indexes = std::make_shared<TextIndexStore>();
  }
  each.per_particle = options.per_particle || options.with_membership ||
                      options.by != SpeciesBy::file || elements.any() ||
                      need_particles(options.species);
  const SharedStructure structure =
      options.structure.empty() ? nullptr : read_structure(options.structure);
  auto joined = std::make_unique<JoinedTrajectory>(
      paths,
      [each, structure, elements](const std::string& path) {
        auto file = open_file(path, each, structure);
        return elements.any() ? with_elements(std::move(file), elements)
                              : std::move(file);
      },
      JoinedTrajectory::Units{options.length_unit, options.time_unit},
      options.repeated);
  if (options.per_particle && options.species.empty()) {
    return joined;
  }
  std::unique_ptr<TrajectoryReader> reader;
  if (each.per_particle || joined->info().particles.count > 0) {
    const auto rules = rules_for(joined->info(), options);
    reader = std::make_unique<SelectedTrajectory>(std::move(joined), rules, options.by);
  } else if (options.species.empty()) {
    reader = std::move(joined);
  }
  if (reader) {
    const bool too_many = options.species.empty() && options.by == SpeciesBy::file &&
                          options.most_species > 0 &&
                          reader->info().species.size() > options.most_species;
    if (too_many && reader->info().stream) {  // which cannot be opened again
      throw InputError(paths.front() + ": has " +
                       std::to_string(reader->info().species.size()) +
                       " species (choose some by --pairs, --species or --by)");
    }
    each.per_particle = options.per_particle;
    return too_many ? open_by_element(paths, each) : std::move(reader);
  }
  return std::make_unique<GroupedTrajectory>(std::move(joined), options.species);
}

}  // namespace starhist::io
