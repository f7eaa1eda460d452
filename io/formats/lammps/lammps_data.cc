#include "io/formats/lammps/lammps_data.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/formats/lammps/lammps_styles.hh"
#include "io/text/last_line.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

/// Limit of memory reserved according to a header.
constexpr std::uint64_t most_reserved = 1U << 20U;

/// A line without its comment, split into fields.
struct Line {
  std::vector<std::string_view> fields;
  std::string_view comment;  ///< text after '#'

  bool is(std::initializer_list<std::string_view> words) const {
    return std::equal(fields.begin(), fields.end(), words.begin(), words.end());
  }
};

bool is_whole_number(std::string_view field) {
  const std::size_t sign = field.starts_with('-') ? 1 : 0;
  return field.size() > sign &&
         field.find_first_not_of("0123456789", sign) == std::string_view::npos;
}

bool is_real(std::string_view field) {
  double value = 0.0;
  field.remove_prefix(field.starts_with('+') ? 1 : 0);
  const auto parsed = std::from_chars(field.data(), field.data() + field.size(), value);
  return parsed.ec != std::errc::invalid_argument &&
         parsed.ptr == field.data() + field.size();
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
  /// Whether the last line, which lacks a newline, is complete: an atom's last number
  /// is compared with the atom's before it.
  bool is_whole(std::string_view line) const {
    return last_number_.empty() || line.find('#') != std::string_view::npos ||
           is_whole_last_number(line, last_number_);
  }
  /// Reads the next line that is not empty. False at the end of the file.
  bool next(Line& line);
  /// Reads the next line of a section. Throws InputError at the end of the file.
  void take(const char* section, Line& line);

  void read_title();
  void read_header(const Line& line);
  /// Throws InputError if lines of the box are missing or contradict each other.
  void check_box() const;
  void read_labels();
  void read_masses();
  void read_atoms(std::string_view comment);
  AtomStyle style_of(std::string_view comment);
  AtomStyle guess_style();
  void add_atom(const AtomStyle& style, const Line& line);
  /// Returns the number of a type, given as number or label; 0 if it is unknown.
  std::int64_t type_number(std::string_view text) const;

  void sort_by_id();
  /// Names of types by their comments: the first words, or the whole comments if types
  /// share a first word.
  std::map<std::int64_t, std::string> commented_names();
  void name_types();

  TextFile file_;
  LammpsData data_;
  std::int64_t atoms_ = 0;
  std::int64_t types_ = 0;
  bool in_header_ = true;
  std::string after_;  ///< the section that the line before ended; "" within sections
  std::set<std::string> header_lines_;  ///< keywords of the header lines so far
  bool has_atoms_ = false;
  std::map<std::string, std::int64_t, std::less<>> labels_;
  /// type -> comment after its mass, its words separated by single blanks
  std::map<std::int64_t, std::string> comments_;
  std::map<std::int64_t, double> masses_;
  std::vector<std::int64_t> type_;  ///< type of each atom
  std::string last_number_;  ///< of the previous atom; "" outside of the section Atoms
};

bool DataParser::next(Line& line) {
  std::string_view text;
  while (next_or_whole_rest(file_, text,
                            [this](std::string_view rest) { return is_whole(rest); })) {
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
    refuse(std::string("the file ends within its section ") + section +
           " (copy it again; if its last line is whole, end it with a newline)");
  }
}

void DataParser::read_title() {
  std::string_view title;
  if (!file_.next(title)) {
    throw InputError(file_.path() +
                     ": is not a LAMMPS data file: it has no complete line");
  }
  constexpr std::string_view mark = "units = ";
  const std::size_t begin = title.find(mark);
  if (begin != std::string_view::npos) {
    data_.units = first_word(title.substr(begin + mark.size()));
  }
}

