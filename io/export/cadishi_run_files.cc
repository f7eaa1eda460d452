#include "io/export/cadishi_run_files.hh"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "codelets/core/base/text.hh"
#include "io/files/whole_file.hh"
#include "io/result/passed_on_reader.hh"

namespace starhist::io {
namespace {

std::vector<std::string> sorted_species(const ResultFile& result) {
  std::vector<std::string> species = result.layout.species;
  std::sort(species.begin(), species.end());
  return species;
}

void write_header(std::ostream& out, const std::vector<std::string>& species) {
  std::vector<std::string> pairs;
  for (std::size_t a = 0; a < species.size(); ++a) {
    for (std::size_t b = a; b < species.size(); ++b) {
      pairs.push_back(species[a] + "," + species[b]);
    }
  }
  out << "# " << join(pairs, " ") << '\n';
}

/// Writes the particle numbers of each frame.
void write_numbers(std::ostream& out, const std::vector<std::string>& species,
                   const PassedOn& all) {
  out << "# ";
  for (const std::string& name : species) {
    out << name << ' ';
  }
  out << '\n';
  for (std::uint64_t frame = 0; frame < all.frames; ++frame) {
    out << frame + 1 << ' ';
    for (const std::string& name : species) {
      out << static_cast<std::uint64_t>(
                 all.series.at("particle_numbers/" + name)[frame])
          << ' ';
    }
    out << '\n';
  }
}

}  // namespace

std::array<std::string, 4> cadishi_run_paths(const CadishiRunFiles& files) {
  return {files.directory + "header.dat",
          files.directory + "nrPart." + std::to_string(files.first) + "." +
              std::to_string(files.last) + ".dat",
          files.directory + "preprocessor_log.json",
          files.directory + "histograms.yaml"};
}

void write_cadishi_run_files(const CadishiRunFiles& files, const ResultFile& result) {
  const PassedOnReader passed(result);
  PassedOn all;
  std::string log = "[]";
  for (std::uint64_t block = 0; block < result.blocks.size(); ++block) {
    PassedOn next = passed.block(block);
    next.sums.clear();
    append(all, next);
    if (block == 0 && next.texts.count("log") > 0) {
      log = next.texts["log"];
    }
  }
  const std::vector<std::string> species = sorted_species(result);
  const auto [header, numbers, frames_log, parameters] = cadishi_run_paths(files);
  write_whole_file(header, [&](std::ostream& out) { write_header(out, species); });
  write_whole_file(numbers,
                   [&](std::ostream& out) { write_numbers(out, species, all); });
  write_whole_file(frames_log, [&](std::ostream& out) {
    out << nlohmann::json::parse(log).dump(4, ' ', true);
  });
  write_whole_file(parameters, [&](std::ostream& out) { out << files.parameters; });
}

std::string cadishi_log_entries(const std::string& parameters) {
  using Json = nlohmann::json;
  const Json all = Json::parse(parameters);
  const Json& input = all.at("input");
  const Json& output = all.at("output");
  const Json& file = input.at("file");
  const Json reader{{"file", file.is_array() ? file : Json::array({file})},
                    {"first", input.at("first")},
                    {"last", input.at("last")},
                    {"step", input.at("step")},
                    {"shuffle", false},
                    {"shuffle_reproducible", false}};
  const Json writer{{"file", output.at("directory").get<std::string>() +
                                 output.at("file").get<std::string>()},
                    {"compression", nullptr}};
  return Json::array(
             {{{"H5Reader", reader}}, {{"histograms", all}}, {{"H5Writer", writer}}})
      .dump();
}

}  // namespace starhist::io
