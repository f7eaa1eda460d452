#include "io/particles/element_of_species.hh"

#include <set>
#include <string_view>
#include <unordered_map>

#include "codelets/core/base/text.hh"
#include "io/particles/elements.hh"
#include "io/particles/read_from.hh"

namespace starhist::io {
namespace {

constexpr const char* unknown = "?";
constexpr const char* separator = ", ";
const std::string no_word;

/// Joins the elements to one text; "" if all are unknown.
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
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  }
}

const char* rule_name(ElementSource source) {
  return source == ElementSource::aliases ? "--aliases" : "guessed from names";
}

/// True if the name may be one of an atom without mass: topologies build hydrogens and
/// atoms of rings as virtual sites, too. Sites without an atom are called MW, EPW, LP1.
bool may_be_atom(const ParticleTable& table, std::size_t k) {
  constexpr std::string_view atoms = "HCNOSPF";
  return !table.name.empty() && !table.name[k].empty() &&
         atoms.find(table.name[k].front()) != std::string_view::npos;
}

}  // namespace

SpeciesElement element_of(const ParticleTable& table,
                          const std::vector<std::uint32_t>& particles,
                          const std::string& file_source) {
  std::set<std::string> elements;
  SpeciesElement species;
  std::string before;  // fast path: consecutive particles often have the same element
  ElementSource source_before{};
  for (const std::uint32_t k : particles) {
    const std::string& word = table.element.empty() ? no_word : table.element[k];
    const ElementSource source =
        table.element_source.empty() ? ElementSource::file : table.element_source[k];
    if (!word.empty() && word == before && source == source_before) {
      continue;
    }
    const std::string element = element_spelling(word);
    if (!element.empty()) {
      elements.insert(element);
      add_phrase(source == ElementSource::file ? file_source : rule_name(source),
                 species.source);
      before = word;
      source_before = source;
    } else if (word.empty() && !table.mass.empty() && table.mass[k] == 0.0 &&
               !may_be_atom(table, k)) {
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

SpeciesElement element_of(const HistogramLayout& layout, std::size_t species) {
  return species < layout.elements.size() ? layout.elements[species] : SpeciesElement();
}

std::vector<SpeciesElement> elements_of_labels(const std::vector<std::string>& species,
                                               const std::string& source) {
  std::vector<SpeciesElement> elements;
  for (const std::string& label : species) {
    const bool is_symbol = !label.empty() && element_spelling(label) == label;
    elements.push_back(is_symbol ? SpeciesElement{label, source} : SpeciesElement());
  }
  return elements;
}

std::vector<std::string> element_column(const std::vector<std::string>& labels) {
  std::unordered_map<std::string_view, std::string> known;
  std::vector<std::string> column;
  column.reserve(labels.size());
  bool any = false;
  for (const std::string& label : labels) {
    const auto [found, is_new] = known.try_emplace(label);
    if (is_new && element_spelling(label) == label) {
      found->second = label;
      any = any || !label.empty();
    }
    column.push_back(found->second);
  }
  return any ? column : std::vector<std::string>();
}

bool is_single(const SpeciesElement& species) {
  return !species.element.empty() &&
         species.element.find(separator) == std::string::npos;
}

}  // namespace starhist::io
