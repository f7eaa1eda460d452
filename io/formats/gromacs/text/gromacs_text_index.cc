#include "io/formats/gromacs/text/gromacs_text_index.hh"

#include <algorithm>
#include <array>
#include <charconv>

#include "codelets/core/base/error.hh"
#include "io/text/last_line.hh"
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

/// `box`: the line of the frame before ("" for none), then that of this frame.
FrameSkip skip_gro_frame(TextFile& file, std::string& box) {
  std::string_view line;
  if (!file.next(line)) {
    return {};
  }
  std::string_view rest = line;
  const bool blank = take_field(rest).empty();
  if (!file.next(line)) {
    return {false, !blank};
  }
  const std::uint64_t atoms = atom_count(file, line);
  constexpr std::size_t shortest_atom = 23;  // up to x
  for (std::uint64_t k = 0; k < atoms; ++k) {
    if (!file.next(line)) {
      return {false, true};
    }
    if (line.size() < shortest_atom) {
      throw InputError(file.last_line_position() + ": is no atom");
    }
  }
  const bool has_box = next_or_whole_rest(
      file, line, [&box](std::string_view last) { return is_whole_box(last, box); });
  if (has_box) {
    box = line;
  }
  return {has_box, true};
}

/// Whether the record is of this name, which has six columns.
bool is_record(std::string_view line, std::string_view name) {
  return line.starts_with(name) &&
         line.substr(name.size(), 6 - name.size()).find_first_not_of(' ') ==
             std::string_view::npos;
}

/// Width of a line without the blanks at its end.
std::size_t width_of(std::string_view line) {
  return line.find_last_not_of(' ') + 1;  // npos + 1 is 0
}

}  // namespace

bool is_pdb_atom(std::string_view line) {
  return is_record(line, "ATOM") || is_record(line, "HETATM");
}

namespace {

/// Goes through PDB and keeps what a frame needs of those before it.
class PdbFrames {
 public:
  explicit PdbFrames(GromacsTextIndex& index) : index_(index) {}

  FrameSkip skip(TextFile& file) {
    std::uint64_t atoms = 0;
    bool in_model = false;
    std::string_view line;
    while (next_or_whole_rest(
        file, line, [this](std::string_view rest) { return is_whole(rest); })) {
      if (is_pdb_atom(line)) {
        ++atoms;
        atom_width_ = width_of(line);
      } else if (is_record(line, "CRYST1")) {
        set_box(line);
      } else if (is_record(line, "MODEL")) {
        in_model = true;
      } else if ((is_record(line, "ENDMDL") || is_record(line, "END")) && atoms > 0) {
        return whole(atoms);
      }
    }
    // Many a file has no END. That of a trajectory shows by its length that it is cut.
    const bool may_end_here =
        !in_model && !file.truncation() && (frames_ == 0 || atoms == atoms_);
    return atoms > 0 && may_end_here ? whole(atoms) : FrameSkip{false, atoms > 0};
  }

 private:
  /// Whether the last line of a file, which has no end, is a whole record: an atom up
  /// to its element in columns 77 and 78, or as wide as the atom before; or one of
  /// whose contents nothing is needed.
  bool is_whole(std::string_view line) const {
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    constexpr std::size_t position_end = 54;
    constexpr std::size_t element_end = 78;
    if (is_pdb_atom(line)) {
      const std::size_t due = atom_width_ == 0 ? element_end : atom_width_;
      return width_of(line) >= std::clamp<std::size_t>(due, position_end, element_end);
    }
    constexpr std::array<std::string_view, 5> records{"END", "ENDMDL", "TER", "CONECT",
                                                      "MASTER"};
    return std::any_of(records.begin(), records.end(),
                       [line](std::string_view name) { return is_record(line, name); });
  }

  FrameSkip whole(std::uint64_t atoms) {
    atoms_ = atoms;
    ++frames_;
    index_.box_of.push_back(box_);
    return {true, true};
  }

  void set_box(std::string_view line) {
    if (index_.boxes[box_] != line) {
      index_.boxes.emplace_back(line);
      box_ = index_.boxes.size() - 1;
    }
  }

  GromacsTextIndex& index_;
  std::size_t box_ = 0;
  std::size_t atom_width_ = 0;  ///< of the last atom's line; 0 before the first
  std::uint64_t atoms_ = 0;
  std::uint64_t frames_ = 0;
};

/// Goes through G96.
class G96Frames {
 public:
  FrameSkip skip(TextFile& file) {
    bool begun = false;
    bool has_positions = false;
    bool has_box = false;
    std::string_view line;
    for (TextFile::Position position = file.position(); next(file, line);
         position = file.position()) {
      const std::string name(take_field(line));
      const bool positions = name.starts_with("POSITION");
      if (has_positions && (positions || name == "TIMESTEP")) {
        file.go_to(position);  // it is of the next frame
        return {true, true};
      }
      if (name.empty() || name.starts_with('#')) {
        continue;
      }
      begun = begun || name != "TITLE";
      const bool ended = skip_block(file) || (name == "BOX" && lines_ > 0);
      if (!ended) {
        return {false, begun};
      }
      has_positions = has_positions || positions;
      has_box = has_box || name == "BOX";
      box_due_ = box_due_ || has_box;
    }
    const bool whole = has_positions && (has_box || (!box_due_ && !file.truncation()));
    return {whole, begun};
  }

 private:
  static bool next(TextFile& file, std::string_view& line) {
    return next_or_whole_rest(
        file, line, [](std::string_view rest) { return take_field(rest) == "END"; });
  }

  /// False when the file ends before END.
  bool skip_block(TextFile& file) {
    std::string_view line;
    for (lines_ = 0; next(file, line); ++lines_) {
      if (take_field(line) == "END") {
        return true;
      }
    }
    return false;
  }

  bool box_due_ = false;   ///< as some frame has one
  std::size_t lines_ = 0;  ///< of the last block, without END
};

}  // namespace

TextIndex index_g96(TextFile& file) {
  G96Frames frames;
  return index_text(
      file, [&frames](TextFile& text, SpeciesSeen&) { return frames.skip(text); });
}

GromacsTextIndex index_gro(TextFile& file) {
  GromacsTextIndex index;
  index.boxes = {""};
  std::string box;
  index.frames = index_text(file, [&](TextFile& text, SpeciesSeen&) {
    const FrameSkip skip = skip_gro_frame(text, box);
    if (skip.whole) {
      index.end = text.position();
      index.box_of.push_back(0);
    }
    return skip;
  });
  return index;
}

GromacsTextIndex index_pdb(TextFile& file) {
  GromacsTextIndex index;
  index.boxes = {""};
  PdbFrames frames(index);
  index.frames = index_text(file, [&](TextFile& text, SpeciesSeen&) {
    const FrameSkip skip = frames.skip(text);
    if (skip.whole) {
      index.end = text.position();
    }
    return skip;
  });
  return index;
}

}  // namespace starhist::io
