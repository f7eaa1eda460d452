#include <algorithm>
#include <memory>
#include <string>

#include "codelets/core/base/error.hh"
#include "io/formats/records.hh"
#include "io/formats/xyz/xyz_box.hh"
#include "io/formats/xyz/xyz_header.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/elements.hh"
#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/last_line.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_index.hh"
#include "io/text/text_index_store.hh"
#include "io/text/unwritten_positions.hh"

namespace starhist::io {
namespace {

/// `row`: see add_atom().
void read_atom(std::string_view line, std::uint32_t row, const XyzColumns& columns,
               SpeciesNumbers& species, UnwrittenPositions& unwritten, Frame& frame) {
  const std::optional<std::size_t> id_column = columns.particles.of(ParticleField::id);
  std::string_view name = any_species;
  std::string_view id;
  double p[3] = {};
  std::size_t count = 0;
  constexpr const char* axes[] = {"x", "y", "z"};
  std::string_view rest = line;
  for (std::string_view field = take_field(rest); !field.empty();
       field = take_field(rest), ++count) {
    if (count == columns.species) {
      name = field;
    } else if (count == id_column) {
      id = field;
    } else if (count >= columns.position && count < columns.position + 3) {
      p[count - columns.position] = real_field(field, axes[count - columns.position]);
    }
  }
  columns.check_count(count);
  if (columns.elements.size() > 1) {
    columns.check_elements(fields_of(line));
  }
  unwritten.add({p[0], p[1], p[2]});
  add_atom(species.of(name), {p[0], p[1], p[2]}, row, id, frame);
}

/// Returns a function that reads the position from a line's fields.
auto position_reader(const XyzColumns& columns) {
  return [&](const std::vector<std::string_view>& fields) {
    columns.check_count(fields.size());
    columns.check_elements(fields);
    const std::size_t x = columns.position;
    return Vec3{real_field(fields[x], "x"), real_field(fields[x + 1], "y"),
                real_field(fields[x + 2], "z")};
  };
}

/// Throws InputError if a line with a new species does not describe an atom.
void check_new_species(std::string_view line, const XyzColumns& columns) {
  const auto fields = fields_of(line);
  position_reader(columns)(fields);
  if (columns.species) {
    const std::string_view name = fields[*columns.species];
    refuse_lattice_vector(name);
    if (name.find_first_of("\"=") != std::string_view::npos) {
      throw InputError(
          "'" + std::string(name.substr(0, 40)) +
          "' in place of an atom name (names contain neither quotes nor '=')");
    }
  }
}

/// Scans a frame's atoms for their species. `above`: see skip_atoms().
FrameSkip skip_frame(TextFile& file, SpeciesSeen& seen, std::string& above) {
  const std::uint64_t begin = file.position().offset;
  XyzHeader header;
  if (!read_xyz_header(file, header)) {
    // Blank lines are not a frame.
    return {false, header.atoms > 0 && file.position().offset != begin};
  }
  const XyzColumns& columns = header.columns;
  FrameSkip skip =
      skip_atoms(file, header.atoms, columns.species,
                 {columns.count, columns.particles, columns.number_first}, above, seen,
                 [&](std::string_view line) { check_new_species(line, columns); });
  skip.moment = {header.step, header.time};
  return skip;
}

TextIndex make_xyz_index(TextFile& file) {
  std::string above;
  return TextIndexer(file).index(
      [&above](TextFile& text, SpeciesSeen& seen) {
        return skip_frame(text, seen, above);
      },
      find_xyz_frame);
}

/// Whether species names that can be element symbols are: in the first column of plain
/// XYZ, and in properties defined like that.
bool names_elements(const XyzColumns& columns) {
  return columns.species &&
         (!columns.exact || std::find(columns.elements.begin(), columns.elements.end(),
                                      *columns.species) != columns.elements.end());
}

std::vector<SpeciesElement> elements_of_species(const std::vector<std::string>& species,
                                                const XyzColumns& columns) {
  if (!names_elements(columns)) {
    return {};
  }
  if (columns.species != columns.particles.atomic_number) {
    return elements_of_labels(species, "the file");
  }
  std::vector<SpeciesElement> elements;
  for (const std::string& number : species) {
    const std::string symbol =
        is_count(number) ? element_of_number(whole_field(number, "atomic number")) : "";
    elements.push_back({symbol, symbol.empty() ? "" : "the file"});
  }
  return elements;
}

/// Reads XYZ and extended XYZ, plain or compressed. Messages of read() do not name the
/// frame: JoinedTrajectory does.
class XyzReader : public TrajectoryReader {
 public:
  /// Scans the whole file, unless options.text_indexes has its index. `structure`:
  /// names the atoms, all of which then form one species; may be null. Throws
  /// InputError when the file has no complete frame or is not XYZ.
  XyzReader(const std::string& path, const ReadOptions& options,
            const SharedStructure& structure = nullptr)
      : file_(path),
        fixed_box_(options.box),
        unit_is_given_(!options.length_unit.empty()),
        time_unit_is_given_(!options.time_unit.empty()),
        tell_order_(options.tell_order),
        index_(known_index(options.text_indexes.get(), path,
                           [this] { return make_xyz_index(file_); })),
        species_(index_->species) {
    info_.paths = {path};
    info_.format = "XYZ";
    info_.species = index_->species;
    info_.frame_count = index_->frames.size();
    info_.lists_moments = true;
    info_.sequential_only = file_.compressed();
    info_.truncation = index_->truncation_sentences(path);
    if (index_->rest_is_line) {
      file_.take_rest_as_line();
    }
    refuse_group(path, info_.format, options);
    file_.go_to(index_->first_whole());
    XyzHeader header;
    read_xyz_header(file_, header);
    info_.length_unit = header.unit;
    if (options.per_particle || structure) {
      read_table(structure);
    } else {
      info_.elements = elements_of_species(info_.species, header.columns);
    }
  }

