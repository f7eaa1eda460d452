#include "io/xyz_reader.hh"

#include "codelets/core/error.hh"
#include "io/text_fields.hh"

namespace starhist {
namespace {

/// Reads a frame's atoms for their species alone.
FrameSkip skip_frame(TextFile& file, SpeciesSeen& seen) {
  const std::uint64_t begin = file.place().offset;
  XyzHeader header;
  if (!read_xyz_header(file, header)) {
    // Blank lines alone are no frame.
    return {false, header.atoms > 0 && file.place().offset != begin};
  }
  return skip_atoms(file, header.atoms, header.species, seen);
}

void read_atom(std::string_view line, const XyzHeader& header, SpeciesNumbers& species,
               Frame& frame) {
  std::string_view name = any_species;
  double p[3] = {};
  std::size_t count = 0;
  constexpr const char* axes[] = {"x", "y", "z"};
  for (std::string_view field = take_field(line); !field.empty();
       field = take_field(line), ++count) {
    if (count == header.species) {
      name = field;
    } else if (count >= header.position && count < header.position + 3) {
      p[count - header.position] = real_field(field, axes[count - header.position]);
    }
  }
  if (count < header.columns) {
    throw InputError(std::to_string(count) + " fields for an atom, not " +
                     std::to_string(header.columns));
  }
  std::vector<double>& out = frame.positions[species.of(name)];
  out.insert(out.end(), {p[0], p[1], p[2]});
}

}  // namespace

XyzReader::XyzReader(const std::string& path, const ReadOptions& options)
    : file_(path),
      fixed_box_(options.box),
      index_(index_text(file_, skip_frame)),
      species_(index_.species) {
  info_.paths = {path};
  info_.format = "XYZ";
  info_.species = index_.species;
  info_.frame_count = index_.frames.size();
  info_.cut_off = index_.cut_off_sentences(path);
  refuse_group(path, info_.format, options);
}

void XyzReader::read(FrameIndex index, Frame& frame) {
  file_.go_to(index_.frames[index.index()]);
  XyzHeader header;
  if (!read_xyz_header(file_, header)) {
    throw InputError(file_.path() + ": has become shorter since it was opened");
  }
  start_frame(index, info_.species.size(), frame);
  frame.step = header.step;
  frame.time = header.time;
  frame.box = fixed_box_ ? *fixed_box_ : header.box;
  read_atoms(file_, header.atoms,
             [&](std::string_view line) { read_atom(line, header, species_, frame); });
}

}  // namespace starhist
