#include "io/formats/gromacs/text/pdb_elements.hh"

#include <algorithm>
#include <utility>

#include "io/formats/gromacs/text/gromacs_text_index.hh"

namespace starhist::io {
namespace {

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

}  // namespace

bool PdbElements::add_line(std::string_view line) {
  if (line.starts_with("END") && !elements_.empty()) {
    return false;
  }
  if (is_pdb_atom(line)) {
    constexpr char case_bit = 'a' ^ 'A';
    std::string element;
    for (const char c : line.substr(std::min<std::size_t>(76, line.size()), 2)) {
      if (is_letter(c)) {
        element += static_cast<char>(element.empty() ? c & ~case_bit : c | case_bit);
      }
    }
    any_ = any_ || !element.empty();
    elements_.push_back(std::move(element));
  }
  return true;
}

std::vector<std::string> PdbElements::take() {
  return any_ ? std::move(elements_) : std::vector<std::string>();
}

}  // namespace starhist::io
