#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/compression/byte_source.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/particles/alternate_locations.hh"
#include "io/reader/probed_file.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/text_index_store.hh"
#include "io/trajectory/boxed_trajectory.hh"
#include "io/trajectory/format_texts.hh"
#include "io/trajectory/formats.hh"
#include "io/trajectory/grouped_trajectory.hh"
#include "io/trajectory/index_species.hh"
#include "io/trajectory/joined/joined_trajectory.hh"
#include "io/trajectory/named_elements.hh"
#include "io/trajectory/open_axes.hh"
#include "io/trajectory/plane_trajectory.hh"
#include "io/trajectory/selected_trajectory.hh"

namespace starhist::io {
namespace {

/// Explains why a file of unknown format cannot be opened.
std::string problem_of(ProbedFile& file) {
  const std::string known = "; starhist reads " + trajectory_format_names();
  if (file.hdf5()) {
    return "is an HDF5 file but not a trajectory; it contains [" +
           join(hdf5_names(file.hdf5().get()), ", ") + "]" + known;
  }
  if (file.is_compressed()) {
    return "is " + file.description() +
           " in which starhist recognizes no text format (decompress it: only text "
           "formats are read compressed)";
  }
  for (const std::string& ending : compressed_endings()) {
    if (file.path().ends_with(ending) && !file.may_be_text()) {
      return "is named " + ending + ", but is not compressed: it looks like " +
             file.description() + " (copy it again, or see whether it is damaged)";
    }
  }
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (format.contents == TrajectoryFormat::Contents::bytes &&
        has_extension(format, file.path())) {
      return "is not " + format.name + ", in spite of its name: it looks like " +
             file.description() +
             " (copy it again if it is damaged, or rename it if it has another format; "
             "starhist reads " +
             trajectory_format_names() + ")";
    }
  }
  return "has an unknown format and looks like " + file.description() + known +
         " (check the file and the ending of its name, by which some formats are "
         "recognized, or convert it, as with `ase convert IN OUT.extxyz`)";
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
  try {
    return format->open(file, options, structure);
  } catch (const InputError& error) {
    const TrajectoryFormat* other = format->by_name ? format_by_lines(file) : nullptr;
    if (other == nullptr || other == format) {
      throw;
    }
    throw InputError(std::string(error.what()) + "; its first lines look like " +
                     other->name + ", not " + format->name +
                     ", the format of its name (rename it to NAME." +
                     other->extensions.front() + ")");
  }
}

/// Returns the property that defines the species of individually read particles: the
/// element if the file has more species than ReadOptions::most_species.
SpeciesBy species_by(const TrajectoryInfo& info, const ReadOptions& options) {
  if (!options.species.empty() || options.by != SpeciesBy::file ||
      options.most_species == 0 ||
      !has_more_species(info.particles, options.most_species)) {
    return options.by;
  }
  if (!can_tell(info.particles, SpeciesBy::element)) {
    ParticleTable table = info.particles;
    fill_species(table);
    throw InputError(
        info.paths.front() + ": " +
        too_many_species(table, options.guess_elements || !options.aliases.empty()));
  }
  return SpeciesBy::element;
}

/// Returns the rules for the species of `info`: the options' rules, or one for each
/// value of `by`.
std::vector<SpeciesGroup> rules_for(const TrajectoryInfo& info,
                                    const ReadOptions& options, SpeciesBy by) {
  if (by == SpeciesBy::file) {
    return options.species;
  }
  try {
    return species_groups_by(info.particles, by);
  } catch (const InputError& error) {
    throw InputError(info.paths.front() + ": " + error.what());
  }
}

/// Resolves the groups of the index file in `options.species` and clears
/// `options.index`.
ReadOptions with_index_groups(ReadOptions options) {
  options.species = with_listed_groups(options.species, options.index);
  options.index.clear();
  return options;
}

/// Throws InputError if one of several files is a running simulation.
void check_streams(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (paths.size() > 1 && stream_format_of(path) != nullptr) {
      throw InputError(path +
                       ": is a running simulation, which cannot be read together with "
                       "other files (combine results with starhist merge)");
    }
  }
}