void DataParser::read_header(const Line& line) {
  const auto& fields = line.fields;
  const auto first_word = std::find_if_not(fields.begin(), fields.end(), is_real);
  const auto numbers = static_cast<std::size_t>(first_word - fields.begin());
  const std::string name =
      join(std::vector<std::string>(first_word, fields.end()), " ");
  if (name.empty() || !is_letter(name.front())) {
    refuse("'" + join(std::vector<std::string>(fields.begin(), fields.end()), " ") +
           "' is neither a line of a header nor the name of a section (numbers are "
           "written as 1.5 or 1.5e3): correct it");
  }
  if (numbers == 0) {
    in_header_ = false;  // a section that is skipped
    return;
  }
  if (!header_lines_.insert(name).second) {
    refuse("'" + name + "' stands twice in the header");
  }
  const auto number = [&](std::size_t k) { return real_field(fields[k], "box"); };
  const auto is = [&](std::size_t count, std::string_view words) {
    return numbers == count && name == words;
  };
  double(&edges)[9] = data_.edges;
  constexpr std::array<std::string_view, 3> bounds{"xlo xhi", "ylo yhi", "zlo zhi"};
  constexpr std::array<std::string_view, 3> vectors{"avec", "bvec", "cvec"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (is(2, bounds[axis])) {
      edges[4 * axis] = number(1) - number(0);
      if (edges[4 * axis] < 0) {
        refuse("the box ends before it begins (" + name + "): correct the file");
      }
      return;
    }
    if (is(3, vectors[axis])) {
      for (std::size_t k = 0; k < 3; ++k) {
        edges[3 * axis + k] = number(k);
      }
      return;
    }
  }
  if (is(1, "atoms")) {
    atoms_ = whole_field(fields[0], "number of atoms");
  } else if (is(1, "atom types")) {
    types_ = whole_field(fields[0], "number of atom types");
  } else if (is(3, "xy xz yz")) {
    edges[3] = number(0);
    edges[6] = number(1);
    edges[7] = number(2);
  } else if (!is(3, "abc origin") && (numbers != 1 || !is_whole_number(fields[0]))) {
    refuse(
        "'" + name + "' with " + std::to_string(numbers) +
        " numbers is not a known line of a header (box lines are xlo xhi, ylo yhi, zlo "
        "zhi, xy xz yz; avec, bvec, cvec, abc origin): correct it, "
        "or take it out and pass the box with --box");
  }
}

void DataParser::check_box() const {
  const auto has = [this](const char* name) { return header_lines_.contains(name); };
  const int bounds = has("xlo xhi") + has("ylo yhi") + has("zlo zhi");
  const int vectors = has("avec") + has("bvec") + has("cvec");
  const bool partly = bounds % 3 != 0 || vectors % 3 != 0;
  if (partly || (bounds != 0 && vectors != 0) || (has("xy xz yz") && bounds == 0)) {
    throw InputError(file_.path() +
                     ": its header has parts of a box that do not make one (all of xlo "
                     "xhi, ylo yhi and zlo zhi, perhaps xy xz yz, or all of avec, bvec "
                     "and cvec): correct it, or take them out and pass the box with "
                     "--box");
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
      refuse("is not a type, 1 to " + std::to_string(types_) +
             ", with a unique label (Atom Type Labels)");
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
      refuse("is not a type, 1 to " + std::to_string(types_) +
             ", with its mass (Masses)");
    }
    masses_[number] = real_field(line.fields[1], "mass");
    std::vector<std::string_view> words;
    split_fields(line.comment, words);
    comments_[number] = join(std::vector<std::string>(words.begin(), words.end()), " ");
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
      file_.path() + ": does not specify its atom style; its atoms are read as '" +
      style->name +
      "', judging by their columns (specify it in the heading 'Atoms # STYLE')");
  AtomStyle guess = *style;
  guess.charge.reset();  // other styles have another number in its column
  return guess;
}

