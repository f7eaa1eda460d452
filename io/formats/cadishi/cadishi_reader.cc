#include "io/formats/cadishi/cadishi_reader.hh"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/cadishi/cadishi_log.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/species_order.hh"

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

}  // namespace

bool CadishiReader::recognises(const Hdf5Object& file) {
  return !frame_names(file.get()).empty();
}

CadishiReader::CadishiReader(Hdf5Object file, const std::string& path,
                             const ReadOptions& options)
    : file_(std::move(file)),
      fixed_box_(options.box),
      tell_order_(options.tell_order),
      frame_names_(frame_names(file_.get())) {
  refuse_group(path, "CADISHI HDF5", options);
  for (const std::string& name : frame_names_) {
    const Hdf5Object coordinates = open_hdf5_group(file_.get(), name + "/coordinates");
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

void CadishiReader::read_table() {
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

void CadishiReader::read_per_particle(hid_t coordinates,
                                      std::vector<double>& positions) {
  positions.clear();
  for (std::size_t species = 0; species < species_.size(); ++species) {
    read_species(coordinates, species_[species], scratch_);
    if (scratch_.size() != 3 * counts_[species]) {
      throw InputError(hdf5_location(coordinates) + ": has " +
                       std::to_string(scratch_.size() / 3) + " particles of species " +
                       species_[species] + ", but the first frame " +
                       std::to_string(counts_[species]) +
                       " (selections need the same particles in every frame)");
    }
    positions.insert(positions.end(), scratch_.begin(), scratch_.end());
  }
}

Box CadishiReader::box_of(hid_t frame) {
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

PassedOn CadishiReader::passed_on(FrameIndex index) {
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

void CadishiReader::read(FrameIndex index, Frame& frame) {
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
      read_species(coordinates.get(), info_.species[species], frame.positions[species]);
    }
  }
  if (tell_order_) {
    frame.order = species_in_turn(frame.positions);
  }
}

void CadishiReader::read_species(hid_t coordinates, const std::string& name,
                                 std::vector<double>& positions) {
  if (!hdf5_exists(coordinates, name)) {
    positions.clear();
    return;
  }
  const Hdf5Object dataset = open_hdf5_dataset(coordinates, name);
  const std::vector<hsize_t> shape = hdf5_shape(dataset.get());
  if (shape.size() != 2 || shape[1] != 3) {
    throw InputError(hdf5_location(dataset.get()) + ": does not have the shape [n, 3]");
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

}  // namespace starhist::io
