#pragma once

#include <string>
#include <vector>

namespace starhist {

/// Which of the `known` words was meant by `word`: one that differs from it in the case
/// of letters, or in at most one of three letters (wrong, missing, too many, or swapped
/// with its neighbour), or the only one that begins with `word` (three letters or
/// more). The first of those that are equally near; "" if none is near.
std::string nearest_word(const std::string& word,
                         const std::vector<std::string>& known);

/// For the end of a message: ": did you mean O?", with `before` in front of the nearest
/// word; "" if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& before = "");

/// The words for a message: "H, O", or of more than `most` the first ones:
/// "C1, C2, C3, ... (800 in all)".
std::string listed(const std::vector<std::string>& words, std::size_t most = 12);

}  // namespace starhist