void DataParser::add_atom(const AtomStyle& style, const Line& line) {
  const auto& fields = line.fields;
  constexpr std::size_t images = 3;
  const std::size_t least = style.columns > 0 ? style.columns : style.position + 3;
  if (fields.size() < least || (style.columns > 0 && fields.size() != least &&
                                fields.size() != least + images)) {
    refuse("an atom of style " + style.name + " has " + std::to_string(fields.size()) +
           " fields, not " + std::to_string(least) +
           (style.columns > 0
                ? ", or " + std::to_string(least + images) + " with images"
                : " or more") +
           ": write the style of these columns behind the heading, as in 'Atoms # "
           "full'");
  }
  ParticleTable& table = data_.particles;
  table.id.push_back(whole_field(fields[0], "id"));
  type_.push_back(type_number(fields[style.type]));
  if (type_.back() == 0) {
    refuse("'" + std::string(fields[style.type]) +
           "' is not an atom type: types are 1 to " + std::to_string(types_) +
           (labels_.empty() ? "" : " and the Atom Type Labels") + " (atom style " +
           style.name + ")");
  }
  if (style.molecule) {
    table.molecule.push_back(whole_field(fields[*style.molecule], "molecule"));
  }
  if (style.charge) {
    table.charge.push_back(real_field(fields[*style.charge], "charge"));
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
    refuse("the header specifies " + std::to_string(atoms_) + " atoms");
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
    last_number_ = line.fields.back();
  }
  last_number_.clear();
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
  reorder(table.charge);
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

std::map<std::int64_t, std::string> DataParser::commented_names() {
  if (!labels_.empty()) {
    return {};  // labels name all types
  }
  std::map<std::int64_t, std::string> names;
  std::map<std::string, std::string> comment_of;       // by first word
  std::map<std::string, std::vector<std::string>> of;  // types by whole comment
  std::string shared;
  for (const auto& [type, comment] : comments_) {
    names[type] = first_word(comment);
    if (comment.empty()) {
      continue;
    }
    of[comment].push_back(std::to_string(type));
    const auto [other, is_new] = comment_of.emplace(names[type], comment);
    if (!is_new && other->second != comment) {
      shared = names[type];
    }
  }
  for (const auto& [comment, types] : of) {
    if (types.size() > 1) {
      data_.remarks.push_back(file_.path() + ": the types " + join(types, ", ") +
                              " have the same comment, '" + comment +
                              "', and share a name (--by type keeps them apart)");
    }
  }
  if (!shared.empty()) {
    data_.remarks.push_back(file_.path() + ": comments of several types begin with '" +
                            shared +
                            "': types are named by their whole comments, with _ for "
                            "blanks");
    names = comments_;
    for (auto& [type, name] : names) {
      std::replace(name.begin(), name.end(), ' ', '_');
    }
  }
  return names;
}

void DataParser::name_types() {
  ParticleTable& table = data_.particles;
  const std::map<std::int64_t, std::string> commented = commented_names();
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
    if (name.empty() && commented.contains(type)) {
      name = commented.at(type);
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
      if (const std::string section = std::exchange(after_, "");
          !section.empty() && is_real(line.fields.front())) {
        refuse("the section " + section +
               " has more lines than its number in the header: correct the number, or "
               "take the lines out");
      }
      if (line.is({"Atoms"})) {
        in_header_ = false;
        // Copied because the words are in the buffer of the line, which is reused.
        read_atoms(std::string(line.comment));
        after_ = "Atoms";
      } else if (line.is({"Masses"})) {
        in_header_ = false;
        read_masses();
        after_ = "Masses";
      } else if (line.is({"Atom", "Type", "Labels"})) {
        in_header_ = false;
        read_labels();
        after_ = "Atom Type Labels";
      } else if (in_header_) {
        read_header(line);
      }
    } catch (const InputError& error) {
      refuse(error.what());
    }
  }
  if (!has_atoms_) {
    throw InputError(file_.path() +
                     ": is not a LAMMPS data file with atoms: it has no section Atoms");
  }
  check_box();
  sort_by_id();
  name_types();
  return std::move(data_);
}

}  // namespace

LammpsData read_lammps_data(const std::string& path) {
  return DataParser(path).parse();
}

}  // namespace starhist::io