  const TrajectoryInfo& info() const override { return info_; }

  void read(FrameIndex index, Frame& frame) override {
    index_->check(index.get());
    file_.go_to(index_->frames[index.index()]);
    XyzHeader header;
    if (!read_xyz_header(file_, header)) {
      throw InputError(file_.path() + ": has become shorter since it was opened");
    }
    start_frame(index, info_.species.size(), tell_order_, frame);
    frame.step = header.step;
    frame.time = header.time;
    frame.box = fixed_box_ ? *fixed_box_ : header.box;
    check_statements(header);
    if (particles_) {
      read_particles(file_, header.atoms, header.columns.particles,
                     position_reader(header.columns), *particles_, frame);
      return;
    }
    std::uint32_t row = 0;
    UnwrittenPositions unwritten;
    read_atoms(file_, header.atoms, [&](std::string_view line) {
      read_atom(line, row++, header.columns, species_, unwritten, frame);
    });
    unwritten.finish();
  }

  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return index_->moment(index.get());
  }

 private:
  /// Reads the particles of the first frame, for ReadOptions::per_particle.
  void read_table(const SharedStructure& structure) {
    file_.go_to(index_->first_whole());
    XyzHeader header;
    read_xyz_header(file_, header);
    particles_.emplace();
    read_first_lines(file_, header.atoms, header.columns.particles,
                     position_reader(header.columns), *particles_);
    info_.particles = particles_->finish();
    if (info_.particles.element.empty() && names_elements(header.columns)) {
      info_.particles.element = element_column(info_.particles.species);
    }
    if (structure) {
      name_by_structure(*structure, info_.paths.front(), info_.particles);
      info_.remarks = structure->remarks;
    }
    info_.species = {std::string(any_species)};
  }

  /// Throws InputError if the second line has an unusable box or units.
  void check_statements(const XyzHeader& header) const {
    if (!fixed_box_ && !header.box_problem.empty()) {
      throw InputError(header.box_problem);
    }
    const auto refuse = [this](const std::string& statement, const char* option) {
      throw InputError(file_.last_line_position() + ": '" + statement +
                       "' is a statement about units that is not read: pass the unit "
                       "with " +
                       option);
    };
    if (header.unit != info_.length_unit) {
      throw InputError(file_.last_line_position() + ": is in '" + header.unit +
                       "', but the first frame in '" + info_.length_unit + "'");
    }
    if (!header.length_unit.empty() && !unit_is_given_) {
      refuse(header.length_unit, "--unit");
    }
    if (!header.time_unit.empty() && !time_unit_is_given_) {
      refuse(header.time_unit, "--time-unit");
    }
  }

  TextFile file_;
  std::optional<Box> fixed_box_;
  bool unit_is_given_;
  bool time_unit_is_given_;
  bool tell_order_;
  std::shared_ptr<const TextIndex> index_;
  SpeciesNumbers species_;
  std::optional<TextParticles> particles_;  ///< set if particles are read individually
  TrajectoryInfo info_;
};

/// Reads the atoms of the first frame. Throws InputError.
SharedStructure read_xyz_structure(const std::string& path) {
  ReadOptions options;
  options.per_particle = true;
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  structure->particles = XyzReader(path, options).info().particles;
  return structure;
}

}  // namespace

TrajectoryFormat xyz_format() {
  return {.name = "XYZ",
          .extensions = {"xyz", "extxyz"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .probe = [](ProbedFile& file) { return is_count(file.line(0)); },
          .open = open_by_path<XyzReader>,
          .read_structure = read_xyz_structure,
          .known_by = "first line with only the number of atoms",
          .species = "`species` or the first column; names of `--structure`",
          .fields = {
              .box = "matrix of `Lattice`, `CELL(abcABC)` of i-PI; periodic per axis",
              .names = "columns of `Properties`, or the first column",
              .residues = "`resid`, `resname`, `icode`, `chain`, `segment`",
              .elements = "`element`, `Z`, symbols of `species`, `mass`",
              .molecules = "`mol`, `molecule`",
              .bonds = "no",
              .times = "`Time`, `Step`",
              .units = "in comments of i-PI"}};
}

}  // namespace starhist::io
