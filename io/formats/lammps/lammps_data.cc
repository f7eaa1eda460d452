#include "io/formats/lammps/lammps_data.hh"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "codelets/core/base/error.hh"
#include "io/formats/lammps/lammps_styles.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

/// Most of what is reserved by what a header says.
constexpr std::uint64_t most_reserved = 1U << 20U;

/// A line without its comment, split into fields.
struct Line {
  std::vector<std::string_view> fields;
  std::string_view comment;  ///< behind '#'

  bool is(std::initializer_list<std::string_view> words) const {
    return std::equal(fields.begin(), fields.end(), words.begin(), words.end());
  }
};

bool is_whole_number(std::string_view field) {
  const std::size_t sign = field.starts_with('-') ? 1 : 0;
  return field.size() > sign &&
         field.find_first_not_of("0123456789", sign) == std::string_view::npos;
}

std::string first_word(std::string_view text) {
  return std::string(take_field(text));
}

class DataParser {
 public:
  explicit DataParser(const std::string& path) : file_(path) {}

  LammpsData parse();

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(file_.at_last_line(problem));
  }
  /// The next line with a field. False at the end of the file.
  bool next(Line& line);
  /// The next line of a section. Throws InputError where there is none.
  void take(const char* section, Line& line);

  void read_title();
  void read_header(const Line& line);
  void read_labels();
  void read_masses();
  void read_atoms(std::string_view comment);
  AtomStyle style_of(std::string_view comment);
  AtomStyle guess_style();
  void add_atom(const AtomStyle& style, const Line& line);
  /// The number of a type that is written as number or label; 0: it is none.
  std::int64_t type_number(std::string_view text) const;

  void sort_by_id();
  void name_types();

  TextFile file_;
  LammpsData data_;
  std::int64_t atoms_ = 0;
  std::int64_t types_ = 0;
  bool in_header_ = true;
  bool has_atoms_ = false;
  std::map<std::string, std::int64_t, std::less<>> labels_;
  std::map<std::int64_t, std::string> comments_;  ///< first words behind masses
  std::map<std::int64_t, double> masses_;
  std::vector<std::int64_t> type_;  ///< of each atom
};

bool DataParser::next(Line& line) {
  std::string_view text;
  while (next_or_whole_rest(file_, text, [](std::string_view) { return true; })) {
    const std::size_t mark = text.find('#');
    line.comment = mark == std::string_view::npos ? "" : text.substr(mark + 1);
    split_fields(text.substr(0, mark), line.fields);
    if (!line.fields.empty()) {
      return true;
    }
  }
  return false;
}

void DataParser::take(const char* section, Line& line) {
  if (!next(line)) {
    refuse(std::string("the file ends within its section ") + section);
  }
}

void DataParser::read_title() {
  std::string_view title;
  if (!file_.next(title)) {
    throw InputError(file_.path() + ": is no LAMMPS data file: it has no whole line");
  }
  constexpr std::string_view mark = "units = ";
  const std::size_t begin = title.find(mark);
  if (begin != std::string_view::npos) {
    data_.units = first_word(title.substr(begin + mark.size()));
  }
}

void DataParser::read_header(const Line& line) {
  const auto& fields = line.fields;
  const auto ends_in = [&](std::size_t numbers,
                           std::initializer_list<std::string_view> words) {
    return fields.size() == numbers + words.size() &&
           std::equal(words.begin(), words.end(),
                      fields.end() - static_cast<std::ptrdiff_t>(words.size()));
  };
  const auto number = [&](std::size_t k) { return real_field(fields[k], "box"); };
  double(&edges)[9] = data_.edges;
  if (ends_in(1, {"atoms"})) {
    atoms_ = whole_field(fields[0], "number of atoms");
  } else if (ends_in(1, {"atom", "types"})) {
    types_ = whole_field(fields[0], "number of atom types");
  } else if (ends_in(2, {"xlo", "xhi"})) {
    edges[0] = number(1) - number(0);
  } else if (ends_in(2, {"ylo", "yhi"})) {
    edges[4] = number(1) - number(0);
  } else if (ends_in(2, {"zlo", "zhi"})) {
    edges[8] = number(1) - number(0);
  } else if (ends_in(3, {"xy", "xz", "yz"})) {
    edges[3] = number(0);
    edges[6] = number(1);
    edges[7] = number(2);
  } else {
    constexpr std::string_view names[]{"avec", "bvec", "cvec"};
    for (std::size_t row = 0; row < 3; ++row) {
      if (ends_in(3, {names[row]})) {
        for (std::size_t k = 0; k < 3; ++k) {
          edges[3 * row + k] = number(k);
        }
      }
    }
  }
}