ElementRules element_rules(const ReadOptions& options) {
  return {options.aliases.empty() ? ElementAliases()
                                  : read_element_aliases(options.aliases),
          options.guess_elements};
}

/// The options with which single files are opened.
ReadOptions options_of_files(const ReadOptions& options, bool elements) {
  ReadOptions each = options;
  if (!options.box_file.empty()) {
    each.box = Box();
  }
  if (!each.text_indexes) {
    each.text_indexes = std::make_shared<TextIndexStore>();
  }
  each.per_particle = options.per_particle || options.with_membership ||
                      options.by != SpeciesBy::file || elements ||
                      need_particles(options.species);
  return each;
}

/// Joins the files, with the boxes that replace theirs. `each`: options of the files.
std::unique_ptr<TrajectoryReader> join_files(const std::vector<std::string>& paths,
                                             const ReadOptions& options,
                                             const ReadOptions& each,
                                             const ElementRules& elements) {
  const SharedStructure structure =
      options.structure.empty() ? nullptr
                                : read_structure(options.structure, options.altloc);
  ReadOptions with_order = each;
  with_order.tell_order = true;
  std::unique_ptr<TrajectoryReader> joined = std::make_unique<JoinedTrajectory>(
      paths,
      [each, structure, elements](const std::string& path) {
        auto file = open_file(path, each, structure);
        return elements.any()
                   ? with_elements(std::move(file), elements, structure.get())
                   : std::move(file);
      },
      JoinedTrajectory::Units{options.length_unit, options.time_unit}, options.repeated,
      structure,
      [with_order, structure](const std::string& path) {
        return open_file(path, with_order, structure);
      });
  if (is_letter_choice(options.altloc) && !joined->info().has_alternate_locations &&
      (!structure || structure->particles.alternate_location.empty())) {
    throw InputError("--altloc " + options.altloc + ": " + paths.front() +
                     " has no alternate locations (leave it out)");
  }
  if (!options.box_file.empty()) {
    joined = with_boxes_of(std::move(joined), options.box_file);
  } else if (options.box) {
    joined = with_given_box(std::move(joined), *options.box);
  }
  return joined;
}

/// The trajectory in the boxes of its files. Axes are opened for selections only.
std::unique_ptr<TrajectoryReader> open_in_space(const std::vector<std::string>& paths,
                                                const ReadOptions& options) {
  if (!options.index.empty()) {
    return open_in_space(paths, with_index_groups(options));
  }
  check_streams(paths);
  const ElementRules elements = element_rules(options);
  ReadOptions each = options_of_files(options, elements.any());
  std::unique_ptr<TrajectoryReader> joined = join_files(paths, options, each, elements);
  if (options.per_particle && options.species.empty()) {
    return joined;
  }
  if (each.per_particle || joined->info().particles.count > 0) {
    const SpeciesBy by = species_by(joined->info(), options);
    const auto rules = rules_for(joined->info(), options, by);
    return std::make_unique<SelectedTrajectory>(std::move(joined), rules, by,
                                                options.open);
  }
  if (options.species.empty()) {
    if (options.most_species > 0 &&
        joined->info().species.size() > options.most_species) {
      // Read individual particles, which may have elements.
      each.per_particle = options.per_particle;
      each.with_membership = true;
      return open_in_space(paths, each);
    }
    return joined;
  }
  return with_species_grouped(std::move(joined), options.species);
}

}  // namespace

std::unique_ptr<TrajectoryReader> open_trajectory(const std::vector<std::string>& paths,
                                                  const ReadOptions& options) {
  std::unique_ptr<TrajectoryReader> reader = open_in_space(paths, options);
  // Last, so that centres are made whole in the box of the file.
  if (options.open != std::array<bool, 3>{}) {
    reader = with_open_axes(std::move(reader), options.open);
  }
  // Last, so that selections and centres use positions in space.
  if (options.plane != Plane::none) {
    reader = in_plane(std::move(reader), options.plane,
                      options.box && options.box->periodic_axis_count() == 0,
                      options.heights);
  }
  return reader;
}

}  // namespace starhist::io
