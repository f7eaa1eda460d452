#include "io/text/text_index.hh"

#include <algorithm>

#include "io/particles/species_order.hh"
#include "io/text/last_line.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

/// Throws InputError unless the line can describe an atom. `rest`: the part of the line
/// after the species or, without species, after the first field.
void check_fields(std::string_view line, std::string_view rest, std::size_t taken,
                  std::string_view species, const AtomColumns& columns) {
  const bool ends =
      columns.count > taken && rest.find_first_not_of(" \t") == std::string_view::npos;
  // includes the letters of nan and inf
  constexpr std::string_view of_numbers = "+-.0123456789niNI";
  const std::size_t begin = line.find_first_not_of(" \t");
  if (species.empty() || ends || begin == std::string_view::npos ||
      (columns.number_first &&
       of_numbers.find(line[begin]) == std::string_view::npos)) {
    throw InputError("'" + std::string(line.substr(0, 40)) + "' is not an atom");
  }
}

}  // namespace

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

void TextIndex::check(std::uint64_t frame) const {
  const auto found = damaged.find(frame);
  if (found != damaged.end()) {
    throw InputError(found->second);
  }
}

StepAndTime TextIndex::moment(std::uint64_t frame) const {
  check(frame);
  return moments.at(frame);
}

const TextFile::Position& TextIndex::first_whole() const {
  std::uint64_t frame = 0;
  while (damaged.contains(frame)) {
    ++frame;
  }
  return frames.at(frame);
}

void TextIndexer::blame_frame_before(const TextFile::Position& position,
                                     const InputError& error) {
  if (index_.frames.empty() || is_damaged()) {
    add_damaged(position, error);
    return;
  }
  seen_before_.pop_back();
  const TextFile::Position before = index_.frames.back();
  index_.frames.pop_back();
  index_.moments.pop_back();
  add_damaged(before, error);
}

void TextIndexer::add_damaged(const TextFile::Position& position,
                              const InputError& error) {
  constexpr std::size_t most = 1000;
  const std::string problem = error.what();
  if (index_.damaged.empty()) {
    first_problem_ = problem;
  }
  if (index_.damaged.size() == most) {
    throw InputError(first_problem_ + " (the first of more than " +
                     std::to_string(most) +
                     " damaged frames: the file is damaged, or of another format)");
  }
  index_.damaged[index_.frames.size()] =
      problem + " (the frame from line " + std::to_string(position.line) +
      " on is cut off or damaged; --skip-bad-frames leaves it out)";
  index_.frames.push_back(position);
  index_.moments.emplace_back();
  seen_.keep(seen_before_.back());
  file_.go_to(position);
}

TextIndex TextIndexer::finish(bool begun) {
  if (index_.frames.size() == index_.damaged.size() && !index_.frames.empty()) {
    throw InputError(first_problem_);
  }
  if (begun) {
    seen_.keep(seen_before_.back());
  }
  finish_index(file_, begun, seen_, index_);
  return std::move(index_);
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

bool SpeciesSeen::add(std::string_view name) {
  if (last_ < names_.size() && names_[last_] == name) {
    return false;
  }
  last_ = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) -
                                   names_.begin());
  if (last_ < names_.size()) {
    return false;
  }
  names_.emplace_back(name);
  return true;
}

std::vector<std::string> SpeciesSeen::sorted_names() const {
  std::vector<std::string> names = names_;
  sort_species(names);
  return names;
}

FrameSkip skip_atoms(TextFile& file, std::uint64_t atoms,
                     std::optional<std::size_t> column, const AtomColumns& columns,
                     std::string& above, SpeciesSeen& seen, const CheckAtom& check) {
  const TextFile::Position begin = file.position();
  std::string_view line;
  for (std::uint64_t atom = 0; atom < atoms; ++atom) {
    const bool last = atom + 1 == atoms;
    const auto is_whole = [&](std::string_view rest) {
      return last && is_whole_last_atom(file, begin, rest, above, columns);
    };
    if (!next_or_whole_rest(file, line, is_whole)) {
      return {false, true};
    }
    if (last) {
      above = line;
    }
    std::string_view rest = line;
    std::string_view species = any_species;
    const std::size_t taken = column.value_or(0) + 1;
    for (std::size_t c = 0; c < taken; ++c) {
      const std::string_view field = take_field(rest);
      species = column ? field : species;
    }
    try {
      check_fields(line, rest, taken, species, columns);
      // Check the last line as well: if the frame is cut off in it, the next frame may
      // follow on the same line.
      if (seen.add(species) || last) {
        check(line);
      }
    } catch (const InputError& error) {
      throw InputError(file.at_last_line("atom " + std::to_string(atom + 1) + " of " +
                                         std::to_string(atoms) + " is expected, but " +
                                         error.what()));
    }
  }
  return {true, true};
}

void finish_index(const TextFile& file, bool begun, const SpeciesSeen& seen,
                  TextIndex& index) {
  const TextFile::Position end = file.position();
  std::string remedy =
      "copy the file again, or correct the number of atoms if it is too large";
  if (begun || file.truncation()) {
    index.damage = "frame " + std::to_string(index.frames.size()) +
                   " is cut off in line " + std::to_string(end.line);
    std::string_view rest;
    if (!file.truncation()) {
      index.damage += ", where the file ends";
    } else if (file.rest(rest)) {
      index.damage += ", which has no newline at its end";
      remedy += "; if the line is whole, add the newline";
    }
  }
  index.rest_is_line = file.rest_is_line();
  index.species = seen.sorted_names();
  if (index.frames.empty()) {
    throw InputError(file.path() + ": has no whole frame" +
                     (index.damage.empty()
                          ? ""
                          : ", because " + index.damage + " (" + remedy + ")"));
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
