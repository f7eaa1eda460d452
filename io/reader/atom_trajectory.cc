#include "io/reader/atom_trajectory.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/reader/positions.hh"
#include "io/text/text_index.hh"

namespace starhist::io {
namespace {

/// Clears a column whose entries are all empty.
void drop_if_empty(std::vector<std::string>& column) {
  if (std::all_of(column.begin(), column.end(),
                  [](const std::string& text) { return text.empty(); })) {
    column.clear();
  }
}

}  // namespace

AtomTrajectory::AtomTrajectory(const std::string& path, const std::string& format,
                               const ReadOptions& options, SharedStructure structure)
    : fixed_box_(options.box),
      altloc_(options.altloc),
      tell_order_(options.tell_order),
      has_rules_(!options.species.empty()) {
  refuse_group(path, format, options);
  info_.paths = {path};
  info_.format = format;
  info_.species = {std::string(any_species)};
  info_.length_unit = "nm";
  info_.time_unit = "ps";
  set_structure(std::move(structure));
}

void AtomTrajectory::set_structure(SharedStructure structure) {
  structure_ = std::move(structure);
  if (structure_ && structure_->pbc == Pbc::screw) {
    throw InputError(structure_->path +
                     ": has pbc = screw, which starhist does not know");
  }
}

void AtomTrajectory::set_atoms(std::uint64_t atoms) {
  if (structure_ && structure_->particles.count != atoms) {
    throw InputError(path() + ": has " + std::to_string(atoms) +
                     " atoms, but the structure " + structure_->path + " has " +
                     std::to_string(structure_->particles.count) +
                     " (give a structure with exactly the atoms of the trajectory)");
  }
  if (structure_) {
    info_.particles = structure_->particles;
    info_.remarks = structure_->remarks;
  } else if (!has_rules_) {
    info_.remarks = {path() + ": contains no names of its " + std::to_string(atoms) +
                     " atoms (--structure FILE, such as a TPR or GRO, supplies them)"};
  }
  info_.particles.count = atoms;
  all_atoms_ = all_particles(atoms);
  atoms_in_file_ = atoms;
}

/// Keeps only the chosen alternate locations in the table.
ChosenLocations AtomTrajectory::choose_own_locations(Structure& own) const {
  try {
    ChosenLocations chosen = choose_locations(own.particles, altloc_);
    const std::string remark = keep_chosen(chosen, altloc_, own.particles);
    if (!remark.empty()) {
      own.remarks.push_back(path() + ": " + remark);
    }
    return chosen;
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
}

void AtomTrajectory::take_own_structure(const std::shared_ptr<Structure>& own) {
  own->path = path();
  ParticleTable& table = own->particles;
  if (table.count == 0) {
    throw InputError(path() + ": frame 0: has no atoms");
  }
  drop_if_empty(table.residue_name);
  drop_if_empty(table.element);
  drop_if_empty(table.insertion_code);
  drop_if_empty(table.chain);
  drop_if_empty(table.segment);
  drop_if_empty(table.alternate_location);
  if (std::all_of(table.part.begin(), table.part.end(),
                  [&](std::uint32_t part) { return part == table.part.front(); })) {
    table.part.clear();
  }
  const std::uint64_t in_file = table.count;
  ChosenLocations chosen = choose_own_locations(*own);
  const std::vector<std::string> remarks = own->remarks;
  const std::uint64_t count = table.count;
  if (!structure_) {
    set_structure(own);
  }
  set_atoms(count);
  check_own_atoms(*structure_, path(), table);
  if (info_.remarks != remarks) {
    info_.remarks.insert(info_.remarks.end(), remarks.begin(), remarks.end());
  }
  info_.has_alternate_locations = !chosen.letters.empty();
  all_atoms_ = std::move(chosen.kept);
  atoms_in_file_ = in_file;
}

Box AtomTrajectory::box_of(const double (&edges)[9], const Axes& periodic) const {
  const Pbc pbc = structure_ ? structure_->pbc : Pbc::unknown;
  if (fixed_box_) {
    return *fixed_box_;
  }
  if (pbc == Pbc::none || std::all_of(std::begin(edges), std::end(edges),
                                      [](double x) { return x == 0; })) {
    return {};
  }
  const auto row = [&edges](int k) {
    return Vec3{edges[3 * k], edges[3 * k + 1], edges[3 * k + 2]};
  };
  return {{row(0), row(1), row(2)},
          {periodic[0], periodic[1], periodic[2] && pbc != Pbc::xy}};
}

template <class Real>
void AtomTrajectory::fill(FrameIndex index, const StepAndTime& moment,
                          const std::vector<Real>& positions, const double (&edges)[9],
                          Frame& frame, const Axes& periodic) const {
  if (positions.size() != 3 * atoms_in_file_) {
    throw InputError("has " + std::to_string(positions.size() / 3) +
                     " atoms, the frames before it " + std::to_string(atoms_in_file_) +
                     " (a run has the same atoms in all frames: --last ends before it, "
                     "--skip-bad-frames leaves it out)");
  }
  frame.index = index;
  frame.step = moment.step;
  frame.time = moment.time;
  frame.box = box_of(edges, periodic);
  frame.positions.resize(1);
  PositionSummary summary;
  gather_positions(positions, all_atoms_, {}, frame.positions[0], summary);
  frame.coordinate_bound = summary.coordinate_bound();
  if (summary.ambiguous()) {
    check_positions(positions, all_atoms_, {});
  }
  if (tell_order_) {
    frame.order = species_in_turn(frame.positions);
  }
}

template void AtomTrajectory::fill(FrameIndex, const StepAndTime&,
                                   const std::vector<float>&, const double (&)[9],
                                   Frame&, const Axes&) const;
template void AtomTrajectory::fill(FrameIndex, const StepAndTime&,
                                   const std::vector<double>&, const double (&)[9],
                                   Frame&, const Axes&) const;

}  // namespace starhist::io
