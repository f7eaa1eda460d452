#include "io/particles/species_element.hh"

#include <set>
#include <string_view>

#include "codelets/core/base/text.hh"
#include "io/particles/read_from.hh"

namespace starhist::io {
namespace {

constexpr const char* unknown = "?";
constexpr const char* separator = ", ";

/// The elements as one text; "" if none of them is known.
std::string text_of(const std::set<std::string>& elements) {
  if (elements == std::set<std::string>{unknown}) {
    return "";
  }
  return join({elements.begin(), elements.end()}, separator);
}

void add_elements(std::string_view text, std::set<std::string>& all) {
  if (text.empty()) {
    all.insert(unknown);
  }
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    all.emplace(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 2);
  }
}

const char* rule_name(ElementSource source) {
  return source == ElementSource::aliases ? "--aliases" : "guessed from names";
}

}  // namespace

SpeciesElement element_of(const ParticleTable& table,
                          const std::vector<std::uint32_t>& particles,
                          const std::string& file_source) {
  std::set<std::string> elements;
  SpeciesElement species;
  for (const std::uint32_t k : particles) {
    const bool known = !table.element.empty() && !table.element[k].empty();
    if (known) {
      const ElementSource source =
          table.element_source.empty() ? ElementSource::file : table.element_source[k];
      const bool is_new = elements.insert(table.element[k]).second;
      if (is_new) {
        add_phrase(source == ElementSource::file ? file_source : rule_name(source),
                   species.source);
      }
    } else if (!table.mass.empty() && table.mass[k] == 0.0) {
      elements.insert("DUMMY");
      add_phrase("mass 0", species.source);
    } else {
      elements.insert(unknown);
    }
  }
  species.element = text_of(elements);
  return species;
}

SpeciesElement united(const std::vector<SpeciesElement>& species) {
  std::set<std::string> elements;
  SpeciesElement all;
  for (const SpeciesElement& each : species) {
    add_elements(each.element, elements);
    add_phrase(each.source, all.source);
  }
  all.element = text_of(elements);
  return all;
}

bool is_single(const SpeciesElement& species) {
  return !species.element.empty() &&
         species.element.find(separator) == std::string::npos;
}

}  // namespace starhist::io
