#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/formats/records.hh"
#include "io/particles/particle_table.hh"
#include "io/reader/atom_trajectory.hh"
#include "io/reader/unit_cell.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/last_line.hh"
#include "io/text/repeated_names.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_index.hh"

namespace starhist::io {
namespace {

// Lines of a GRO frame: a title, the number of atoms, one line per atom, the box. A
// line of an atom has residue number, residue name, atom name and atom number in five
// columns each, then x, y, z [nm] and optionally velocities. All coordinates of a
// frame have the same field width, the distance between two decimal points.
//
// `t=` and `step=` are read from the title. Its other text, atom numbers and
// velocities are ignored. Residue numbers restart after 99999.

constexpr std::size_t name_width = 5;
constexpr std::size_t first_number = 4 * name_width;
/// GROMACS rejects shorter lines of atoms.
constexpr std::size_t shortest_atom = 39;

/// Splits the box line into numbers. They are printed in columns, which large numbers
/// fill without a blank: "40000.0000040000.0000040000.00000". All numbers then have as
/// many decimals as the last one.
std::vector<std::string_view> box_fields(std::string_view line) {
  std::vector<std::string_view> fields = fields_of(line);
  const auto points = std::count(line.begin(), line.end(), '.');
  if (fields.size() == 3 || fields.size() == 9 || (points != 3 && points != 9)) {
    return fields;
  }
  const std::size_t end = line.find_last_not_of(" \t\r") + 1;
  const std::size_t decimals = end - line.rfind('.');
  fields.clear();
  std::size_t begin = 0;
  for (std::size_t point = line.find('.'); point != std::string_view::npos;
       point = line.find('.', point + 1)) {
    begin = line.find_first_not_of(" \t", begin);
    if (begin >= point || point + decimals > end) {
      return fields_of(line);
    }
    fields.push_back(line.substr(begin, point + decimals - begin));
    begin = point + decimals;
  }
  return fields;
}

/// Returns the field width of x, y and z in a frame with this first atom [columns]; 0
/// for a line without three equidistant decimal points.
std::size_t gro_field_width(std::string_view first_atom) {
  const std::size_t x = first_atom.find('.', first_number);
  const std::size_t y = x == std::string_view::npos ? x : first_atom.find('.', x + 1);
  const std::size_t z = y == std::string_view::npos ? y : first_atom.find('.', y + 1);
  return z != std::string_view::npos && z - y == y - x ? y - x : 0;
}

/// Appends x, y and z [nm], correctly rounded. False for a line without three numbers
/// in fields of this width; `positions` is then unspecified.
bool add_gro_position(std::string_view line, std::size_t width,
                      std::vector<double>& positions) {
  if (width == 0 || line.size() < std::min(shortest_atom, first_number + 3 * width)) {
    return false;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto value = decimal_in(line, first_number + axis * width, width);
    if (!value) {
      return false;
    }
    positions.push_back(*value);
  }
  return true;
}

/// Appends atom name, residue name and residue number of a line to the table.
void add_gro_names(std::string_view line, ParticleTable& table) {
  table.residue.push_back(whole_number_in(line, 0, name_width));
  table.residue_name.emplace_back(text_in(line, name_width, name_width));
  table.name.emplace_back(text_in(line, 2 * name_width, name_width));
  ++table.count;
}

/// Reads a frame's box line into `edges` (rows) [nm]. The line has the diagonal,
/// optionally followed by xy xz yx yz zx zy. A placeholder (clear_placeholder) is no
/// box. Throws InputError for other lines.
void read_gro_box(std::string_view line, double (&edges)[9]) {
  // Index in the matrix, row by row, of each number on the line.
  constexpr std::size_t element[9] = {0, 4, 8, 1, 2, 3, 5, 6, 7};
  const std::vector<std::string_view> fields = box_fields(line);
  if (fields.size() != 3 && fields.size() != 9) {
    throw InputError("the box has neither three nor nine numbers ('" +
                     std::string(line.substr(0, 60)) +
                     "'): correct it, or pass the box with --box");
  }
  std::fill(std::begin(edges), std::end(edges), 0.0);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    edges[element[k]] = real_field(fields[k], "box");
    if (k < 3 && edges[element[k]] < 0.0) {
      throw InputError("the box has a negative length (" + std::string(fields[k]) +
                       "): correct it, or pass the box with --box");
    }
  }
  clear_placeholder(edges);
}

/// A frame of a GRO file.
struct GroFrame {
  StepAndTime moment;             ///< time [ps]
  std::vector<double> positions;  ///< x, y, z of each atom [nm]
  std::string box;                ///< box line, for read_gro_box()
};

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
  const auto is_blank = [](std::string_view text) { return take_field(text).empty(); };
  const bool blank = is_blank(line);
  do {  // blank lines may follow the last frame
    if (!file.next(line)) {
      return {false, !blank};
    }
  } while (blank && is_blank(line));
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

/// Reads GROMACS' text format GRO, plain or compressed, with one or more frames. Names
/// are read from the first frame unless a structure provides them.
class GroReader : public AtomTrajectory {
 public:
  /// Scans the whole file. Throws InputError when it has no complete frame.
  GroReader(const std::string& path, const ReadOptions& options,
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

  void read(FrameIndex index, Frame& frame) override {
    try {
      index_.check(index.get());
      file_.go_to(index_.frames[index.index()]);
      read_gro_frame(file_, read_, nullptr);
      double edges[9] = {};
      if (!has_fixed_box()) {
        read_gro_box(read_.box, edges);
      }
      fill(index, read_.moment, read_.positions, edges, frame);
    } catch (const InputError& error) {
      const std::string problem = error.what();
      throw InputError(problem.starts_with(path()) ? problem : path() + ": " + problem);
    }
  }

  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return index_.moment(index.get());
  }

 private:
  TextFile file_;
  TextIndex index_;
  GroFrame read_;
};

bool begins_gro(ProbedFile& file) {
  std::vector<double> position;
  return is_count(file.line(1)) &&
         add_gro_position(file.line(2), gro_field_width(file.line(2)), position);
}

}  // namespace

TrajectoryFormat gro_format() {
  return {.name = "GRO",
          .extensions = {"gro"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .by_name = true,
          .probe = begins_gro,
          .open = open_by_path<GroReader>,
          .read_structure =
              [](const std::string& path) {
                return GroReader(path, {}, nullptr).structure();
              },
          .known_by = "the ending of the name, or number of atoms in the second line",
          .species = "atom names",
          .fields = {.box = "matrix; all axes, or no box",
                     .names = "atom names",
                     .residues = "number and name",
                     .elements = "no",
                     .molecules = "no",
                     .bonds = "no",
                     .times = "`t=` and `step=` of the title",
                     .units = "nm"}};
}

}  // namespace starhist::io
