#include "driver/options/option_values.hh"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/bins.hh"

namespace starhist::driver {
namespace {

template <class T>
bool parse_whole(const std::string& text, T& value) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::uint64_t whole_bins(double r_max, double width) {
  const double exact = r_max / width;
  const double count = std::round(exact);
  if (count > max_bin_count) {
    throw InputError("--bin-width " + number_text(width) + " makes " +
                     number_text(count) + " bins (at most " +
                     std::to_string(max_bin_count) + ")");
  }
  if (std::abs(exact - count) > 1e-9 * exact || count < 1.0) {
    throw InputError("--bin-width " + number_text(width) + " does not divide --r-max " +
                     number_text(r_max) + " (use --r-max " +
                     decimal_text(std::ceil(exact) * width) + ", or --bins " +
                     number_text(std::max(1.0, count)) + ")");
  }
  return static_cast<std::uint64_t>(count);
}

/// Hint for a message about text that is not a number, such as "1,5" or "15A"; ""
/// without a guess.
std::string number_hint(std::string text) {
  double value = 0.0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  const auto rest = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || rest == 0) {
    return "";
  }
  if (text[rest] == ',') {
    text[rest] = '.';
    return parse_whole(text, value) ? " (write " + text + ")" : "";
  }
  return " (give a number without a unit: lengths and frame times are in the file's "
         "units, which starhist info prints)";
}

/// The numbers of a comma-separated list; empty if a word is not a number.
std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& word : split_list(text)) {
    double value = 0.0;
    if (!parse_whole(word, value)) {
      return {};
    }
    numbers.push_back(value);
  }
  return numbers;
}

}  // namespace

double parse_number(const std::string& option, const std::string& text) {
  double value = 0.0;
  if (!parse_whole(text, value)) {
    throw InputError(option + " '" + text + "' is not a number" + number_hint(text));
  }
  return value;
}

double parse_length(const std::string& option, const std::string& text) {
  const double value = parse_number(option, text);
  if (!std::isfinite(value) || value <= 0.0) {
    throw InputError(option + " " + text +
                     " is not a length (must be finite and positive)");
  }
  return value;
}

std::uint64_t parse_count(const std::string& option, const std::string& text) {
  std::uint64_t value = 0;
  if (!parse_whole(text, value)) {
    double number = 0.0;
    const bool whole =
        parse_whole(text, number) && number >= 0.0 && number == std::floor(number);
    constexpr double end = 0x1p64;  // of std::uint64_t
    throw InputError(
        option + " '" + text +
        (whole && number >= end ? "' is too large (at most 18446744073709551615)"
         : whole                ? "' is not in digits (write " +
                       std::to_string(static_cast<std::uint64_t>(number)) + ")"
         : text.rfind('-', 0) == 0 ? "' is not a whole number of 0 or more"
                                   : "' is not a whole number"));
  }
  return value;
}

std::uint64_t parse_positive(const std::string& option, const std::string& text) {
  const std::uint64_t value = parse_count(option, text);
  if (value == 0) {
    throw InputError(option + " 0 is invalid (give 1 or more)");
  }
  return value;
}

double parse_checkpoint(const std::string& text) {
  const double seconds = parse_number("--checkpoint", text);
  if (!(seconds > 0.0) || seconds > 1e6) {
    throw InputError("--checkpoint " + text +
                     " is not usable (give seconds, such as 60 or 0.5; at most "
                     "1000000, about 12 days)");
  }
  return seconds;
}

std::uint64_t parse_memory(const std::string& text) {
  const double gibibytes = parse_number("--memory", text);
  if (!(gibibytes > 0.0) || gibibytes > 1e6) {
    throw InputError("--memory " + text +
                     " is not usable (give a size in GiB, such as 4 or 0.5; at most "
                     "1000000)");
  }
  return static_cast<std::uint64_t>(gibibytes * (1ULL << 30U));
}

std::optional<Box> parse_box(const std::string& text) {
  const BoxChoice choice = parse_box_choice(text);
  if (!choice.file.empty()) {
    throw InputError(
        "--box " + text +
        ": a file with a box for each frame needs a trajectory (give numbers or none)");
  }
  return choice.box;
}

BoxChoice parse_box_choice(const std::string& text) {
  if (text == "file") {
    return {};
  }
  if (text == "none") {
    return {Box(), ""};
  }
  const std::vector<double> v = numbers_of(text);
  try {
    if (v.size() == 3) {
      return {Box::from_lengths_and_angles({v[0], v[1], v[2]}, {90.0, 90.0, 90.0}), ""};
    }
    if (v.size() == 6) {
      return {Box::from_lengths_and_angles({v[0], v[1], v[2]}, {v[3], v[4], v[5]}), ""};
    }
    if (v.size() == 9) {
      return {Box({Vec3{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}},
                  {true, true, true}),
              ""};
    }
  } catch (const InputError& error) {
    throw InputError("--box " + text + ": " + error.what());
  }
  std::error_code ignored;
  if (v.empty() && std::filesystem::exists(text, ignored)) {
    return {std::nullopt, text};
  }
  if (v.size() == 1) {
    throw InputError("--box " + text + " is not a box: write " + text + "," + text +
                     "," + text + " for a cube, or all edges with commas");
  }
  throw InputError("--box '" + text +
                   "' is neither a box nor a file (give one of: file; none; a,b,c; "
                   "a,b,c,alpha,beta,gamma; ax,ay,az,bx,by,bz,cx,cy,cz, the edge "
                   "vectors; or the name of a file with a box for each frame, such as "
                   "CP2K's .cell)");
}

double parse_r_max(const std::string& text) {
  if (text.empty()) {
    throw InputError("--r-max is missing (the largest distance to count)");
  }
  return parse_length("--r-max", text);
}

std::uint64_t parse_bin_count(const std::string& bins, const std::string& bin_width,
                              std::optional<double> r_max) {
  if (bins.empty() == bin_width.empty()) {
    throw InputError(bins.empty() ? "--bins or --bin-width is missing"
                                  : "--bins and --bin-width exclude each other");
  }
  if (!bins.empty()) {
    const std::uint64_t count = parse_count("--bins", bins);
    if (count == 0 || count > max_bin_count) {
      throw InputError("--bins " + bins + " is not usable (give 1 to " +
                       std::to_string(max_bin_count) + ")");
    }
    return count;
  }
  const double width = parse_length("--bin-width", bin_width);
  return r_max ? whole_bins(*r_max, width) : 1;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    words.push_back(word);
  }
  return words;
}

}  // namespace starhist::driver
