#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "codelets/core/base/error.hh"
#include "io/formats/lammps/lammps_header.hh"
#include "io/formats/lammps/lammps_units.hh"
#include "io/formats/records.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/last_line.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_index.hh"
#include "io/text/text_index_store.hh"
#include "io/text/unique_ids.hh"
#include "io/text/unwritten_positions.hh"

namespace starhist::io {
namespace {

/// The element that LAMMPS writes for all atoms unless dump_modify names the elements.
constexpr const char* unnamed_element = "C";

/// Returns the columns of a header that was just read.
LammpsColumns columns_of(const TextFile& file, const LammpsHeader& header) {
  try {
    return LammpsColumns(header.columns);
  } catch (const InputError& error) {
    throw InputError(file.at_last_line(error.what()));
  }
}

Vec3 in_cell(const LammpsHeader& header, Vec3 fraction) {
  const LammpsBox& cell = header.cell;
  return cell.origin + fraction.x * cell.edges[0] + fraction.y * cell.edges[1] +
         fraction.z * cell.edges[2];
}

Vec3 position_of(const std::string_view (&fields)[3], const LammpsHeader& header,
                 const LammpsColumns& columns) {
  const Vec3 p{real_field(fields[0], "x"), real_field(fields[1], "y"),
               real_field(fields[2], "z")};
  return columns.scaled ? in_cell(header, p) : p;
}

void check_field_count(std::size_t count, const LammpsHeader& header) {
  if (count != header.columns.size()) {
    throw InputError(std::to_string(count) + " fields, but the frame has " +
                     std::to_string(header.columns.size()) + " columns");
  }
}

/// `row`: see add_atom().
void read_atom(std::string_view line, std::uint32_t row, const LammpsHeader& header,
               const LammpsColumns& columns, SpeciesNumbers& species, UniqueIds& ids,
               UnwrittenPositions& unwritten, Frame& frame) {
  const std::optional<std::size_t> id_column = columns.particles.of(ParticleField::id);
  std::string_view name = any_species;
  std::string_view id;
  std::string_view position[3];
  std::size_t count = 0;
  for (std::string_view field = take_field(line); !field.empty();
       field = take_field(line), ++count) {
    if (count == columns.species) {
      name = field;
    } else if (count == id_column) {
      id = field;
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (count == columns.position[axis]) {
        position[axis] = field;
      }
    }
  }
  check_field_count(count, header);
  const Vec3 p = position_of(position, header, columns);
  if (id_column) {
    ids.add(id);
  }
  unwritten.add(p);
  add_atom(species.of(name), p, row, id, frame);
}

/// Returns a function that reads the position from a line's fields.
auto position_reader(const LammpsHeader& header, const LammpsColumns& columns) {
  return [&](const std::vector<std::string_view>& fields) {
    check_field_count(fields.size(), header);
    return position_of({fields[columns.position[0]], fields[columns.position[1]],
                        fields[columns.position[2]]},
                       header, columns);
  };
}

/// Scans a frame's atoms for their species. `above`: see skip_atoms(). `names`: column
/// of the species in the first frame, "" before it.
FrameSkip skip_frame(TextFile& file, SpeciesSeen& seen, LammpsHeader& header,
                     std::string& above, std::string& names) {
  const std::uint64_t begin = file.position().offset;
  if (!read_lammps_header(file, header)) {
    return {false, file.position().offset != begin && !header.only_blank};
  }
  const LammpsColumns columns = columns_of(file, header);
  const std::string named_by = columns.species ? header.columns[*columns.species] : "";
  if (names.empty()) {
    names = named_by;
  } else if (named_by != names) {
    throw InputError(file.at_last_line(
        "atoms are named by '" + named_by + "', but by '" + names +
        "' in the first frame (write all frames with the same columns, or split the "
        "file)"));
  }
  std::vector<std::string_view> fields;
  const auto check = [&](std::string_view line) {
    // If a frame has fewer atoms than stated, the next one begins.
    if (line.find("ITEM: ") != std::string_view::npos) {
      throw InputError("'" + std::string(line.substr(0, 40)) + "' is not an atom");
    }
    split_fields(line, fields);
    position_reader(header, columns)(fields);
  };
  FrameSkip skip = skip_atoms(
      file, header.atoms, columns.species,
      {header.columns.size(), columns.particles, !columns.species}, above, seen, check);
  skip.moment = {header.step, header.time};
  return skip;
}

TextIndex make_lammps_index(TextFile& file) {
  LammpsHeader header;
  std::string above;
  std::string names;
  const auto skip = [&](TextFile& text, SpeciesSeen& seen) {
    return skip_frame(text, seen, header, above, names);
  };
  TextIndex index = TextIndexer(file).index(skip, find_lammps_frame);
  if (!header.units_problem.empty()) {
    throw InputError(header.units_problem);
  }
  index.units = header.units;
  return index;
}

/// Reads a LAMMPS text dump (`dump atom`, `dump custom`), plain or compressed: atoms in
/// any order, positions wrapped, unwrapped or scaled, boxes of any shape, each
/// dimension periodic or not. Species are elements or, without an element column,
/// types. Messages of read() do not name the frame: JoinedTrajectory does.
class LammpsReader : public TrajectoryReader {
 public:
  /// Scans the whole file, unless options.text_indexes has its index. `structure`:
  /// further properties of the atoms, all of which then form one species; may be null.
  /// Throws InputError when the file has no complete frame or is not a dump.
  LammpsReader(const std::string& path, const ReadOptions& options,
               const SharedStructure& structure = nullptr)
      : file_(path),
        fixed_box_(options.box),
        tell_order_(options.tell_order),
        index_(known_index(options.text_indexes.get(), path,
                           [this] { return make_lammps_index(file_); })),
        species_(index_->species) {
    info_.paths = {path};
    info_.format = "LAMMPS text dump";
    info_.species = index_->species;
    const LammpsUnits units = lammps_units(index_->units);
    info_.length_unit = units.length;
    info_.time_unit = units.time;
    info_.frame_count = index_->frames.size();
    info_.lists_moments = true;
    info_.sequential_only = file_.compressed();
    info_.truncation = index_->truncation_sentences(path);
    if (index_->rest_is_line) {
      file_.take_rest_as_line();
    }
    refuse_group(path, info_.format, options);
    check_known_units(path, index_->units, options.length_unit);
    if (options.per_particle || structure) {
      read_table(structure, options.by);
    } else {
      file_.go_to(index_->first_whole());
      LammpsHeader header;
      read_lammps_header(file_, header);
      const LammpsColumns columns = columns_of(file_, header);
      if (columns.species &&
          columns.species == columns.particles.of(ParticleField::element)) {
        info_.elements = elements_of_labels(info_.species, "column element");
        if (info_.species == std::vector<std::string>{unnamed_element}) {
          TextParticles particles;
          read_first_lines(file_, header.atoms, columns.particles,
                           position_reader(header, columns), particles);
          remark_unnamed_elements(particles.finish());
        }
      }
    }
  }

