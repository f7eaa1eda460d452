#include "io/reader/model_trajectory.hh"

#include <algorithm>
#include <set>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/particles/alternate_locations.hh"
#include "io/particles/species_order.hh"

namespace starhist::io {
namespace {

/// Describes an atom for messages: "CB SER A 52B".
std::string words_of(const ParticleTable& table, std::size_t atom) {
  std::string words = table.name[atom];
  for (const std::string& word :
       {table.alternate_location[atom], table.residue_name[atom], table.chain[atom],
        std::to_string(table.residue[atom]) + table.insertion_code[atom],
        table.segment[atom], table.element[atom]}) {
    words += word.empty() ? "" : " " + word;
  }
  return words;
}

}  // namespace

std::string few_boxes_remark(std::size_t boxes, const std::string& name,
                             std::size_t models) {
  return "has " + (boxes == 1 ? "one " : std::to_string(boxes) + " ") + name +
         ", for all " + std::to_string(models) +
         " frames (if the box changed in the simulation, give the boxes with --box "
         "FILE)";
}

ModelTrajectory::ModelTrajectory(const std::string& path, const std::string& format,
                                 const ReadOptions& options, SharedStructure structure)
    : AtomTrajectory(path, format, options, std::move(structure)),
      altloc_(options.altloc),
      per_particle_(options.per_particle),
      given_names_(this->structure() != nullptr) {
  info_.length_unit = std::string("A");
}

void ModelTrajectory::take_models(std::vector<AtomModel> models,
                                  const std::vector<std::string>& remarks) {
  models_ = std::move(models);
  info_.frame_count = models_.size();
  const std::size_t first = first_usable();
  if (per_particle_ || given_names_ || have_same_atoms()) {
    take_own_atoms([&](ParticleTable& own) { read_usable(first, &own); });
  } else {
    list_species();
  }
  for (const std::string& remark : remarks) {
    info_.remarks.push_back(path() + ": " + remark);
  }
}

std::size_t ModelTrajectory::first_usable() const {
  const auto usable =
      std::find_if(models_.begin(), models_.end(),
                   [](const AtomModel& model) { return model.problem.empty(); });
  if (usable == models_.end()) {
    throw InputError(path() + ": frame 0: " + models_.front().problem);
  }
  return static_cast<std::size_t>(usable - models_.begin());
}

bool ModelTrajectory::have_same_atoms() const {
  const AtomModel& first = models_[first_usable()];
  return std::all_of(models_.begin(), models_.end(), [&](const AtomModel& model) {
    return !model.problem.empty() ||
           (model.names == first.names && model.atoms == first.atoms);
  });
}

void ModelTrajectory::read_usable(std::size_t index, ParticleTable* names) {
  if (const std::string& problem = models_[index].problem; !problem.empty()) {
    throw InputError(problem);
  }
  read_.positions.clear();
  read_model(index, read_, names);
}

/// Keeps only the chosen alternate locations of a model, in `names` and in the
/// positions just read.
void ModelTrajectory::choose_atoms(const AtomModel& model, ParticleTable& names) {
  if (!model.has_alternates) {
    return;
  }
  const ChosenLocations chosen = choose_locations(names, altloc_);
  keep_chosen(chosen, altloc_, names);
  for (std::size_t k = 0; k < chosen.kept.size(); ++k) {
    std::copy_n(&read_.positions[3 * std::size_t{chosen.kept[k]}], 3,
                &read_.positions[3 * k]);
  }
  read_.positions.resize(3 * chosen.kept.size());
}

/// Makes the atom names of all models the species.
void ModelTrajectory::list_species() {
  std::set<std::string> names;
  bool chosen_letter = !is_letter_choice(altloc_);
  std::size_t left_out = 0;
  for (std::size_t k = 0; k < models_.size(); ++k) {
    if (!models_[k].problem.empty()) {
      continue;
    }
    ParticleTable table;
    try {
      read_usable(k, &table);
      choose_atoms(models_[k], table);
      // read() reports the problem if the frame is not skipped
    } catch (const InputError& error) {
      models_[k].problem = error.what();
      continue;
    }
    left_out += models_[k].atoms - table.count;
    fill_species(table);
    names.insert(table.species.begin(), table.species.end());
    chosen_letter = chosen_letter || models_[k].has_alternates;
  }
  static_cast<void>(first_usable());
  info_.particles = {};
  info_.species.assign(names.begin(), names.end());
  sort_species(info_.species);
  info_.has_alternate_locations = chosen_letter;
  species_.emplace(info_.species);
  info_.remarks = {path() +
                   ": its models differ in their atoms: species are the atom names of "
                   "each model"};
  if (left_out > 0) {
    info_.remarks.push_back(path() + ": " + std::to_string(left_out) +
                            " alternate locations of all models are left out (choose "
                            "with --altloc first, all or a letter)");
  }
}

/// Throws InputError unless the model has the same atoms as the first one.
void ModelTrajectory::check_same_atoms(std::size_t index) {
  const std::size_t first = first_usable();
  if (given_names_ || models_[index].names == models_[first].names) {
    return;
  }
  ParticleTable own;
  ParticleTable other;
  read_usable(first, &other);
  read_usable(index, &own);
  const std::size_t common = std::min(own.count, other.count);
  const auto differs = [&](std::size_t k) {
    return words_of(own, k) != words_of(other, k);
  };
  std::size_t atom = 0;
  while (atom < common && !differs(atom)) {
    ++atom;
  }
  throw InputError("its atoms differ from the first frame's" +
                   (atom < common ? ": atom " + std::to_string(atom + 1) + " is '" +
                                        words_of(own, atom) + "', there '" +
                                        words_of(other, atom) + "'"
                                  : std::string()) +
                   " (rules for particles, --by and --exclude-same need the same atoms "
                   "in all frames: --last ends before it, --skip-bad-frames leaves it "
                   "out)");
}

void ModelTrajectory::fill_by_species(FrameIndex index, const double (&edges)[9],
                                      Frame& frame) {
  ParticleTable names;
  read_usable(index.index(), &names);
  choose_atoms(models_[index.index()], names);
  fill_species(names);
  start_frame(index, info_.species.size(), tells_order(), frame);
  frame.step = read_.moment.step;
  frame.time = read_.moment.time;
  frame.box = box_of(edges, all_axes);
  for (std::uint32_t k = 0; k < names.count; ++k) {
    const double* p = &read_.positions[3 * std::size_t{k}];
    add_atom(species_->of(names.species[k]), {p[0], p[1], p[2]}, k, "", frame);
  }
}

void ModelTrajectory::read(FrameIndex index, Frame& frame) {
  try {
    double edges[9] = {};
    if (!species_) {
      check_same_atoms(index.index());
      read_usable(index.index(), nullptr);
    }
    if (!has_fixed_box()) {
      read_box(index.index(), edges);
    }
    if (species_) {
      fill_by_species(index, edges, frame);
    } else {
      fill(index, read_.moment, read_.positions, edges, frame);
    }
  } catch (const InputError& error) {
    const std::string problem = error.what();
    throw InputError(problem.starts_with(path()) ? problem : path() + ": " + problem);
  }
}

}  // namespace starhist::io
