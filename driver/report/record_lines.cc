#include "driver/report/record_lines.hh"

#include <charconv>
#include <ctime>

#include "io/files/local_time.hh"

namespace starhist::driver {

std::string record_line(const std::string& name, const std::string& value) {
  const std::string unix_time = " (unix time)";
  const bool is_empty = value.empty() || value == std::string(1, '\0');
  if (is_empty) {
    return name.starts_with("option ") ? "  " + name + "\n" : "";
  }
  std::time_t time = 0;
  if (name.ends_with(unix_time) &&
      std::from_chars(value.data(), value.data() + value.size(), time).ec ==
          std::errc()) {
    return "  " + name.substr(0, name.size() - unix_time.size()) + ": " +
           io::local_time(time) + "\n";
  }
  return "  " + name + ": " + value + "\n";
}

std::string input_lines(const io::RunRecord& record) {
  std::string text;
  for (const auto& [name, value] : record) {
    if (name.starts_with("input 1") || name.starts_with("option ")) {
      text += record_line(name, value);
    }
  }
  return text;
}

}  // namespace starhist::driver
