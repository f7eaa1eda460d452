#include "io/trajectory/frame_boxes.hh"

#include <cctype>
#include <map>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/text/last_line.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_file.hh"
#include "io/trajectory/box_columns.hh"

namespace starhist::io {
namespace {

/// Column names, with the unit that follows a name, as in "Ax [Angstrom]".
struct Heading {
  std::vector<std::string> names;  ///< in lower case
  std::vector<std::string> units;  ///< "" if a name has no unit
};

/// Splits a line that begins with '#' into names. NAMD's begins with "#$LABELS".
Heading heading_of(std::string_view line) {
  line.remove_prefix(1);
  Heading heading;
  for (const std::string_view field : fields_of(line)) {
    const std::string word(field);
    const bool bracketed =
        word.size() > 2 && ((word.front() == '[' && word.back() == ']') ||
                            (word.front() == '(' && word.back() == ')'));
    if (bracketed && !heading.names.empty()) {
      heading.units.back() = word.substr(1, word.size() - 2);
    } else if (word != "$LABELS") {
      heading.names.push_back(lower_case(word));
      heading.units.emplace_back();
    }
  }
  return heading;
}

/// Returns the text between the first two quotes of a Grace line.
std::string quoted(std::string_view line) {
  const std::size_t begin = line.find('"');
  const std::size_t end =
      begin == std::string_view::npos ? begin : line.find('"', begin + 1);
  return end == std::string_view::npos
             ? ""
             : std::string(line.substr(begin + 1, end - begin - 1));
}

class FrameBoxReader {
 public:
  explicit FrameBoxReader(const std::string& path) : file_(path) { made_.path = path; }

  FrameBoxes read() {
    take_lines(
        file_, [this](std::string_view rest) { return is_whole(rest); },
        [this](std::string_view line) { take(line); },
        " (copy it again; if the last line is whole, end it with a newline)");
    if (made_.boxes.empty()) {
      throw InputError(made_.path + ": has no boxes (--box FILE needs " +
                       frame_box_forms() + ")");
    }
    return std::move(made_);
  }

 private:
  /// Whether the last line, which lacks a newline, is complete, compared with the box
  /// before it.
  bool is_whole(std::string_view line) const {
    return last_number_.empty() || is_whole_last_number(line, last_number_) ||
           std::string_view("#@&").find(fields_of(line).front().front()) !=
               std::string_view::npos;
  }

  void take(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos ||
        line[begin] == '&') {  // '&' ends a data set of Grace
      return;
    }
    line.remove_prefix(begin);
    if (line.front() == '#') {
      heading_ = columns_ ? heading_ : chosen(heading_of(line));
    } else if (line.front() == '@') {
      take_grace(line);
    } else {
      add(line);
    }
  }

  /// Returns the heading if it names a box, otherwise the previous one.
  Heading chosen(Heading found) const {
    try {
      return named_box_columns(found.names) ? found : heading_;
    } catch (const InputError&) {
      return found;  // an error is thrown if the number of columns matches
    }
  }

  /// Reads legends and units of Grace: "@ s0 legend "Box-X"", "@ yaxis label "(nm)"".
  void take_grace(std::string_view line) {
    const auto fields = fields_of(line.substr(1));
    if (fields.size() < 3) {
      return;
    }
    const std::string text = quoted(line);
    if (fields[1] == "legend" && fields[0].size() > 1 && fields[0].front() == 's' &&
        std::isdigit(static_cast<unsigned char>(fields[0][1])) != 0) {
      const auto number = whole_field(fields[0].substr(1), "number of a set");
      if (number > most_sets) {
        throw InputError("set " + std::to_string(number) + " is too many");
      }
      legends_[static_cast<std::size_t>(number)] = lower_case(text);
    } else if (fields[0] == "yaxis" && text.find("(nm)") != std::string::npos) {
      made_.length_unit = "nm";
    } else if (fields[0] == "xaxis") {
      made_.time_unit = text.find("(ps)") != std::string::npos   ? "ps"
                        : text.find("(ns)") != std::string::npos ? "ns"
                        : text.find("(fs)") != std::string::npos ? "fs"
                                                                 : "";
    }
  }

