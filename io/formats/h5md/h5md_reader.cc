#include "io/formats/h5md/h5md_reader.hh"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/formats/h5md/content/known_content.hh"
#include "io/formats/h5md/topology/gromacs_topology.hh"
#include "io/hdf5/h5md_root.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/elements.hh"

namespace starhist::io {
namespace {

/// Returns the particle groups that have positions.
std::vector<std::string> usable_groups(hid_t file) {
  if (!hdf5_is_group(file, "particles")) {
    throw InputError(hdf5_location(file) + ": has no group /particles");
  }
  const Hdf5Object particles = open_hdf5_group(file, "particles");
  std::vector<std::string> groups;
  for (const std::string& name : hdf5_names(particles.get())) {
    if (hdf5_exists(particles.get(), name + "/position")) {
      groups.push_back(name);
    }
  }
  return groups;
}

std::string choose_group(hid_t file, const std::string& wanted) {
  const std::vector<std::string> groups = usable_groups(file);
  if (groups.empty()) {
    throw InputError(hdf5_location(file) + ": no group in /particles has positions");
  }
  if (wanted.empty() && groups.size() > 1) {
    throw InputError(hdf5_location(file) + ": has several particle groups (" +
                     join(groups, ", ") + "); choose one with --group");
  }
  if (wanted.empty()) {
    return groups.front();
  }
  if (std::find(groups.begin(), groups.end(), wanted) == groups.end()) {
    throw InputError(hdf5_location(file) + ": has no particle group '" + wanted +
                     "' with positions (it has '" + join(groups, "', '") + "')");
  }
  return wanted;
}

/// Returns the number of particles in the position array [t][N][3].
std::uint64_t count_particles(const Hdf5Rows& positions) {
  const H5T_class_t kind = H5Tget_class(positions.type());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) {
    throw InputError(hdf5_location(positions.dataset()) + ": does not contain numbers");
  }
  const std::vector<hsize_t>& shape = positions.row_shape();
  if (shape.size() != 2) {
    throw InputError(hdf5_location(positions.dataset()) + ": has " +
                     std::to_string(shape.size()) +
                     " extents per frame where 2 are due (particles, 3)");
  }
  if (shape[1] != 3) {
    throw InputError(hdf5_location(positions.dataset()) + ": has " +
                     std::to_string(shape[1]) +
                     " components, but only 3 are supported");
  }
  return shape[0];
}

/// The two usual types are read without HDF5's slow conversion.
bool fits_float(hid_t type) {
  return H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) <= sizeof(float);
}

/// Message about a frame in which all particles are absent.
constexpr const char* never_written =
    ": all positions of the frame are fill values: it was never written "
    "(--skip-bad-frames leaves it out)";

template <class Real>
bool all_nan(const Real* position) {
  return std::isnan(position[0]) && std::isnan(position[1]) && std::isnan(position[2]);
}

constexpr const char* atomic_numbers =
    "species, which are atomic numbers in files of ZnH5MD";

/// Returns the element for a species that is an atomic number; "" for other text.
std::string element_of_text(const std::string& number) {
  constexpr std::size_t most_digits = 3;
  const bool is_number = !number.empty() && number.size() <= most_digits &&
                         number.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? element_of_number(std::stoi(number)) : "";
}

std::string common_unit(const H5mdElement& position,
                        const std::optional<H5mdBox>& box) {
  const std::string& unit = position.unit();
  const std::string box_unit = box ? box->length_unit() : "";
  if (!unit.empty() && !box_unit.empty() && unit != box_unit) {
    throw InputError(hdf5_location(position.values().dataset()) + ": is in " + unit +
                     ", but the box is in " + box_unit);
  }
  return unit.empty() ? box_unit : unit;
}

}  // namespace

bool H5mdReader::recognises(const Hdf5Object& file) {
  return hdf5_exists(file.get(), "particles") || hdf5_exists(file.get(), "h5md");
}

H5mdReader::H5mdReader(Hdf5Object file, const std::string& path,
                       const ReadOptions& options, const SharedStructure& structure)
    : file_(std::move(file)),
      group_name_(choose_group(file_.get(), options.group)),
      group_(open_hdf5_group(file_.get(), "particles/" + group_name_)),
      position_(group_.get(), "position"),
      fixed_box_(options.box),
      tell_order_(options.tell_order),
      fill_(hdf5_fill_value<double>(position_.values().dataset())),
      single_precision_(fits_float(position_.values().type())) {
  check_h5md_version(file_.get());
  check_h5md_lengths(group_.get(), "position");
  if (!fixed_box_) {
    check_h5md_boxes(group_.get());
    box_.emplace(group_.get(), position_.sampling());
  }
  info_.paths = {path};
  info_.format = "H5MD";
  info_.external_files = external_files_of(path, options.external);
  info_.group = group_name_;
  info_.length_unit = common_unit(position_, box_);
  info_.time_unit = position_.sampling().time_unit();
  info_.frame_count = position_.sampling().count();
  info_.lists_moments = true;
  if (info_.frame_count == 0) {
    throw InputError(hdf5_location(position_.values().dataset()) + ": has no frames");
  }
  if (position_.sampling().fill_in_front()) {
    info_.remarks.push_back(path +
                            ": steps and times begin with a fill value, as ESPResSo "
                            "before 2026 writes them; it was left out");
  }
  const std::uint64_t particle_count = count_particles(position_.values());
  const SharedStructure names =
      structure ? structure : read_gromacs_topology(group_.get(), path, particle_count);
  if (options.per_particle || names) {
    tell_particles(particle_count, names);
  } else {
    tell_species(particle_count);
  }
  if (names && !structure) {
    info_.from = names->from;
  }
  tell_box();
  info_.decompresses = position_.values().decompresses();
  info_.sequential_only =
      position_.values().share_chunks() ||
      (species_ ? species_->sequential_only() : particles_->sequential_only()) ||
      (id_ && id_->sequential_only());
}