std::int64_t DataParser::type_number(std::string_view text) const {
  if (is_whole_number(text)) {
    const std::int64_t number = whole_field(text, "type");
    return number >= 1 && number <= types_ ? number : 0;
  }
  const auto label = labels_.find(text);
  return label == labels_.end() ? 0 : label->second;
}

void DataParser::read_labels() {
  Line line;
  for (std::int64_t k = 0; k < types_; ++k) {
    take("Atom Type Labels", line);
    const std::int64_t number =
        line.fields.size() == 2 ? type_number(line.fields[0]) : 0;
    if (number == 0 || !labels_.emplace(line.fields[1], number).second) {
      refuse("is no type, 1 to " + std::to_string(types_) +
             ", with a label of its own (Atom Type Labels)");
    }
  }
}

void DataParser::read_masses() {
  Line line;
  for (std::int64_t k = 0; k < types_; ++k) {
    take("Masses", line);
    const std::int64_t number =
        line.fields.size() == 2 ? type_number(line.fields[0]) : 0;
    if (number == 0) {
      refuse("is no type, 1 to " + std::to_string(types_) + ", with its mass (Masses)");
    }
    masses_[number] = real_field(line.fields[1], "mass");
    comments_[number] = first_word(line.comment);
  }
}

AtomStyle DataParser::style_of(std::string_view comment) {
  if (const auto style = find_atom_style(first_word(comment))) {
    return *style;
  }
  const TextFile::Position begin = file_.position();
  AtomStyle style = guess_style();
  file_.go_to(begin);
  return style;
}

AtomStyle DataParser::guess_style() {
  AtomLines lines;
  Line line;
  for (std::int64_t k = 0; k < atoms_; ++k) {
    take("Atoms", line);
    const auto& fields = line.fields;
    if (k == 0) {
      lines.columns = fields.size();
    } else if (fields.size() != lines.columns) {
      refuse("an atom has " + std::to_string(fields.size()) +
             " fields, the atoms before it " + std::to_string(lines.columns));
    }
    lines.types_in_third =
        lines.types_in_third && fields.size() > 2 && type_number(fields[2]) != 0;
    lines.images_at_end = lines.images_at_end && fields.size() > 3 &&
                          std::all_of(fields.end() - 3, fields.end(), is_whole_number);
  }
  const auto style = guess_atom_style(lines);
  if (!style) {
    refuse("an atom has " + std::to_string(lines.columns) +
           " fields, which several atom styles could have: write the style behind the "
           "heading, as in 'Atoms # full' (" +
           atom_style_names() + ")");
  }
  data_.remarks.push_back(
      file_.path() + ": does not say its atom style; its atoms are read as '" +
      style->name + "', by their columns ('Atoms # STYLE' as heading says it)");
  return *style;
}

void DataParser::add_atom(const AtomStyle& style, const Line& line) {
  const auto& fields = line.fields;
  if (fields.size() < style.position + 3) {
    refuse("an atom of style " + style.name + " has " + std::to_string(fields.size()) +
           " fields, not " + std::to_string(style.position + 3) + " or more");
  }
  ParticleTable& table = data_.particles;
  table.id.push_back(whole_field(fields[0], "id"));
  type_.push_back(type_number(fields[style.type]));
  if (type_.back() == 0) {
    refuse("'" + std::string(fields[style.type]) +
           "' is no atom type: these are 1 to " + std::to_string(types_) +
           (labels_.empty() ? "" : " and the Atom Type Labels") + " (atom style " +
           style.name + ")");
  }
  if (style.molecule) {
    table.molecule.push_back(whole_field(fields[*style.molecule], "molecule"));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    data_.positions.push_back(real_field(fields[style.position + axis], "position"));
  }
}

