#include "driver/report/verification.hh"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include <nlohmann/json.hpp>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/run/version.hh"
#include "io/files/json_text.hh"
#include "io/files/local_time.hh"
#include "io/files/printable_text.hh"

namespace starhist::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_kept = 1000;
constexpr std::size_t most_printed = 20;

using Row = std::pair<std::string, std::string>;

/// Numbers with ranges of three or more: "0 to 3, 7, 8".
std::string ranges(const std::set<std::uint64_t>& numbers) {
  std::vector<std::string> words;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) {
      ++last;
    }
    if (*last - *first < 2) {
      last = first;
    }
    words.push_back(std::to_string(*first) +
                    (last == first ? "" : " to " + std::to_string(*last)));
    first = std::next(last);
  }
  return join(words, ", ");
}

std::string seconds_text(double seconds) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << seconds << " s";
  return text.str();
}

std::vector<Row> rows_of(const Verification& v) {
  std::vector<Row> rows;
  rows.emplace_back("result", v.result + (v.id.empty() ? "" : ", id " + v.id) +
                                  (v.partial ? ", of an unfinished run" : "") + ": " +
                                  counted(v.frames, "frame") + " in " +
                                  counted(v.blocks, "block") + ", " + v.contents);
  for (const std::string& text : v.counted_by) {
    rows.emplace_back("counted by", text);
  }
  for (const auto& [path, state] : v.trajectories) {
    rows.emplace_back("trajectory", path + ": " + state);
  }
  rows.emplace_back("sum rule", v.sum_rule);
  rows.emplace_back("recounted",
                    "with " + v.method + ", in " + seconds_text(v.seconds));
  rows.emplace_back("sample", std::to_string(v.sample.size()) + " of " +
                                  counted(v.blocks, "block") + " (" + ranges(v.sample) +
                                  "), seed " + std::to_string(v.seed));
  rows.emplace_back(
      "frames", counted(v.frames_read, "frame") + " read, " +
                    (v.without_checksum == 0
                         ? (v.equal() ? "each matches its recorded checksum"
                                      : "each compared with its recorded checksum")
                         : grouped(v.without_checksum) + " of them without checksum"));
  rows.emplace_back("pairs", grouped(v.pairs));
  if (v.distribution_values > 0) {
    rows.emplace_back("g(r)",
                      grouped(v.distribution_values) +
                          " stored values of r and g(r) compared with values computed "
                          "from the counts");
  }
  if (!v.sums.empty()) {
    rows.emplace_back("sums", v.sums);
  }
  rows.emplace_back("verdict", verdict(v));
  return rows;
}

std::string block_text(const Difference& difference) {
  return difference.block ? std::to_string(*difference.block) : "";
}

std::string difference_text(const Difference& d) {
  return (d.block ? "block " + std::to_string(*d.block) + ", " : "") + d.subject +
         ": the result has " + d.recorded + ", " + d.source + " " + d.recounted;
}

/// Replaces characters with a meaning in the format.
std::string quoted(const std::string& text,
                   const std::vector<std::pair<char, std::string>>& replaced) {
  std::string out;
  // A JSON string has valid UTF-8 only.
  const std::string valid =
      nlohmann::json::parse(io::json_string(io::printable_line(text)))
          .get<std::string>();
  for (const char c : valid) {
    const auto found =
        std::find_if(replaced.begin(), replaced.end(),
                     [c](const auto& replacement) { return replacement.first == c; });
    found == replaced.end() ? out += c : out += found->second;
  }
  return out;
}

