#include "driver/options/bin_options.hh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/options/option_values.hh"

namespace starhist::driver {
namespace {

double parse_r_min(const std::string& text) {
  const double r_min = text.empty() ? 0.0 : parse_number("--r-min", text);
  if (!std::isfinite(r_min) || r_min < 0.0) {
    throw InputError("--r-min " + text + " is not a length of 0 or more");
  }
  return r_min;
}

/// `exact` as an integer number of bins; empty if it is not an integer up to rounding,
/// or too large.
std::optional<std::uint64_t> whole(double exact) {
  constexpr double tolerance = 1e-9;
  const double count = std::round(exact);
  if (std::abs(exact - count) > tolerance * exact || count > max_bin_count) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(count);
}

[[noreturn]] void refuse(double r_min, double nearest, const std::string& why) {
  throw InputError("--r-min " + number_text(r_min) +
                   " is not a whole number of bins from 0 (" + why + "; use --r-min " +
                   length_text(nearest) + ")");
}

/// Bins from r_min to r_max; `all` of them would fit between 0 and r_max.
UniformBins bins_of_width(double r_min, double r_max, std::uint64_t all) {
  const double exact = r_min * static_cast<double>(all) / r_max;
  const std::optional<std::uint64_t> below = whole(exact);
  if (!below || *below >= all) {
    const double last = static_cast<double>(all - 1);
    const double width = r_max / static_cast<double>(all);
    refuse(r_min, std::fmin(std::round(exact), last) * width,
           "they are " + length_text(width) + " wide");
  }
  return make_bins(r_max, all - *below, *below);
}

/// `count` bins from r_min to r_max. If k more fit below, r_min is k r_max / (count +
/// k).
UniformBins bins_between(double r_min, double r_max, std::uint64_t count) {
  const auto n = static_cast<double>(count);
  const double exact = r_min * n / (r_max - r_min);
  const std::optional<std::uint64_t> below = whole(exact);
  if (!below) {
    const auto allowed = [&](double k) { return k * r_max / (n + k); };
    const double low = allowed(std::floor(exact));
    const double high = allowed(std::ceil(exact));
    refuse(r_min, r_min - low < high - r_min ? low : high,
           std::to_string(count) + " bins up to " + number_text(r_max) + " are " +
               length_text((r_max - r_min) / n) + " wide");
  }
  return make_bins(r_max, count, *below);
}

constexpr std::string_view log_prefix = "log:";

/// The words of a line, without its comment.
std::vector<std::string> words_of(std::string line) {
  line.erase(std::min(line.find('#'), line.size()));
  std::vector<std::string> words;
  for (std::size_t end = 0; end < line.size();) {
    const std::size_t begin = line.find_first_not_of(" \t\r,", end);
    if (begin == std::string::npos) {
      break;
    }
    end = std::min(line.find_first_of(" \t\r,", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
  }
  return words;
}

std::vector<double> edges_in(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    throw InputError("--edges " + path +
                     " is neither a list of numbers, such as 0,0.1,0.3, nor a file "
                     "that can be read");
  }
  std::vector<double> edges;
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    const std::string option = "--edges " + path + ", line " + std::to_string(number);
    for (const std::string& word : words_of(line)) {
      edges.push_back(parse_number(option + ":", word));
      if (edges.size() > max_explicit_bins + 1) {
        throw InputError(option + ": the file has more than " +
                         std::to_string(max_explicit_bins + 1) + " edges");
      }
    }
  }
  if (file.bad()) {
    throw InputError("--edges " + path + ": cannot be read to its end");
  }
  if (edges.empty()) {
    throw InputError("--edges " + path + ": the file contains no edges");
  }
  return edges;
}

/// N of --bins log:N; empty for other text.
std::optional<std::uint64_t> parse_log_bins(const std::string& bins) {
  if (!bins.starts_with(log_prefix)) {
    return std::nullopt;
  }
  return parse_positive("--bins " + bins + ":", bins.substr(log_prefix.size()));
}

/// Logarithmic bins. `r_max` is empty if it is not known yet.
std::optional<UniformBins> logarithmic_bins(const std::string& r_min,
                                            std::optional<double> r_max,
                                            const std::string& bins,
                                            const std::string& bin_width,
                                            std::uint64_t count) {
  if (!bin_width.empty()) {
    throw InputError("--bins and --bin-width exclude each other");
  }
  if (r_min.empty()) {
    throw InputError("--bins " + bins +
                     " needs --r-min, the first edge (a logarithmic scale does not "
                     "reach 0): give --r-min R0 with R0 above 0");
  }
  const double first = parse_length("--r-min", r_min);
  const std::vector<double> edges =
      logarithmic_edges(first, r_max.value_or(2.0 * first), count);
  return r_max ? std::optional(make_bins_between(edges)) : std::nullopt;
}

}  // namespace

std::optional<UniformBins> parse_bins(const std::string& r_min,
                                      std::optional<double> r_max,
                                      const std::string& bins,
                                      const std::string& bin_width) {
  if (const auto number = parse_log_bins(bins)) {
    return logarithmic_bins(r_min, r_max, bins, bin_width, *number);
  }
  const std::uint64_t count = parse_bin_count(bins, bin_width, r_max);
  const double lower = parse_r_min(r_min);
  if (!r_max) {
    return std::nullopt;
  }
  if (lower >= *r_max) {
    throw InputError("--r-min " + r_min + " is not below --r-max " +
                     number_text(*r_max));
  }
  return bin_width.empty() ? bins_between(lower, *r_max, count)
                           : bins_of_width(lower, *r_max, count);
}

UniformBins parse_edges(const std::string& text) {
  std::vector<double> edges;
  std::error_code too_long;  // for a path
  if (text.find_first_not_of("0123456789.,+-eE ") == std::string::npos &&
      !std::filesystem::exists(text, too_long)) {
    for (const std::string& word : split_list(text)) {
      edges.push_back(parse_number("--edges " + text + ":", word));
    }
  } else {
    edges = edges_in(text);
  }
  try {
    return make_bins_between(edges);
  } catch (const InputError& error) {
    throw InputError("--edges " + text + ": " + error.what());
  }
}

std::string length_text(double length) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.15g", length);
  return digits;
}

void check_equal_bins(const std::string& command, const std::string& bins) {
  if (bins.starts_with(log_prefix)) {
    throw InputError("--bins " + bins + ": " + command +
                     " counts in bins of equal width (give their number)");
  }
}

}  // namespace starhist::driver