  const TrajectoryInfo& info() const override { return info_; }

  void read(FrameIndex index, Frame& frame) override {
    index_->check(index.get());
    file_.go_to(index_->frames[index.index()]);
    LammpsHeader header;
    if (!read_lammps_header(file_, header)) {
      throw InputError(file_.path() + ": has become shorter since it was opened");
    }
    start_frame(index, info_.species.size(), tell_order_, frame);
    frame.step = header.step;
    frame.time = header.time;
    const LammpsColumns columns = columns_of(file_, header);
    try {
      if (columns.scaled && !header.box_problem.empty()) {
        throw InputError(header.box_problem);  // --box does not position the atoms
      }
      frame.box = fixed_box_ ? *fixed_box_ : header.box();
    } catch (const InputError& error) {
      throw InputError(file_.at_last_line(error.what()));
    }
    if (particles_) {
      read_particles(file_, header.atoms, columns.particles,
                     position_reader(header, columns), *particles_, frame);
      return;
    }
    std::uint32_t row = 0;
    UnwrittenPositions unwritten;
    ids_.start_frame(header.atoms);
    read_atoms(file_, header.atoms, [&](std::string_view line) {
      read_atom(line, row++, header, columns, species_, ids_, unwritten, frame);
    });
    unwritten.finish();
  }

  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return index_->moment(index.get());
  }

 private:
  /// Reads the particles of the first frame, for ReadOptions::per_particle.
  void read_table(const SharedStructure& structure, SpeciesBy by) {
    file_.go_to(index_->first_whole());
    LammpsHeader header;
    read_lammps_header(file_, header);
    const LammpsColumns columns = columns_of(file_, header);
    particles_.emplace();
    read_first_lines(file_, header.atoms, columns.particles,
                     position_reader(header, columns), *particles_);
    info_.particles = particles_->finish();
    if (!structure && by != SpeciesBy::type) {
      remark_unnamed_elements(info_.particles);
    }
    if (structure) {
      check_same_units(info_.paths.front(),
                       {info_.length_unit.c_str(), info_.time_unit.c_str()},
                       "ITEM: UNITS", *structure);
      add_structure(*structure, info_.paths.front(), info_.particles);
      info_.remarks.insert(info_.remarks.end(), structure->remarks.begin(),
                           structure->remarks.end());
    }
    info_.species = {std::string(any_species)};
  }

  /// Adds a remark if all elements are C, as LAMMPS writes them without dump_modify
  /// element, although there are several types.
  void remark_unnamed_elements(const ParticleTable& first_frame) {
    const auto& elements = first_frame.element;
    const auto& types = first_frame.type;
    if (elements.empty() || types.empty() ||
        std::any_of(elements.begin(), elements.end(),
                    [](const std::string& e) { return e != unnamed_element; }) ||
        std::adjacent_find(types.begin(), types.end(), std::not_equal_to<>()) ==
            types.end()) {
      return;
    }
    info_.remarks.push_back(
        info_.paths.front() +
        ": all elements are C, although atoms have several types: LAMMPS writes C "
        "unless "
        "dump_modify names the elements (--by type makes each type a species)");
  }

  TextFile file_;
  std::optional<Box> fixed_box_;
  bool tell_order_;
  TrajectoryInfo info_;
  std::shared_ptr<const TextIndex> index_;
  SpeciesNumbers species_;
  UniqueIds ids_;
  std::optional<TextParticles> particles_;  ///< set if particles are read individually
};

}  // namespace

TrajectoryFormat lammps_format() {
  return {.name = "LAMMPS text dump",
          .extensions = {"dump", "lammpstrj"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .probe = [](ProbedFile& file) { return file.line(0).starts_with("ITEM: "); },
          .open = open_by_path<LammpsReader>,
          .known_by = "`ITEM: ` in the first line",
          .species = "`element`, `typelabel` or `type`; names of `--structure`",
          .fields = {.box = "bounds and tilts, or matrix; periodic per axis",
                     .names = "`typelabel`, `type`",
                     .residues = "no",
                     .elements = "`element`, `mass`",
                     .molecules = "`mol`",
                     .bonds = "no",
                     .times = "`ITEM: TIME`, `ITEM: TIMESTEP`",
                     .units = "`ITEM: UNITS`, or none"}};
}

}  // namespace starhist::io
