#include "io/text/index_groups.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "io/files/file_signature.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

/// Returns the name in a line "[ name ]".
std::string name_in(std::string_view line) {
  const std::size_t open = line.find('[');
  const std::size_t close = line.rfind(']');
  if (close == std::string_view::npos || close < open) {
    throw InputError("'[' without a closing ']'");
  }
  line = line.substr(open + 1, close - open - 1);
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    throw InputError("a group without a name");
  }
  return std::string(line.substr(first, line.find_last_not_of(" \t") + 1 - first));
}

void add_numbers(std::string_view line, std::vector<std::uint64_t>& numbers) {
  for (std::string_view field = take_field(line); !field.empty();
       field = take_field(line)) {
    const std::int64_t number = whole_field(field, "number of an atom");
    if (number < 1) {
      throw InputError("invalid atom number " + std::to_string(number) +
                       ": numbers start at 1");
    }
    numbers.push_back(static_cast<std::uint64_t>(number));
  }
}

}  // namespace

IndexGroups::IndexGroups(const std::string& path) : path_(path) {
  check_is_file(path);
  TextFile file(path);
  std::vector<std::vector<std::uint64_t>> numbers;
  take_lines(
      file, [](std::string_view) { return true; },
      [&](std::string_view line) {
        line = line.substr(0, line.find(';'));
        if (line.find('[') != std::string_view::npos) {
          names_.push_back(name_in(line));
          numbers.emplace_back();
        } else if (!numbers.empty()) {
          add_numbers(line, numbers.back());
        } else if (!take_field(line).empty()) {
          throw InputError(
              "a line before the first group, '[ NAME ]' (is it an index file of "
              "GROMACS?)");
        }
      });
  if (names_.empty()) {
    throw InputError(path +
                     ": has no group, '[ NAME ]' (is it an index file of "
                     "GROMACS?)");
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    lists_.push_back(std::make_shared<ParticleList>(
        ParticleList{path + ": the group '" + names_[k] + "'", std::move(numbers[k])}));
  }
}

std::vector<std::string> IndexGroups::names() const {
  return names_;
}

SharedParticleList IndexGroups::find(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    throw InputError(path_ + ": has no group '" + name + "' (it has " + listed(names_) +
                     ")" + did_you_mean(name, names_));
  }
  if (std::find(found + 1, names_.end(), name) != names_.end()) {
    throw InputError(path_ + ": has two groups '" + name +
                     "' (give one of them another name)");
  }
  const SharedParticleList& list =
      lists_[static_cast<std::size_t>(found - names_.begin())];
  if (list->numbers.empty()) {
    throw InputError(list->source + " is empty");
  }
  return list;
}

}  // namespace starhist::io
