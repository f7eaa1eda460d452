#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/formats/cadishi/cadishi_log.hh"
#include "io/formats/records.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/species_order.hh"
#include "io/reader/positions.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {
namespace {

std::optional<std::uint64_t> frame_number(const std::string& name) {
  std::uint64_t number = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number)
                                                       : std::nullopt;
}

/// Returns the names of the frames in numeric order: "2" before "10".
std::vector<std::string> frame_names(hid_t file) {
  std::vector<std::pair<std::uint64_t, std::string>> frames;
  for (const std::string& name : hdf5_names(file)) {
    if (const auto number = frame_number(name)) {
      frames.emplace_back(*number, name);
    }
  }
  std::sort(frames.begin(), frames.end());
  std::vector<std::string> names;
  for (auto& frame : frames) {
    names.push_back(std::move(frame.second));
  }
  return names;
}

Box read_box(hid_t frame) {
  if (!hdf5_exists(frame, "dimensions")) {
    return Box();
  }
  const Hdf5Object dataset = open_hdf5_dataset(frame, "dimensions");
  const std::vector<double> v = read_hdf5_numbers<double>(dataset.get());
  try {
    switch (v.size()) {
      case 0:
        return Box();
      case 3:
        return Box::from_lengths_and_angles({v[0], v[1], v[2]}, {90.0, 90.0, 90.0});
      case 6:
        return Box::from_lengths_and_angles({v[0], v[1], v[2]}, {v[3], v[4], v[5]});
      case 9:
        return Box(
            {Vec3{v[0], v[1], v[2]}, Vec3{v[3], v[4], v[5]}, Vec3{v[6], v[7], v[8]}},
            {true, true, true});
      default:
        throw InputError("a box of " + std::to_string(v.size()) +
                         " numbers is neither a,b,c nor a,b,c,alpha,beta,gamma nor a "
                         "3x3 matrix");
    }
  } catch (const InputError& error) {
    throw InputError(hdf5_location(dataset.get()) + ": " + error.what() +
                     " (replace the file's box with --box)");
  }
}

/// Returns the log of a frame; "" if it is missing.
std::string read_log(hid_t frame) {
  if (!hdf5_has_attribute(frame, "log")) {
    return "";
  }
  const std::vector<std::string> log = read_hdf5_strings(frame, "log");
  return log.empty() ? "" : log.front();
}

/// Whether a dataset or an attribute of a group contains numbers.
bool has_numbers(hid_t group, const std::string& name) {
  if (hdf5_exists(group, name)) {
    return !read_hdf5_numbers<double>(open_hdf5_dataset(group, name).get()).empty();
  }
  return hdf5_has_attribute(group, name) &&
         !read_hdf5_numbers<double>(group, name).empty();
}

/// Throws InputError for a frame whose histograms CADISHI would scale or skip.
void refuse_weights(hid_t frame) {
  if (!hdf5_is_group(frame, "histograms")) {
    return;
  }
  const Hdf5Object group = open_hdf5_group(frame, "histograms");
  for (const char* weights : {"scale_factors", "mask"}) {
    if (has_numbers(group.get(), weights)) {
      throw InputError(hdf5_location(group.get(), weights) +
                       ": weights of pairs (starhist counts whole pairs: remove them, "
                       "and scale the counts afterwards)");
    }
  }
}

/// Reads the histograms of lengths, whose bins are equal in all frames.
void read_length_histograms(hid_t frame, PassedOn& passed) {
  const std::string folder = "len_histograms";
  if (!hdf5_is_group(frame, folder)) {
    return;
  }
  const Hdf5Object group = open_hdf5_group(frame, folder);
  for (const std::string& name : hdf5_names(group.get())) {
    auto& kind = name == "radii" ? passed.constants : passed.sums;
    kind[folder + "/" + name] =
        read_hdf5_numbers<double>(open_hdf5_dataset(group.get(), name).get());
  }
}

