#include "io/formats/xyz/xyz_reader.hh"

#include "codelets/core/base/error.hh"
#include "io/text/last_line.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_index_store.hh"

namespace starhist::io {
namespace {

/// Reads a frame's atoms for their species alone. `above`: skip_atoms().
FrameSkip skip_frame(TextFile& file, SpeciesSeen& seen, std::string& above) {
  const std::uint64_t begin = file.position().offset;
  XyzHeader header;
  if (!read_xyz_header(file, header)) {
    // Blank lines alone are no frame.
    return {false, header.atoms > 0 && file.position().offset != begin};
  }
  return skip_atoms(file, header.atoms, header.species,
                    {header.columns, header.particles}, above, seen);
}

TextIndex make_index(TextFile& file) {
  std::string above;
  return index_text(file, [&above](TextFile& text, SpeciesSeen& seen) {
    return skip_frame(text, seen, above);
  });
}

void check_field_count(std::size_t count, const XyzHeader& header) {
  if (count < header.columns) {
    throw InputError(std::to_string(count) + " fields for an atom, not " +
                     std::to_string(header.columns));
  }
}

/// `row`: add_atom().
void read_atom(std::string_view line, std::uint32_t row, const XyzHeader& header,
               SpeciesNumbers& species, Frame& frame) {
  const std::optional<std::size_t> id_column = header.particles.of(ParticleField::id);
  std::string_view name = any_species;
  std::string_view id;
  double p[3] = {};
  std::size_t count = 0;
  constexpr const char* axes[] = {"x", "y", "z"};
  for (std::string_view field = take_field(line); !field.empty();
       field = take_field(line), ++count) {
    if (count == header.species) {
      name = field;
    } else if (count == id_column) {
      id = field;
    } else if (count >= header.position && count < header.position + 3) {
      p[count - header.position] = real_field(field, axes[count - header.position]);
    }
  }
  check_field_count(count, header);
  add_atom(species.of(name), {p[0], p[1], p[2]}, row, id, frame);
}

/// How a line of a frame that was split into fields is read.
auto position_reader(const XyzHeader& header) {
  return [&](const std::vector<std::string_view>& fields) {
    check_field_count(fields.size(), header);
    const std::size_t x = header.position;
    return Vec3{real_field(fields[x], "x"), real_field(fields[x + 1], "y"),
                real_field(fields[x + 2], "z")};
  };
}

}  // namespace

XyzReader::XyzReader(const std::string& path, const ReadOptions& options,
                     const SharedStructure& structure)
    : file_(path),
      fixed_box_(options.box),
      tell_order_(options.tell_order),
      index_(known_index(options.text_indexes.get(), path,
                         [this] { return make_index(file_); })),
      species_(index_->species) {
  info_.paths = {path};
  info_.format = "XYZ";
  info_.species = index_->species;
  info_.frame_count = index_->frames.size();
  info_.sequential_only = file_.compressed();
  info_.truncation = index_->truncation_sentences(path);
  if (index_->rest_is_line) {
    file_.take_rest_as_line();
  }
  refuse_group(path, info_.format, options);
  if (options.per_particle || structure) {
    read_table(structure);
  }
}

void XyzReader::read_table(const SharedStructure& structure) {
  file_.go_to(index_->frames.front());
  XyzHeader header;
  read_xyz_header(file_, header);
  particles_.emplace();
  read_first_lines(file_, header.atoms, header.particles, position_reader(header),
                   *particles_);
  info_.particles = particles_->finish();
  if (structure) {
    name_by_structure(*structure, info_.paths.front(), info_.particles);
    info_.remarks = structure->remarks;
  }
  info_.species = {std::string(any_species)};
}

void XyzReader::read(FrameIndex index, Frame& frame) {
  file_.go_to(index_->frames[index.index()]);
  XyzHeader header;
  if (!read_xyz_header(file_, header)) {
    throw InputError(file_.path() + ": has become shorter since it was opened");
  }
  start_frame(index, info_.species.size(), tell_order_, frame);
  frame.step = header.step;
  frame.time = header.time;
  frame.box = fixed_box_ ? *fixed_box_ : header.box;
  if (particles_) {
    read_particles(file_, header.atoms, header.particles, position_reader(header),
                   *particles_, frame);
    return;
  }
  std::uint32_t row = 0;
  read_atoms(file_, header.atoms, [&](std::string_view line) {
    read_atom(line, row++, header, species_, frame);
  });
}

SharedStructure read_xyz_structure(const std::string& path) {
  ReadOptions options;
  options.per_particle = true;
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  structure->particles = XyzReader(path, options).info().particles;
  return structure;
}

}  // namespace starhist::io
