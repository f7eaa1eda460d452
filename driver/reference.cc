// starhist-reference: prints all commands, their options and the formats as JSON, for
// scripts/checks/check_reference.py. A developer's tool that is not installed.
#include <exception>
#include <iostream>

#include <nlohmann/json.hpp>

#include "driver/commands/command.hh"
#include "io/files/json_text.hh"
#include "io/trajectory/format_texts.hh"

namespace starhist::driver {
namespace {

using Json = nlohmann::ordered_json;

/// A JSON array of the items, each converted by `to_json`.
template <class Items, class ToJson>
Json array(const Items& items, ToJson to_json) {
  Json values = Json::array();
  for (const auto& item : items) {
    values.push_back(to_json(item));
  }
  return values;
}

Json option_json(const OptionSpec& option, bool has_title) {
  return {{"name", long_name(option)},
          {"short", short_name(option)},
          {"argument", option.placeholder},
          {"help", option.help},
          {"default", option.value.fallback},
          {"default in words", option.value.otherwise},
          {"choices", option.value.choices},
          {"examples", option.value.examples},
          {"group", has_title ? title_of(option.group) : ""}};
}

Json section_json(const ManualSection& section) {
  return {{"title", section.title}, {"text", section.text}};
}

Json command_json(const Command& command) {
  const Manual& manual = command.manual;
  const auto option = [titled = has_groups(manual.options)](const OptionSpec& spec) {
    return option_json(spec, titled);
  };
  return {{"name", manual.command},
          {"summary", manual.summary},
          {"script", command.script},
          {"synopsis", manual.synopsis},
          {"description", manual.description},
          {"options", array(by_group(manual.options), option)},
          {"sections", array(manual.sections, section_json)}};
}

}  // namespace
}  // namespace starhist::driver

int main() {
  using namespace starhist::driver;
  try {
    const Json tables{{"commands", array(commands(), command_json)},
                      {"table of formats", starhist::io::format_table()},
                      {"table of fields", starhist::io::field_table()}};
    std::cout << starhist::io::json_text(tables) << '\n';
  } catch (const std::exception& error) {
    std::cerr << "starhist-reference: " << error.what() << '\n';
    return 2;
  }
  return std::cout ? 0 : 1;
}
