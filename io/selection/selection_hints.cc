#include "io/selection/selection_hints.hh"

#include <algorithm>
#include <map>
#include <vector>

#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/selection/selection_keywords.hh"

namespace starhist::io {
namespace {

/// Words that begin a term of a selection, except protein, backbone, water and ion.
const std::vector<std::string>& term_words() {
  static const std::vector<std::string> words{
      "resname", "name",   "type",   "element", "resid", "molecule", "chain",
      "segment", "icode",  "altloc", "id",      "index", "species",  "group",
      "within",  "beyond", "mass",   "charge",  "same",  "not",      "all"};
  return words;
}

/// Terms of other programs, with examples of the equivalent terms.
const std::map<std::string, std::string>& foreign_terms() {
  static const std::map<std::string, std::string> terms{
      {"around", "within 0.35 of TERM"},
      {"atom", "name OW"},
      {"atomname", "name OW"},
      {"atomtype", "type OW"},
      {"bynum", "index 1-100"},
      {"byres", "same residue as TERM"},
      {"chainID", "chain A"},
      {"chainid", "chain A"},
      {"exwithin", "within 0.35 of TERM"},
      {"fragment", "molecule 1-10"},
      {"heavy", "mass > 2"},
      {"moltype", "resname SOL"},
      {"nucleic", "resname A C G U"},
      {"pbwithin", "within 0.35 of TERM"},
      {"resi", "resid 1-10"},
      {"residue", "resid 1-10"},
      {"resn", "resname SOL"},
      {"resnum", "resid 1-10"},
      {"segid", "segment A"},
      {"segname", "segment A"},
      {"serial", "id 1-100"},
      {"solvent", "water"},
      {"symbol", "element O"},
      {"waters", "water"},
      {"within", "within 0.35 of TERM"},
      {"beyond", "beyond 0.35 of TERM"},
      {"same", "same residue as TERM"},
      {"x", "x < 2"},
      {"y", "y < 2"},
      {"z", "z < 2"},
      {"mass", "mass > 12"},
      {"charge", "charge < 0"}};
  return terms;
}

std::string replaced(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

}  // namespace

std::string selection_hint(const std::string& word) {
  const auto foreign = foreign_terms().find(word);
  if (foreign != foreign_terms().end()) {
    return ": the term for '" + word + "' is '" + foreign->second + "'";
  }
  if (is_selection_keyword(lower_case(word))) {
    return ": did you mean " + lower_case(word) + "?";
  }
  if (word.find(',') != std::string::npos) {
    return ": separate names by blanks: " + replaced(word, ',', ' ');
  }
  if (word.find_first_of("@:") == 0 || word.find('@') != std::string::npos) {
    return ": masks of Amber are written as terms, such as resname WAT and name O";
  }
  return did_you_mean(word, term_words(), "the term ");
}

std::string range_hint(const std::string& word) {
  if (word == "to") {
    return ": write a range as 1-10";
  }
  const std::size_t sign = word.find_first_of(":,");
  return sign == std::string::npos
             ? ""
             : ": write " + replaced(word, word[sign], word[sign] == ':' ? '-' : ' ');
}

std::string distance_hint(const std::string& word) {
  const std::size_t letter = word.find_first_not_of("0123456789.");
  return letter == 0 || letter == std::string::npos
             ? ""
             : ": omit the unit (distances are in the file's length unit)";
}

std::string name_hint(const std::string& word, const std::string& rule) {
  const std::size_t colon = word.find(':');
  if (colon != std::string::npos && colon > 0) {
    return ": write " + word.substr(0, colon) + "=" +
           rule.substr(colon + 1, rule.find(';') - colon - 1);
  }
  const bool is_whole_rule = rule == word;
  const bool begins_term = is_selection_keyword(word) ||
                           foreign_terms().contains(word) ||
                           !nearest_word(word, term_words()).empty();
  if (begins_term) {
    return ": name the species, as in A=" + rule.substr(0, rule.find(';'));
  }
  return is_whole_rule ? ": did you mean --species \"" + word + "=" + word +
                             "\", or --pairs " + word + "-" + word + "?"
                       : "";
}

}  // namespace starhist::io
