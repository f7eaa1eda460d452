#pragma once

#include <array>
#include <string>

#include <stdio.h>

namespace starhist::testing {

/// Python's output for `expression` of the JSON document in `path`, called d:
/// json_value(path, "d['frames']"). "" if it is not valid JSON or has no such value.
inline std::string json_value(const std::string& path, const std::string& expression) {
  const std::string command =
      "/usr/bin/python3 -c \"import json, sys; d = json.load(open("
      "sys.argv[1])); print(" +
      expression + ")\" '" + path + "' 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe);
  pclose(pipe);
  std::string text(buffer.data(), size);
  return text.empty() ? text : text.substr(0, text.size() - 1);
}

}  // namespace starhist::testing
