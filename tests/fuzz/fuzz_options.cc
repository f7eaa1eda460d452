// The command line: an argument per line, the command first. It is parsed, but nothing
// is run.

#include <iostream>
#include <sstream>

#include "driver/commands/command.hh"
#include "driver/options/rdf_options.hh"
#include "driver/report/printable_stream.hh"
#include "tests/fuzz/fuzz_input.hh"

namespace {

using namespace starhist;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

void parse(const std::vector<std::string>& words) {
  const driver::Command& command = driver::find_command(words.at(0));
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  if (command.manual.command == "rdf") {
    driver::parse_rdf_options(arguments);
    return;
  }
  driver::Problems problems;
  driver::parse_unless_help(command.manual, arguments, problems);
  problems.throw_if_any(command.manual.command);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::ostringstream help;
  std::cout.rdbuf(help.rdbuf());
  help.str("");
  const std::vector<std::string> words = lines_of(fuzz::text_of(data, size));
  if (!words.empty()) {
    try {
      parse(words);
    } catch (const InputError& error) {
      driver::shortened(error.what());
    } catch (const RunError&) {
    }
  }
  return 0;
}
