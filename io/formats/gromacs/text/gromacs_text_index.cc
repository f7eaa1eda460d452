#include "io/formats/gromacs/text/gromacs_text_index.hh"

#include <charconv>

#include "codelets/core/base/error.hh"
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
    throw InputError(file.last_line_place() + ": is not the number of atoms ('" +
                     std::string(line.substr(0, 40)) + "')");
  }
  return atoms;
}

FrameSkip skip_gro_frame(TextFile& file) {
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
      throw InputError(file.last_line_place() + ": is no atom");
    }
  }
  return {file.next(line), true};
}

/// Whether the record is of this name, which has six columns.
bool is_record(std::string_view line, std::string_view name) {
  return line.starts_with(name) &&
         line.substr(name.size(), 6 - name.size()).find_first_not_of(' ') ==
             std::string_view::npos;
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
    while (file.next(line)) {
      if (is_pdb_atom(line)) {
        ++atoms;
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
        !in_model && !file.cut_off() && (frames_ == 0 || atoms == atoms_);
    return atoms > 0 && may_end_here ? whole(atoms) : FrameSkip{false, atoms > 0};
  }

 private:
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
  std::uint64_t atoms_ = 0;
  std::uint64_t frames_ = 0;
};

}  // namespace

GromacsTextIndex index_gro(TextFile& file) {
  GromacsTextIndex index;
  index.boxes = {""};
  index.frames = index_text(file, [&index](TextFile& text, SpeciesSeen&) {
    const FrameSkip skip = skip_gro_frame(text);
    if (skip.whole) {
      index.end = text.place();
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
      index.end = text.place();
    }
    return skip;
  });
  return index;
}

}  // namespace starhist::io