  /// Determines the columns, by their names or number, from the first line of numbers.
  BoxColumns columns_of(std::size_t count) {
    if (!legends_.empty()) {
      std::vector<std::string> names(legends_.rbegin()->first + 2);
      names[0] = "time";
      for (const auto& [set, legend] : legends_) {
        names[set + 1] = legend;
      }
      return named(names, count);
    }
    if (heading_.names.size() == count) {
      const BoxColumns columns = named(heading_.names, count);
      set_units(columns);
      return columns;
    }
    if (const auto columns = counted_box_columns(count)) {
      return *columns;
    }
    throw InputError(
        "has " + std::to_string(count) +
        " columns, which are neither a box nor names (give its lengths, --box A,B,C, "
        "or as --box FILE " +
        frame_box_forms() + ")");
  }

  BoxColumns named(const std::vector<std::string>& names, std::size_t count) const {
    const auto columns = named_box_columns(names);
    if (!columns || names.size() != count) {
      throw InputError(
          "has " + std::to_string(count) + " columns, named [" + join(names, ", ") +
          "], which do not form a box (--box FILE needs " + frame_box_forms() + ")");
    }
    return *columns;
  }

  void set_units(const BoxColumns& columns) {
    for (const auto& part : columns.parts) {
      if (!part || columns.kind == BoxColumns::Kind::lengths_and_angles) {
        continue;
      }
      const std::string unit = unit_spelling(heading_.units[*part]);
      if (part != columns.parts[0] && unit != made_.length_unit) {
        throw InputError("its columns are in different units: '" + made_.length_unit +
                         "' and '" + unit + "'");
      }
      made_.length_unit = unit;
    }
    if (columns.kind == BoxColumns::Kind::lengths_and_angles) {
      made_.length_unit = unit_spelling(heading_.units[*columns.parts[0]]);
    }
    made_.time_unit = columns.time ? unit_spelling(heading_.units[*columns.time]) : "";
  }

  void add(std::string_view line) {
    split_fields(line, fields_);
    if (!columns_) {
      columns_ = columns_of(fields_.size());
    }
    if (fields_.size() != columns_->count) {
      throw InputError("has " + std::to_string(fields_.size()) + " columns, not " +
                       std::to_string(columns_->count));
    }
    numbers_.clear();
    for (const std::string_view field : fields_) {
      numbers_.push_back(real_field(field, "box"));
    }
    FrameBox box;
    box.line = file_.position().line - 1;
    if (columns_->step) {
      box.step = whole_field(fields_[*columns_->step], "step");
    }
    if (columns_->time) {
      box.time = numbers_[*columns_->time];
    }
    box.box = columns_->box(numbers_);
    made_.boxes.push_back(box);
    last_number_ = fields_.back();
  }

  static constexpr std::int64_t most_sets = 1000;

  TextFile file_;
  FrameBoxes made_;
  Heading heading_;
  std::map<std::size_t, std::string> legends_;  ///< by number of the data set
  std::optional<BoxColumns> columns_;
  std::vector<std::string_view> fields_;
  std::vector<double> numbers_;
  std::string last_number_;  ///< last number of the previous box
};

}  // namespace

std::string frame_box_forms() {
  return "a CP2K .cell file, a NAMD .xst file, an .xvg file of gmx energy or gmx traj "
         "-ob, columns named in a line that begins with '#', such as '# time a b c "
         "alpha beta gamma', or without names the time and 3 lengths or 9 numbers of "
         "the edge vectors";
}

FrameBoxes read_frame_boxes(const std::string& path) {
  return FrameBoxReader(path).read();
}

}  // namespace starhist::io
