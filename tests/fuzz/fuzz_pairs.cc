// Option --pairs: the first line has names of species, separated by blanks; the list of
// pairs follows.

#include <sstream>

#include "codelets/core/counting/species_pair.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  const std::string text(fuzz::text_of(data, size));
  const std::size_t end = text.find('\n');
  std::istringstream words(text.substr(0, end));
  std::vector<std::string> species;
  for (std::string word; words >> word;) {
    species.push_back(word);
  }
  fuzz::refuse_or([&] {
    for (const SpeciesPair& pair :
         parse_pairs(end == std::string::npos ? "" : text.substr(end + 1), species)) {
      pair_name(pair, species);
    }
  });
  return 0;
}
