#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/files/file_signature.hh"
#include "io/formats/cadishi/cadishi_reader.hh"
#include "io/formats/gromacs/open_gromacs.hh"
#include "io/formats/h5md/h5md_reader.hh"
#include "io/formats/lammps/lammps_reader.hh"
#include "io/formats/xyz/xyz_reader.hh"
#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_index_store.hh"
#include "io/trajectory/grouped_trajectory.hh"
#include "io/trajectory/joined_trajectory.hh"
#include "io/trajectory/selected_trajectory.hh"

namespace starhist::io {
namespace {

/// Throws InputError for HDF5 files that are easily mistaken for a trajectory.
void check_not_something_else(const Hdf5Object& file, const std::string& path) {
  if (hdf5_exists(file.get(), "observables/pair_distance_histogram")) {
    throw InputError(path +
                     ": is a result of starhist, not a trajectory (starhist info and "
                     "starhist export read it)");
  }
  if (hdf5_exists(file.get(), "coordinates") && hdf5_exists(file.get(), "topology")) {
    throw InputError(
        path +
        ": is a trajectory of mdtraj, which is not H5MD; convert it to H5MD "
        "first");
  }
}

/// Whether the first line is the number of atoms, as in XYZ.
bool is_count(std::string_view line) {
  const std::string_view count = take_field(line);
  return !count.empty() && take_field(line).empty() &&
         count.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Nothing when the text is not of a known format.
std::unique_ptr<TrajectoryReader> open_text(const std::string& path,
                                            const ReadOptions& options) {
  TextFile file(path);
  std::string_view line;
  const bool has_line = file.next(line);
  if (has_line && line.starts_with("ITEM: ")) {
    return std::make_unique<LammpsReader>(path, options);
  }
  if (has_line && is_count(line)) {
    return std::make_unique<XyzReader>(path, options);
  }
  return nullptr;
}

std::unique_ptr<TrajectoryReader> open_file(
    const std::string& path, const ReadOptions& options,
    const std::shared_ptr<const Structure>& structure) {
  check_is_file(path);
  const FileSignature look = signature_of_file(path);
  if (auto reader = open_gromacs(path, look, options, structure)) {
    return reader;
  }
  if (structure) {
    throw InputError(path +
                     ": names its particles itself (--structure is for XTC, TRR, TNG, "
                     "G96, GRO and PDB)");
  }
  if (look.may_be_text) {
    if (auto reader = open_text(path, options)) {
      return reader;
    }
  }
  Hdf5Object file = open_hdf5_file(path, Hdf5Reading::deferred);
  check_not_something_else(file, path);
  if (H5mdReader::recognises(file)) {
    return std::make_unique<H5mdReader>(std::move(file), path, options);
  }
  if (CadishiReader::recognises(file)) {
    return std::make_unique<CadishiReader>(std::move(file), path, options);
  }
  throw InputError(path +
                   ": is an HDF5 file but no trajectory: neither H5MD (a group " +
                   "/particles) nor CADISHI's (groups /1, /2, ...); it holds [" +
                   join(hdf5_names(file.get()), ", ") + "]");
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
  const std::shared_ptr<const Structure> structure =
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