/// Reads trajectories of CADISHI and CAPRIQORN, in Angstrom: one group per frame, named
/// by its number, with coordinates/<species> [n][3] and dimensions (a, b, c, alpha,
/// beta, gamma, or a 3x3 matrix; empty or missing: no box). As in CADISHI, a frame from
/// which CAPRIQORN has cut a volume has no box. A species that is missing in a frame
/// has no particles there. Messages of read() do not name the frame: JoinedTrajectory
/// does.
///
/// Data passed on: the log as the text "log", the sums "len_histograms/NAME" and the
/// constant "len_histograms/radii", the series "particle_numbers/SPECIES" and
/// "volumes/box".
class CadishiReader : public TrajectoryReader {
 public:
  /// Throws InputError when a frame has no coordinates group.
  CadishiReader(Hdf5Object file, const std::string& path, const ReadOptions& options)
      : file_(std::move(file)),
        fixed_box_(options.box),
        tell_order_(options.tell_order),
        frame_names_(frame_names(file_.get())) {
    refuse_group(path, "CADISHI HDF5", options);
    for (const std::string& name : frame_names_) {
      const Hdf5Object coordinates =
          open_hdf5_group(file_.get(), name + "/coordinates");
      const std::vector<std::string> species = hdf5_names(coordinates.get());
      species_.insert(species_.end(), species.begin(), species.end());
      sort_species(species_);
    }
    info_.paths = {path};
    info_.format = "CADISHI HDF5";
    info_.external_files = external_files_of(path, options.external);
    info_.length_unit = "A";
    info_.frame_count = frame_names_.size();
    info_.species = species_;
    if (options.per_particle) {
      read_table();
      info_.species = {"all"};
    } else {
      info_.elements = elements_of_labels(species_, "the file");
    }
  }

  const TrajectoryInfo& info() const override { return info_; }

  void read(FrameIndex index, Frame& frame) override {
    const Hdf5Object group = open_hdf5_group(file_.get(), frame_names_[index.index()]);
    const Hdf5Object coordinates = open_hdf5_group(group.get(), "coordinates");
    frame.index = index;
    frame.step = 0;
    frame.time = no_time;
    frame.box = box_of(group.get());
    frame.positions.resize(info_.species.size());
    if (!counts_.empty()) {
      read_per_particle(coordinates.get(), frame.positions.front());
    } else {
      for (std::size_t species = 0; species < info_.species.size(); ++species) {
        read_species(coordinates.get(), info_.species[species],
                     frame.positions[species]);
      }
    }
    if (tell_order_) {
      frame.order = species_in_turn(frame.positions);
    }
  }

  bool passes_on() const override { return counts_.empty(); }

  PassedOn passed_on(FrameIndex index) override {
    const Hdf5Object group = open_hdf5_group(file_.get(), frame_names_[index.index()]);
    const Hdf5Object coordinates = open_hdf5_group(group.get(), "coordinates");
    refuse_weights(group.get());
    PassedOn passed;
    passed.frames = 1;
    const std::string log = read_log(group.get());
    if (!log.empty()) {
      passed.texts["log"] = log;
    }
    read_length_histograms(group.get(), passed);
    for (const std::string& name : species_) {
      double count = 0.0;
      if (hdf5_exists(coordinates.get(), name)) {
        const auto shape = hdf5_shape(open_hdf5_dataset(coordinates.get(), name).get());
        count = shape.empty() ? 0.0 : static_cast<double>(shape.front());
      }
      passed.series["particle_numbers/" + name] = {count};
    }
    const Box box = box_of(group.get());
    if (box.volume() > 0.0) {
      passed.series["volumes/box"] = {box.volume()};
    }
    return passed;
  }

 private:
  /// Reads the particles of the first frame, for ReadOptions::per_particle.
  void read_table() {
    const Hdf5Object coordinates =
        open_hdf5_group(file_.get(), frame_names_.front() + "/coordinates");
    ParticleTable& table = info_.particles;
    std::vector<double> positions;
    for (const std::string& name : species_) {
      read_species(coordinates.get(), name, positions);
      counts_.push_back(positions.size() / 3);
      table.name.resize(table.name.size() + counts_.back(), name);
    }
    table.count = table.name.size();
    table.species = table.name;
    table.element = element_column(table.name);
  }

