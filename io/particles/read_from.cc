#include "io/particles/read_from.hh"

#include <algorithm>

namespace starhist::io {
void add_phrase(const std::string& phrase, std::string& all) {
  if (phrase.empty() || phrase == all || all.starts_with(phrase + "; ") ||
      all.ends_with("; " + phrase) ||
      all.find("; " + phrase + "; ") != std::string::npos) {
    return;
  }
  all += (all.empty() ? "" : "; ") + phrase;
}

void add_read_from(const ReadFrom& file, ReadFrom& all) {
  for (const auto part : {&ReadFrom::box, &ReadFrom::periodic, &ReadFrom::names,
                          &ReadFrom::elements, &ReadFrom::elements_by_rule,
                          &ReadFrom::residues, &ReadFrom::times, &ReadFrom::units}) {
    add_phrase(file.*part, all.*part);
  }
  for (const std::string& assumption : file.assumptions) {
    if (std::find(all.assumptions.begin(), all.assumptions.end(), assumption) ==
        all.assumptions.end()) {
      all.assumptions.push_back(assumption);
    }
  }
}

ReadFrom seen_in_frames(ReadFrom from, bool any_box, bool any_time) {
  const std::string the_file = "the file";  // default of complete_read_from()
  if (!any_box && from.box == the_file) {
    from.box = "none";
    from.periodic = "none";
  }
  if (!any_time && from.times == the_file) {
    from.times = "none";
  }
  return from;
}

}  // namespace starhist::io
