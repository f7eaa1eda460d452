#include "io/formats/gro/gro_reader.hh"

#include <charconv>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/gro/gro_lines.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/last_line.hh"
#include "io/text/repeated_names.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

std::uint64_t atom_count(const TextFile& file, std::string_view line) {
  std::string_view rest = line;
  const std::string_view count = take_field(rest);
  std::uint64_t atoms = 0;
  const auto parsed = std::from_chars(count.data(), count.data() + count.size(), atoms);
  if (parsed.ec != std::errc() || parsed.ptr != count.data() + count.size() ||
      !take_field(rest).empty()) {
    throw InputError(file.last_line_position() + ": is not the number of atoms ('" +
                     std::string(line.substr(0, 40)) + "')");
  }
  return atoms;
}

bool has_box(std::string_view line) {
  double edges[9];
  try {
    read_gro_box(line, edges);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

/// Reads the number of atoms. `box`: box line of the previous frame, or "". If both are
/// invalid, that frame lacks lines.
std::uint64_t atom_count_after(const TextFile& file, std::string_view line,
                               const std::string& box) {
  try {
    return atom_count(file, line);
  } catch (const InputError& error) {
    if (has_box(box)) {
      throw;
    }
    throw NoFrameBegins(
        error.what() +
        std::string(box.empty() ? ""
                                : ": the frame before it has more or fewer atoms than "
                                  "its second line states"));
  }
}

StepAndTime moment_of_title(std::string_view title) {
  return {whole_number_after(title, "step=").value_or(0),
          real_after(title, "t=").value_or(no_time)};
}

/// `box`: box line of the previous frame (or "") on entry, of this frame on return.
FrameSkip skip_gro_frame(TextFile& file, std::string& box, RepeatedNames& names) {
  std::string_view line;
  if (!file.next(line)) {
    return {};
  }
  const StepAndTime moment = moment_of_title(line);
  std::string_view rest = line;
  const bool blank = take_field(rest).empty();
  if (!file.next(line)) {
    return {false, !blank};
  }
  const std::uint64_t atoms = atom_count_after(file, line, box);
  constexpr std::size_t end_of_x = 23;   // columns up to and including x
  constexpr std::size_t name_begin = 5;  // names of residue and atom
  constexpr std::size_t names_width = 10;
  names.begin_frame();
  for (std::uint64_t k = 0; k < atoms; ++k) {
    if (!file.next(line)) {
      return {false, true};
    }
    if (line.size() < end_of_x) {
      throw InputError(file.last_line_position() + ": is not an atom");
    }
    names.check(file, line, name_begin, names_width);
  }
  const bool found = next_or_whole_rest(
      file, line, [&box](std::string_view last) { return is_whole_box(last, box); });
  if (found) {
    box = line;
    names.end_frame();
  }
  return {found, true, moment};
}

/// Finds a frame by its number of atoms; the frame begins on the line before it.
bool find_gro_frame(TextFile& file, const TextFile::Position& begin) {
  file.go_to(begin);
  std::string_view line;
  if (!file.next(line)) {
    return false;
  }
  TextFile::Position title = file.position();
  if (!file.next(line)) {
    return false;
  }
  for (TextFile::Position place = file.position(); file.next(line);
       place = file.position()) {
    if (is_count(line)) {
      file.go_to(title);
      return true;
    }
    title = place;
  }
  return false;
}

std::string_view next_line(TextFile& file) {
  std::string_view line;
  if (!file.next(line)) {
    throw InputError("has become shorter since it was opened");
  }
  return line;
}

TextIndex index_gro(TextFile& file) {
  std::string box;
  RepeatedNames names;
  return TextIndexer(file).index(
      [&](TextFile& text, SpeciesSeen&) { return skip_gro_frame(text, box, names); },
      find_gro_frame);
}

/// Reads the frame at the current position. Appends its atoms to `names`, unless that
/// is null. Throws InputError without the file name for a line without a position.
void read_gro_frame(TextFile& file, GroFrame& frame, ParticleTable* names) {
  const std::string_view title = next_line(file);
  frame.moment = moment_of_title(title);
  const std::uint64_t atoms = atom_count(file, next_line(file));
  frame.positions.clear();
  std::size_t width = 0;
  for (std::uint64_t k = 0; k < atoms; ++k) {
    const std::string_view line = next_line(file);
    width = k == 0 ? gro_field_width(line) : width;
    if (!add_gro_position(line, width, frame.positions)) {
      refuse_position(file, line);
    }
    if (names != nullptr) {
      add_gro_names(line, *names);
    }
  }
  frame.box = next_line(file);
}

}  // namespace

GroReader::GroReader(const std::string& path, const ReadOptions& options,
                     SharedStructure structure)
    : AtomTrajectory(path, "GROMACS GRO", options, std::move(structure)),
      file_(path),
      index_(index_gro(file_)) {
  info_.frame_count = index_.frames.size();
  info_.lists_moments = true;
  info_.sequential_only = file_.compressed();
  info_.truncation = index_.truncation_sentences(path);
  take_own_atoms([this](ParticleTable& own) {
    file_.go_to(index_.first_whole());
    read_gro_frame(file_, read_, &own);
  });
}

void GroReader::read(FrameIndex index, Frame& frame) {
  try {
    index_.check(index.get());
    file_.go_to(index_.frames[index.index()]);
    read_gro_frame(file_, read_, nullptr);
    double edges[9] = {};
    if (!has_fixed_box()) {
      read_gro_box(read_.box, edges);
    }
    fill({index, read_.moment.step, read_.moment.time}, read_.positions, edges, frame);
  } catch (const InputError& error) {
    const std::string problem = error.what();
    throw InputError(problem.starts_with(path()) ? problem : path() + ": " + problem);
  }
}

}  // namespace starhist::io
