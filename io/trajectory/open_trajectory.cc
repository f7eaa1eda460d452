#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/reader/probed_file.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/text_index_store.hh"
#include "io/trajectory/format_texts.hh"
#include "io/trajectory/formats.hh"
#include "io/trajectory/grouped_trajectory.hh"
#include "io/trajectory/joined_trajectory.hh"
#include "io/trajectory/selected_trajectory.hh"

namespace starhist::io {
namespace {

/// Why a file of no known format cannot be opened.
std::string problem_of(ProbedFile& file) {
  const std::string known = " (starhist reads " + trajectory_format_names() +
                            "; scripts/user/convert_any.py makes H5MD of others)";
  if (file.hdf5()) {
    return "is an HDF5 file but no trajectory; it holds [" +
           join(hdf5_names(file.hdf5().get()), ", ") + "]" + known;
  }
  return "is not an HDF5 file but looks like " + file.description() + known;
}

std::unique_ptr<TrajectoryReader> open_file(const std::string& path,
                                            const ReadOptions& options,
                                            const SharedStructure& structure) {
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

}  // namespace

std::unique_ptr<TrajectoryReader> open_trajectory(const std::vector<std::string>& paths,
                                                  const ReadOptions& options) {
  ReadOptions each = options;
  if (!each.text_indexes) {
    each.text_indexes = std::make_shared<TextIndexStore>();
  }
  each.per_particle = options.per_particle || options.with_membership ||
                      need_particles(options.species);
  const SharedStructure structure =
      options.structure.empty() ? nullptr : read_structure(options.structure);
  auto joined = std::make_unique<JoinedTrajectory>(
      paths,
      [each, structure](const std::string& path) {
        return open_file(path, each, structure);
      },
      options.length_unit);
  if (options.per_particle && options.species.empty()) {
    return joined;
  }
  if (each.per_particle || joined->info().particles.count > 0) {
    return std::make_unique<SelectedTrajectory>(std::move(joined), options.species);
  }
  if (options.species.empty()) {
    return joined;
  }
  return std::make_unique<GroupedTrajectory>(std::move(joined), options.species);
}

}  // namespace starhist::io
