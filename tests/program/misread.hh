#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/program/csv_table.hh"
#include "tests/program/rdf_runner.hh"

namespace starhist::testing {

/// Counts of a file in tests/data/misread from an independent program.
struct MisreadCounts {
  RdfRunner::Words options;                           ///< of `starhist rdf`
  std::map<std::string, std::vector<double>> counts;  ///< per bin, by "1-8"
};

inline MisreadCounts misread_counts(const std::string& name) {
  std::ifstream file(data_file("misread/" + name + ".counts.csv"));
  MisreadCounts expected;
  std::string first;
  std::getline(file, first);
  std::istringstream words(first.substr(0, first.find(':')));
  std::string word;
  words >> word >> word;  // "# NAME"
  while (words >> word) {
    expected.options.push_back(word);
  }
  std::stringstream rest;
  rest << file.rdbuf();
  expected.counts = csv_columns(rest.str());
  return expected;
}

/// "" if the counts of the pairs in `result` equal the expected ones in each pair and
/// bin; otherwise the first difference.
inline std::string counts_problem(const io::ResultFile& result,
                                  const MisreadCounts& expected) {
  const auto counts = summed_counts(result);
  const auto& species = result.layout.species;
  const auto& pairs = result.layout.pairs;
  for (const auto& [name, bins] : expected.counts) {
    bool found = false;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const std::string a = species[pairs[p].first.get()];
      const std::string b = species[pairs[p].second.get()];
      if (name != a + "-" + b && name != b + "-" + a) {
        continue;
      }
      found = true;
      for (std::size_t k = 0; k < bins.size(); ++k) {
        if (static_cast<double>(counts[p].at(k)) != bins[k]) {
          return name + ", bin " + std::to_string(k) + ": " +
                 std::to_string(counts[p][k]) + " pairs instead of " +
                 std::to_string(bins[k]);
        }
      }
    }
    if (!found) {
      return "no pair " + name;
    }
  }
  return expected.counts.empty() ? "no counts to compare with" : "";
}

/// Runs `starhist rdf` on a file of tests/data/misread with the options of its counts
/// and additional ones. "" if it succeeds with the expected counts; otherwise the
/// problem.
inline std::string misread_problem(const std::string& name,
                                   const RdfRunner::Words& more = {}) {
  const MisreadCounts expected = misread_counts(name);
  const RdfRunner rdf;
  RdfRunner::Words words{data_file("misread/" + name)};
  words.insert(words.end(), expected.options.begin(), expected.options.end());
  words.insert(words.end(), more.begin(), more.end());
  const ProgramRun run = rdf.run(words);
  if (run.exit_code != 0) {
    return "exit code " + std::to_string(run.exit_code) + ": " + run.err;
  }
  return counts_problem(rdf.result(), expected);
}

}  // namespace starhist::testing
