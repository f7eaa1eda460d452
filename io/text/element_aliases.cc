#include "io/text/element_aliases.hh"

#include "codelets/core/base/error.hh"
#include "io/files/file_signature.hh"
#include "io/particles/elements.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

void add_line(std::string_view line, ElementAliases& aliases) {
  const auto fields = fields_of(line.substr(0, line.find('#')));
  if (fields.empty()) {
    return;
  }
  if (fields.size() != 2) {
    throw InputError("has " + std::to_string(fields.size()) +
                     " words instead of a name and its element");
  }
  const std::string name(fields[0]);
  const std::string element = element_spelling(std::string(fields[1]));
  if (element.empty()) {
    throw InputError("'" + std::string(fields[1]) + "', for the name '" + name +
                     "', is neither an element nor DUMMY (a site without an atom)");
  }
  const auto [known, is_new] = aliases.emplace(name, element);
  if (!is_new && known->second != element) {
    throw InputError("the name '" + name + "' has the elements " + known->second +
                     " and " + element);
  }
}

}  // namespace

ElementAliases read_element_aliases(const std::string& path) {
  check_is_file(path);
  TextFile file(path);
  ElementAliases aliases;
  std::string_view line;
  while (next_or_whole_rest(file, line, [](std::string_view) { return true; })) {
    try {
      add_line(line, aliases);
    } catch (const InputError& error) {
      throw InputError(file.at_last_line(error.what()));
    }
  }
  if (file.truncation()) {
    throw InputError(path + ": is cut off behind line " +
                     std::to_string(file.position().line - 1));
  }
  if (aliases.empty()) {
    throw InputError(path + ": has no line with a name and its element");
  }
  return aliases;
}

}  // namespace starhist::io