bool H5mdReader::nan_filled() const {
  return fill_ && std::isnan(*fill_);
}

void H5mdReader::tell_particles(std::uint64_t particle_count,
                                const SharedStructure& names) {
  particles_.emplace(group_.get(), position_.sampling(), particle_count, nan_filled(),
                     [&](bool told) {
                       padded_ = nan_filled() && !told;
                       return end_of_first_frame();
                     });
  info_.species = {"all"};
  ParticleTable& table = info_.particles;
  table = particles_->table();
  if (has_atomic_numbers() && table.element.empty() &&
      (!names || names->particles.element.empty())) {
    for (const std::string& species : table.species) {
      table.element.push_back(element_of_text(species));
    }
    info_.from.elements = atomic_numbers;
  }
  if (names) {
    name_by_structure(*names, info_.paths.front(), table);
    info_.remarks.insert(info_.remarks.end(), names->remarks.begin(),
                         names->remarks.end());
  }
}

void H5mdReader::tell_species(std::uint64_t particle_count) {
  species_.emplace(group_.get(), position_.sampling(), particle_count, nan_filled());
  padded_ = nan_filled() && !species_->tell_absent();
  info_.species = species_->names();
  if (has_atomic_numbers()) {
    info_.from.elements = atomic_numbers;
    for (const std::string& species : info_.species) {
      const std::string element = element_of_text(species);
      info_.elements.push_back({element, element.empty() ? "" : atomic_numbers});
    }
  } else if (hdf5_exists(group_.get(), "element")) {
    info_.elements = elements_by_column(particle_count);
  }
  if (tell_order_ && hdf5_exists(group_.get(), "id")) {
    id_.emplace(group_.get(), "id", position_.sampling(), H5mdMatch::Rule::same_step,
                particle_count);
  }
}

std::vector<SpeciesElement> H5mdReader::elements_by_column(
    std::uint64_t particle_count) {
  ParticleTable table;
  try {
    table = H5mdParticles(group_.get(), position_.sampling(), particle_count,
                          nan_filled(), [this](bool) { return end_of_first_frame(); })
                .table();
  } catch (const InputError&) {
    return {};  // individual particles are unknown, and so are their elements
  }
  std::map<std::string_view, std::vector<std::uint32_t>> particles;
  for (std::size_t k = 0; k < table.species.size(); ++k) {
    particles[table.species[k]].push_back(static_cast<std::uint32_t>(k));
  }
  std::vector<SpeciesElement> elements;
  for (const std::string& name : info_.species) {
    elements.push_back(element_of(table, particles[name], "the file"));
  }
  return elements;
}

void H5mdReader::tell_box() {
  if (box_) {
    info_.from.box = box_->source();
    info_.from.periodic = box_->periodic_source();
  } else if (!has_h5md_edges(group_.get())) {
    info_.from.box = "none";
  }
}

bool H5mdReader::has_atomic_numbers() const {
  return h5md_creator(file_.get()) == "znh5md";
}

void H5mdReader::read(FrameIndex index, Frame& frame) {
  const std::uint64_t row = index.get();
  frame.index = index;
  frame.step = position_.sampling().step(row);
  frame.time = position_.sampling().time(row);
  frame.box = fixed_box_ ? *fixed_box_ : box_->read(row);
  if (single_precision_) {
    read_positions(row, raw_float_, hdf5_type<float>(), frame);
  } else {
    read_positions(row, raw_double_, hdf5_type<double>(), frame);
  }
  if (tell_order_) {
    read_order(row, frame);
  }
}

/// Sets the order of the frame whose positions were just read.
void H5mdReader::read_order(std::uint64_t index, Frame& frame) {
  frame.order.resize(frame.positions.size());
  if (particles_) {
    frame.order.front() = {particles_->order(), particles_->table().id};
    return;
  }
  const SpeciesMembers& members = species_->members(index, end_);
  if (id_) {
    id_->read(index);
  }
  for (std::size_t species = 0; species < members.size(); ++species) {
    FileOrder& order = frame.order[species];
    order.row = members[species];
    order.id.clear();
    for (const std::uint32_t particle : members[species]) {
      if (id_) {
        order.id.push_back(id_->values()[particle]);
      }
    }
  }
}

