#include "driver/commands/info/info_texts.hh"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>

#include "io/particles/elements.hh"
#include "io/result/external_record.hh"

namespace starhist::driver {

std::vector<std::size_t> largest(const std::vector<double>& values, std::size_t most) {
  std::vector<std::size_t> indexes(values.size());
  std::iota(indexes.begin(), indexes.end(), 0);
  if (values.size() > most) {
    std::stable_sort(indexes.begin(), indexes.end(), [&](std::size_t a, std::size_t b) {
      return values[a] > values[b];
    });
    indexes.resize(most);
  }
  return indexes;
}

std::string six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

std::string external_text(const io::ExternalFileList& files) {
  std::string text;
  for (const io::ExternalFile& file : files) {
    text += "\ndata in      " + io::external_file_text(file);
  }
  return text;
}

std::string elements_text(const std::vector<std::string>& names,
                          const std::vector<SpeciesElement>& elements) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> by_source;
  for (std::size_t s = 0; s < elements.size(); ++s) {
    const auto& [element, source] = elements[s];
    if (!element.empty()) {
      const bool mixture = element.find(',') != std::string::npos;
      by_source[source][mixture ? "(" + element + ")" : element].insert(names[s]);
    }
  }
  std::string text;
  for (const auto& [source, of_source] : by_source) {
    text += (text.empty() ? "\nelements     " : "\n             ") +
            io::names_by_element(of_source) + " (" + source + ")";
  }
  return text;
}

}  // namespace starhist::driver
