#include "io/formats/pdb/pdb_frames.hh"

#include <algorithm>
#include <array>

#include "codelets/core/base/error.hh"
#include "io/formats/pdb/pdb_records.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/last_line.hh"

namespace starhist::io {
namespace {

/// Width of a line without the blanks at its end.
std::size_t width_of(std::string_view line) {
  return line.find_last_not_of(' ') + 1;  // npos + 1 is 0
}

/// Goes through PDB and keeps what a frame needs of those before it.
class PdbFrames {
 public:
  explicit PdbFrames(PdbIndex& index) : index_(index) {}

  FrameSkip skip(TextFile& file) {
    std::uint64_t atoms = 0;
    bool in_model = false;
    std::string_view line;
    while (next_or_whole_rest(
        file, line, [this](std::string_view rest) { return is_whole(rest); })) {
      if (is_pdb_atom(line)) {
        ++atoms;
        atom_width_ = width_of(line);
      } else if (is_pdb_record(line, "CRYST1")) {
        set_box(line);
      } else if (is_pdb_record(line, "MODEL")) {
        in_model = true;
      } else if ((is_pdb_record(line, "ENDMDL") || is_pdb_record(line, "END")) &&
                 atoms > 0) {
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
    return std::any_of(records.begin(), records.end(), [line](std::string_view name) {
      return is_pdb_record(line, name);
    });
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

  PdbIndex& index_;
  std::size_t box_ = 0;
  std::size_t atom_width_ = 0;  ///< of the last atom's line; 0 before the first
  std::uint64_t atoms_ = 0;
  std::uint64_t frames_ = 0;
};

}  // namespace

PdbIndex index_pdb(TextFile& file) {
  PdbIndex index;
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

void read_pdb_frame(TextFile& file, std::uint64_t end, PdbFrame& frame,
                    ParticleTable* names) {
  frame.step = 0;
  frame.time = no_time;
  frame.positions.clear();
  std::string_view line;
  while (file.position().offset < end) {
    if (!file.next(line)) {
      throw InputError("has become shorter since it was opened");
    }
    if (is_pdb_atom(line)) {
      if (!add_pdb_position(line, frame.positions)) {
        refuse_position(file, line);
      }
      if (names != nullptr) {
        add_pdb_names(line, *names);
      }
    } else if (is_pdb_record(line, "ENDMDL") && frame.positions.empty()) {
      throw InputError("line " + std::to_string(file.position().line - 1) +
                       " ends a model without atoms");
    } else if (is_pdb_record(line, "TITLE") || is_pdb_record(line, "HEADER")) {
      frame.time = real_after(line, " t= ").value_or(frame.time);
      frame.step = whole_number_after(line, " step= ").value_or(frame.step);
    }
  }
}

}  // namespace starhist::io