void DataParser::read_atoms(std::string_view comment) {
  if (has_atoms_) {
    refuse("the section Atoms stands twice");
  }
  has_atoms_ = true;
  if (atoms_ <= 0 || atoms_ > std::numeric_limits<std::uint32_t>::max()) {
    refuse("the header tells " + std::to_string(atoms_) + " atoms");
  }
  const AtomStyle style = style_of(comment);
  const auto reserved =
      static_cast<std::size_t>(std::min<std::uint64_t>(atoms_, most_reserved));
  data_.particles.id.reserve(reserved);
  data_.positions.reserve(3 * reserved);
  Line line;
  for (std::int64_t k = 0; k < atoms_; ++k) {
    take("Atoms", line);
    add_atom(style, line);
  }
  data_.particles.count = static_cast<std::size_t>(atoms_);
}

void DataParser::sort_by_id() {
  ParticleTable& table = data_.particles;
  std::vector<std::uint32_t> order(table.count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return table.id[a] < table.id[b];
  });
  const auto reorder = [&](auto& column) {
    auto sorted = column;
    for (std::size_t k = 0; k < column.size(); ++k) {
      sorted[k] = column[order[k]];
    }
    column.swap(sorted);
  };
  reorder(table.id);
  reorder(table.molecule);
  reorder(type_);
  std::vector<double> positions(data_.positions.size());
  for (std::size_t k = 0; k < table.count; ++k) {
    std::copy_n(&data_.positions[3 * std::size_t{order[k]}], 3, &positions[3 * k]);
  }
  data_.positions.swap(positions);
  const auto twice = std::adjacent_find(table.id.begin(), table.id.end());
  if (twice != table.id.end()) {
    throw InputError(file_.path() + ": the id " + std::to_string(*twice) +
                     " stands twice in its section Atoms");
  }
}

void DataParser::name_types() {
  ParticleTable& table = data_.particles;
  table.molecule_zero_is_none = true;
  std::unordered_map<std::int64_t, std::string> names;
  for (const auto& [label, number] : labels_) {
    names[number] = label;
  }
  bool all_named = true;
  bool all_masses = true;
  for (const std::int64_t type : type_) {
    table.type.push_back(std::to_string(type));
    std::string& name = names[type];
    if (name.empty() && comments_.contains(type)) {
      name = comments_[type];
    }
    all_named = all_named && !name.empty();
    all_masses = all_masses && masses_.contains(type);
  }
  for (const std::int64_t type : type_) {
    if (all_named) {
      table.name.push_back(names[type]);
    }
    if (all_masses) {
      table.mass.push_back(masses_[type]);
    }
  }
}

LammpsData DataParser::parse() {
  read_title();
  Line line;
  while (next(line)) {
    try {
      if (line.is({"Atoms"})) {
        in_header_ = false;
        // The words are in the buffer of the line, which goes.
        read_atoms(std::string(line.comment));
      } else if (line.is({"Masses"})) {
        in_header_ = false;
        read_masses();
      } else if (line.is({"Atom", "Type", "Labels"})) {
        in_header_ = false;
        read_labels();
      } else if (in_header_) {
        read_header(line);
      }
    } catch (const InputError& error) {
      refuse(error.what());
    }
  }
  if (!has_atoms_) {
    throw InputError(file_.path() +
                     ": is no LAMMPS data file with atoms: it has no section Atoms");
  }
  sort_by_id();
  name_types();
  return std::move(data_);
}

}  // namespace

LammpsData read_lammps_data(const std::string& path) {
  return DataParser(path).parse();
}

}  // namespace starhist::io