template <class Real>
void H5mdReader::read_positions(std::uint64_t index, std::vector<Real>& raw,
                                hid_t memory_type, Frame& frame) {
  raw.resize(position_.values().row_size());
  position_.values().read(index, memory_type, raw.data());
  end_ = end_of(raw);
  PositionSummary summary;
  if (particles_) {
    const std::vector<std::uint32_t>& rows = particles_->rows(index, end_);
    check_absent(raw, particles_->without_species());
    check_only_absent(raw, particles_->only_absent());
    frame.positions.resize(1);
    gather_positions(raw, rows, fill_, frame.positions.front(), summary);
    frame.coordinate_bound = summary.coordinate_bound();
    check(summary, raw, rows);
    particles_->sort(frame.positions.front());
    return;
  }
  const SpeciesMembers& members = species_->members(index, end_);
  check_absent(raw, species_->without_species());
  check_only_absent(raw, species_->only_absent());
  frame.positions.resize(members.size());
  for (std::size_t species = 0; species < members.size(); ++species) {
    gather_positions(raw, members[species], fill_, frame.positions[species], summary);
  }
  frame.coordinate_bound = summary.coordinate_bound();
  if (summary.ambiguous()) {
    std::vector<std::uint32_t> present;
    for (const auto& particles : members) {
      present.insert(present.end(), particles.begin(), particles.end());
    }
    std::sort(present.begin(), present.end());
    check(summary, raw, present);
  }
}

template <class Real>
std::uint64_t H5mdReader::end_of(const std::vector<Real>& raw) const {
  if (!padded_ || raw.empty()) {
    return UINT64_MAX;
  }
  std::uint64_t end = raw.size() / 3;
  while (end > 0 && all_nan(&raw[3 * (end - 1)])) {
    --end;
  }
  if (end == 0) {
    throw InputError(hdf5_location(position_.values().dataset()) + never_written);
  }
  return end;
}

std::uint64_t H5mdReader::end_of_first_frame() {
  if (!padded_) {
    return UINT64_MAX;
  }
  raw_double_.resize(position_.values().row_size());
  position_.values().read(0, hdf5_type<double>(), raw_double_.data());
  return end_of(raw_double_);
}

template <class Real>
bool H5mdReader::has_position(const Real* position) const {
  const bool filled = fill_ && std::all_of(position, position + 3, [&](Real value) {
                        return static_cast<double>(value) == *fill_;
                      });
  return !filled && !all_nan(position);
}

template <class Real>
void H5mdReader::check_absent(const std::vector<Real>& raw,
                              const std::vector<std::uint32_t>& absent) const {
  for (const std::uint32_t particle : absent) {
    if (has_position(&raw[3 * std::size_t{particle}])) {
      throw InputError(
          hdf5_location(position_.values().dataset()) + ": particle " +
          std::to_string(particle) +
          " has a position, but its species is the fill value, as of a "
          "particle that is absent (write its species, or the fill value as "
          "its position)");
    }
  }
  if (!absent.empty() && 3 * absent.size() == raw.size()) {
    throw InputError(hdf5_location(position_.values().dataset()) + never_written);
  }
}

template <class Real>
void H5mdReader::check_only_absent(const std::vector<Real>& raw,
                                   std::optional<std::uint32_t> particle) const {
  if (!particle) {
    return;
  }
  const Real* position = &raw[3 * std::size_t{*particle}];
  const bool zero =
      std::all_of(position, position + 3, [](Real value) { return value == Real{0}; });
  if (!zero && has_position(position)) {
    throw InputError(hdf5_location(position_.values().dataset()) + ": particle " +
                     std::to_string(*particle) +
                     " has a position, but its id is the fill value, as of a particle "
                     "that is absent (give the dataset id another fill value, such as "
                     "-1, or write the fill value as the position)");
  }
}

template <class Real>
void H5mdReader::check(const PositionSummary& summary, const std::vector<Real>& raw,
                       const std::vector<std::uint32_t>& present) const {
  if (!summary.ambiguous()) {
    return;
  }
  const auto lost = std::find_if(present.begin(), present.end(), [&](std::uint32_t k) {
    return all_nan(&raw[3 * std::size_t{k}]);
  });
  if (lost != present.end()) {
    throw InputError(hdf5_location(position_.values().dataset()) + ": particle " +
                     std::to_string(*lost) +
                     " has position (nan, nan, nan), which is not finite, and the file "
                     "does not mark it as absent (by an id or a species that is its "
                     "fill value, or by the fill value NaN of the positions)");
  }
  try {
    check_positions(raw, present, fill_);
  } catch (const InputError& error) {
    throw InputError(hdf5_location(position_.values().dataset()) + ": " + error.what());
  }
}

}  // namespace starhist::io