std::string in_html(const std::string& text) {
  return quoted(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string in_markdown(const std::string& text) {
  return quoted(text, {{'|', "\\|"},
                       {'<', "&lt;"},
                       {'&', "&amp;"},
                       {'*', "\\*"},
                       {'_', "\\_"},
                       {'`', "\\`"},
                       {'[', "\\["},
                       {'\\', "\\\\"}});
}

const char* const title = "Verification of a starhist result";

std::string origin() {
  return "starhist " + version() + " verify, " + io::local_time();
}

/// Note about differences that are not listed; "" if all are.
std::string omitted(const Differences& differences, std::size_t listed) {
  return differences.count() <= listed
             ? ""
             : grouped(differences.count() - listed) + " more differences";
}

std::string markdown(const Verification& v) {
  std::ostringstream out;
  out << "# " << title << "\n\n" << in_markdown(origin()) << "\n\n| | |\n|---|---|\n";
  for (const auto& [name, value] : rows_of(v)) {
    out << "| " << name << " | " << in_markdown(value) << " |\n";
  }
  if (!v.equal()) {
    out << "\n| block | number | in the result | recounted |\n|---:|---|---:|---:|\n";
    for (const Difference& d : v.differences.first()) {
      out << "| " << block_text(d) << " | " << in_markdown(d.subject) << " | "
          << in_markdown(d.recorded) << " | " << in_markdown(d.recounted) << " |\n";
    }
    const std::string more = omitted(v.differences, v.differences.first().size());
    out << (more.empty() ? "" : "\n" + more + "\n");
  }
  return out.str();
}

std::string html(const Verification& v) {
  std::ostringstream out;
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<title>"
      << title
      << "</title>\n<style>body { font-family: sans-serif; max-width: 60em; "
         "margin: 2em auto; }\nth, td { text-align: left; vertical-align: top; "
         "padding: 0.2em 1em 0.2em 0; }</style>\n</head>\n<body>\n<h1>"
      << title << "</h1>\n<p>" << in_html(origin()) << "</p>\n<table>\n";
  for (const auto& [name, value] : rows_of(v)) {
    out << "<tr><th>" << name << "</th><td>" << in_html(value) << "</td></tr>\n";
  }
  out << "</table>\n";
  if (!v.equal()) {
    out << "<h2>Differences</h2>\n<table>\n<tr><th>block</th><th>number</th><th>in the "
           "result</th><th>recounted</th></tr>\n";
    for (const Difference& d : v.differences.first()) {
      out << "<tr><td>" << block_text(d) << "</td><td>" << in_html(d.subject)
          << "</td><td>" << in_html(d.recorded) << "</td><td>" << in_html(d.recounted)
          << "</td></tr>\n";
    }
    out << "</table>\n<p>" << omitted(v.differences, v.differences.first().size())
        << "</p>\n";
  }
  out << "</body>\n</html>\n";
  return out.str();
}

std::string json(const Verification& v) {
  Json trajectories = Json::array();
  for (const auto& [path, state] : v.trajectories) {
    trajectories.push_back({{"path", path}, {"state", state}});
  }
  Json differences = Json::array();
  for (const Difference& d : v.differences.first()) {
    differences.push_back({{"block", d.block ? Json(*d.block) : Json()},
                           {"number", d.subject},
                           {"result", d.recorded},
                           {"recounted", d.recounted}});
  }
  const Json report{{"program", "starhist verify"},
                    {"version", version()},
                    {"date", io::local_time()},
                    {"equal", v.equal()},
                    {"verdict", verdict(v)},
                    {"result", v.result},
                    {"result_id", v.id},
                    {"complete", !v.partial},
                    {"counted_by", v.counted_by},
                    {"blocks", v.blocks},
                    {"frames", v.frames},
                    {"trajectories", trajectories},
                    {"method", v.method},
                    {"seed", v.seed},
                    {"recounted_blocks", v.sample},
                    {"recounted_frames", v.frames_read},
                    {"frames_without_checksum", v.without_checksum},
                    {"recounted_pairs", v.pairs},
                    {"compared_numbers", v.numbers},
                    {"compared_distribution_values", v.distribution_values},
                    {"seconds", io::json_number(v.seconds)},
                    {"difference_count", v.differences.count()},
                    {"blocks_with_differences", v.differences.blocks()},
                    {"differences", differences}};
  return io::json_text(report) + "\n";
}

}  // namespace

void Differences::add(Difference difference) {
  ++count_;
  if (difference.block) {
    blocks_.insert(*difference.block);
  }
  if (first_.size() < most_kept) {
    first_.push_back(std::move(difference));
  }
}

std::string verdict(const Verification& v) {
  if (v.equal()) {
    return "all " + grouped(v.numbers + v.distribution_values) +
           " compared numbers are equal";
  }
  const std::set<std::uint64_t>& blocks = v.differences.blocks();
  return counted(v.differences.count(), "difference") +
         (blocks.empty()
              ? ", in " + v.differences.first().front().subject.substr(
                              0, v.differences.first().front().subject.find(','))
              : ", in " + counted(blocks.size(), "block") + ": " + ranges(blocks));
}

std::string verification_text(const Verification& v) {
  std::ostringstream out;
  for (const auto& [name, value] : rows_of(v)) {
    out << std::left << std::setw(13) << name << value << '\n';
  }
  std::size_t printed = 0;
  for (const Difference& d : v.differences.first()) {
    if (printed == most_printed) {
      break;
    }
    out << difference_text(d) << '\n';
    ++printed;
  }
  const std::string more = omitted(v.differences, printed);
  out << (more.empty()
              ? ""
              : more + " (--report lists up to " + std::to_string(most_kept) + ")\n");
  return out.str();
}

const std::vector<std::string>& report_formats() {
  static const std::vector<std::string> formats{"html", "htm", "md", "json"};
  return formats;
}

std::string verification_report(const Verification& verification,
                                const std::string& format) {
  if (format == "json") {
    return json(verification);
  }
  if (format == "md") {
    return markdown(verification);
  }
  if (format == "html" || format == "htm") {
    return html(verification);
  }
  throw InternalError("a report in the format '" + format + "'");
}

}  // namespace starhist::driver
