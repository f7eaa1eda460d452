#include "io/text/text_index.hh"

#include <algorithm>

#include "io/particles/species_order.hh"
#include "io/text/last_line.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {

std::vector<std::string> TextIndex::truncation_sentences(
    const std::string& path) const {
  if (damage.empty()) {
    return {};
  }
  return {path + ": " + damage + "; " +
          (frames.size() == 1 ? "only the frame before it is read"
                              : "the " + std::to_string(frames.size()) +
                                    " frames before it are read")};
}

SpeciesNumbers::SpeciesNumbers(const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    numbers_.emplace(names[k], k);
  }
}

std::size_t SpeciesNumbers::of(std::string_view name) {
  if (name != last_name_) {
    last_name_ = name;
    const auto found = numbers_.find(last_name_);
    if (found == numbers_.end()) {
      throw InputError("species '" + last_name_ +
                       "' was not there when the file was opened (it has changed)");
    }
    last_ = found->second;
  }
  return last_;
}

void SpeciesSeen::add(std::string_view name) {
  if (last_ < names_.size() && names_[last_] == name) {
    return;
  }
  last_ = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) -
                                   names_.begin());
  if (last_ == names_.size()) {
    names_.emplace_back(name);
  }
}

std::vector<std::string> SpeciesSeen::sorted_names() const {
  std::vector<std::string> names = names_;
  sort_species(names);
  return names;
}

FrameSkip skip_atoms(TextFile& file, std::uint64_t atoms,
                     std::optional<std::size_t> column, const AtomColumns& columns,
                     std::string& above, SpeciesSeen& seen) {
  std::string_view line;
  for (std::uint64_t atom = 0; atom < atoms; ++atom) {
    const bool last = atom + 1 == atoms;
    const auto is_whole = [&](std::string_view rest) {
      return last && is_whole_atom(rest, above, columns);
    };
    if (!next_or_whole_rest(file, line, is_whole)) {
      return {false, true};
    }
    if (last || atom + 2 == atoms) {
      above = line;
    }
    std::string_view species = any_species;
    for (std::size_t c = 0; column && c <= *column; ++c) {
      species = take_field(line);
    }
    // Where a LAMMPS frame has fewer atoms than it says, the next one begins.
    if (species.empty() || species.starts_with("ITEM:")) {
      throw InputError(file.last_line_position() + ": is no atom");
    }
    seen.add(species);
  }
  return {true, true};
}

void finish_index(const TextFile& file, bool begun, const SpeciesSeen& seen,
                  TextIndex& index) {
  const TextFile::Position end = file.position();
  if (begun || file.truncation()) {
    index.damage = "frame " + std::to_string(index.frames.size()) +
                   " is cut off in line " + std::to_string(end.line);
    std::string_view rest;
    if (!file.truncation()) {
      index.damage += ", where the file ends";
    } else if (file.rest(rest)) {
      index.damage += ", which does not end with a newline (if it is whole, add one)";
    }
  }
  index.rest_is_line = file.rest_is_line();
  index.species = seen.sorted_names();
  if (index.frames.empty()) {
    throw InputError(file.path() + ": has no whole frame" +
                     (index.damage.empty() ? "" : " (" + index.damage + ")"));
  }
}

void start_frame(FrameIndex index, std::size_t species, bool tell_order, Frame& frame) {
  frame.index = index;
  frame.positions.resize(species);
  for (auto& positions : frame.positions) {
    positions.clear();
  }
  frame.order.resize(tell_order ? species : 0);
  for (FileOrder& order : frame.order) {
    order.row.clear();
    order.id.clear();
  }
}

void add_atom(std::size_t species, const Vec3& position, std::uint32_t row,
              std::string_view id, Frame& frame) {
  std::vector<double>& positions = frame.positions[species];
  positions.insert(positions.end(), {position.x, position.y, position.z});
  if (frame.order.empty()) {
    return;
  }
  frame.order[species].row.push_back(row);
  if (!id.empty()) {
    frame.order[species].id.push_back(whole_field(id, "id"));
  }
}

}  // namespace starhist::io
