// starhist-reference: prints all commands and their options as JSON, for
// scripts/checks/check_reference.py. A developer's tool, which is not installed.
#include <iostream>
#include <utility>

#include "driver/commands/command.hh"
#include "io/files/json_text.hh"

namespace starhist::driver {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

std::string quoted(const std::string& text) {
  return io::json_string(text);
}

/// A JSON object of names and JSON values.
std::string object(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    text += (text.empty() ? "{" : ", ") + quoted(name) + ": " + value;
  }
  return text + "}";
}

/// A JSON array of what `to_json` makes of each item.
template <class Items, class ToJson>
std::string array(const Items& items, ToJson to_json) {
  std::string text;
  for (const auto& item : items) {
    text += (text.empty() ? "" : ",\n ") + to_json(item);
  }
  return "[" + text + "]";
}

std::string option_json(const OptionSpec& option) {
  return object({{"name", quoted(long_name(option))},
                 {"short", quoted(short_name(option))},
                 {"argument", quoted(option.placeholder)},
                 {"help", quoted(option.help)},
                 {"default", quoted(option.value.fallback)},
                 {"default in words", quoted(option.value.otherwise)},
                 {"choices", array(option.value.choices, quoted)},
                 {"examples", array(option.value.examples, quoted)},
                 {"group", quoted(option.group)}});
}

std::string section_json(const ManualSection& section) {
  return object({{"title", quoted(section.title)}, {"text", quoted(section.text)}});
}

std::string command_json(const Command& command) {
  const Manual& manual = command.manual;
  return object({{"name", quoted(manual.command)},
                 {"summary", quoted(manual.summary)},
                 {"script", quoted(command.script)},
                 {"synopsis", quoted(manual.synopsis)},
                 {"description", quoted(manual.description)},
                 {"options", array(manual.options, option_json)},
                 {"sections", array(manual.sections, section_json)}});
}

}  // namespace
}  // namespace starhist::driver

int main() {
  using namespace starhist::driver;
  std::cout << array(commands(), command_json) << '\n';
  return std::cout ? 0 : 1;
}