  void read_per_particle(hid_t coordinates, std::vector<double>& positions) {
    positions.clear();
    for (std::size_t species = 0; species < species_.size(); ++species) {
      read_species(coordinates, species_[species], scratch_);
      if (scratch_.size() != 3 * counts_[species]) {
        throw InputError(hdf5_location(coordinates) + ": has " +
                         std::to_string(scratch_.size() / 3) +
                         " particles of species " + species_[species] +
                         ", but the first frame " + std::to_string(counts_[species]) +
                         " (selections need the same particles in every frame)");
      }
      positions.insert(positions.end(), scratch_.begin(), scratch_.end());
    }
  }

  void read_species(hid_t coordinates, const std::string& name,
                    std::vector<double>& positions) {
    if (!hdf5_exists(coordinates, name)) {
      positions.clear();
      return;
    }
    const Hdf5Object dataset = open_hdf5_dataset(coordinates, name);
    const std::vector<hsize_t> shape = hdf5_shape(dataset.get());
    if (shape.size() != 2 || shape[1] != 3) {
      throw InputError(hdf5_location(dataset.get()) +
                       ": does not have the shape [n, 3]");
    }
    read_hdf5_numbers(dataset.get(), raw_);
    const std::size_t count = raw_.size() / 3;
    if (particles_.size() != count) {
      particles_ = all_particles(count);
    }
    PositionSummary summary;
    gather_positions(raw_, particles_, FillValue(), positions, summary);
    if (summary.ambiguous()) {
      try {
        check_positions(raw_, particles_, FillValue());
      } catch (const InputError& error) {
        throw InputError(hdf5_location(dataset.get()) + ": " + error.what());
      }
    }
  }

  /// Returns the box of the frame with this group.
  Box box_of(hid_t frame) {
    if (fixed_box_) {
      return *fixed_box_;
    }
    std::string log = read_log(frame);
    if (log != last_log_) {
      try {
        last_is_cut_ = !cut_volume(log).empty();
      } catch (const InputError& error) {
        throw InputError(hdf5_location(frame, "log") + ": " + error.what());
      }
      last_log_ = std::move(log);
    }
    return last_is_cut_ ? Box() : read_box(frame);
  }

  Hdf5Object file_;
  std::optional<Box> fixed_box_;
  std::string last_log_;      ///< log of the frame whose box was read last
  bool last_is_cut_ = false;  ///< that log contains a cut

  bool tell_order_;
  std::vector<std::string> frame_names_;
  TrajectoryInfo info_;
  std::vector<std::string> species_;  ///< species of the file
  /// number of particles by species, if they are read individually; otherwise empty
  std::vector<std::uint64_t> counts_;
  std::vector<double> scratch_;
  std::vector<double> raw_;               ///< positions of the species being read
  std::vector<std::uint32_t> particles_;  ///< 0, 1, ... up to its number of particles
};

}  // namespace

TrajectoryFormat cadishi_format() {
  return {
      .name = "CADISHI HDF5",
      .extensions = {"h5", "hdf5"},
      .contents = TrajectoryFormat::Contents::hdf5,
      .probe = [](ProbedFile& file) { return !frame_names(file.hdf5().get()).empty(); },
      .open = [](ProbedFile& file, const ReadOptions& options,
                 const SharedStructure&) -> std::unique_ptr<TrajectoryReader> {
        return std::make_unique<CadishiReader>(file.take_hdf5(), file.path(), options);
      },
      .known_by = "groups `1`, `2`, ... with `coordinates`",
      .compression = "by HDF5's filters and LZF",
      .species = "names of the datasets",
      .fields = {.box = "matrix, or lengths and angles; all axes, or no box",
                 .names = "species",
                 .residues = "no",
                 .elements = "species that are symbols of elements",
                 .molecules = "no",
                 .bonds = "no",
                 .times = "no",
                 .units = "A"}};
}

}  // namespace starhist::io
