#pragma once

#include <string>
#include <vector>

namespace starhist {

/// The `known` word that `word` probably means: one that differs from it in case, or in
/// at most one of three letters and at most 8 in all (wrong, missing, extra, or swapped
/// with its neighbour), or the only one that starts with `word` (three letters or
/// more). The first of those that are equally near; "" if none is near.
std::string nearest_word(const std::string& word,
                         const std::vector<std::string>& known);

/// End of a message: ": did you mean O?", with `before` in front of the nearest word;
/// "" if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& before = "");

/// The words for a message: "H, O"; the first of more than `most` words: "C1, C2, C3,
/// ... (800 in all)".
std::string listed(const std::vector<std::string>& words, std::size_t most = 12);

}  // namespace starhist
