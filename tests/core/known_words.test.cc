#include "codelets/core/base/known_words.hh"

#include <chrono>

#include "tests/support/catch.hh"

namespace starhist {
namespace {

using Words = std::vector<std::string>;

const Words options{"r-max", "r-min", "bins", "bin-width", "output", "structure"};

TEST_CASE("the nearest word has at most one of three letters wrong") {
  CHECK(nearest_word("rmax", options) == "r-max");
  CHECK(nearest_word("r_max", options) == "r-max");
  CHECK(nearest_word("r-mni", options) == "r-min");  // swapped
  CHECK(nearest_word("bin", options) == "bins");
  CHECK(nearest_word("binwdith", options) == "bin-width");
  CHECK(nearest_word("strcuture", options) == "structure");
  CHECK(nearest_word("frobnicate", options) == "");
  CHECK(nearest_word("b", options) == "");
  CHECK(nearest_word("", options) == "");
  CHECK(nearest_word("r-max", {}) == "");
}

TEST_CASE("exactly one of three letters is near, one of two is not") {
  CHECK(nearest_word("abx", {"abc"}) == "abc");
  CHECK(nearest_word("axx", {"abc"}) == "");
  CHECK(nearest_word("abcdxx", {"abcdef"}) == "abcdef");
  CHECK(nearest_word("abcxxx", {"abcdef"}) == "");
  CHECK(nearest_word("ax", {"ab"}) == "");
}

TEST_CASE("at most eight letters of a long word are wrong") {
  const std::string word = "abcdefghijklmnopqrstuvwxyz0123456789";
  const auto with_errors = [&](std::size_t errors) {
    return std::string(errors, '#') + word.substr(errors);
  };
  CHECK(nearest_word(with_errors(8), {word}) == word);
  CHECK(nearest_word(with_errors(9), {word}) == "");
  CHECK(nearest_word("########" + word, {word}) == word);
  CHECK(nearest_word("#########" + word, {word}) == "");
  CHECK(nearest_word(word.substr(8), {word}) == word);
  CHECK(nearest_word(word.substr(9), {word}) == "");
  const std::string swapped = word.substr(0, 34) + "98";
  CHECK(nearest_word("#######" + swapped, {word}) == word);
  CHECK(nearest_word("########" + swapped, {word}) == "");
}

TEST_CASE("words of a hundred thousand letters are compared in little time") {
  const auto start = std::chrono::steady_clock::now();
  CHECK(nearest_word(std::string(100000, 'a'), {std::string(100007, 'b')}) == "");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  CHECK(time.count() < 5);  // all pairs of their letters take longer
}

TEST_CASE("case is ignored, also in short words") {
  CHECK(nearest_word("na", {"O", "H", "Na"}) == "Na");
  CHECK(nearest_word("o", {"O", "H"}) == "O");
  CHECK(nearest_word("CL", {"C", "Cl"}) == "Cl");
}

TEST_CASE("a prefix is sufficient if it is unique") {
  CHECK(nearest_word("out", options) == "output");
  CHECK(nearest_word("struct", options) == "structure");
  CHECK(nearest_word("ou", options) == "");
  CHECK(nearest_word("abc", {"abcdefgh", "abcdefxy"}) == "");
  CHECK(nearest_word("abc", {"abcdefgh", "x", "abcdefgh"}) == "abcdefgh");
}

TEST_CASE("a nearer word is preferred, then the first of equally near ones") {
  CHECK(nearest_word("bond", {"bands", "bonds", "bind"}) == "bonds");
  CHECK(nearest_word("r-mxn", {"r-min", "r-max"}) == "r-min");
  CHECK(nearest_word("abc", {"abcdefgh", "abd"}) == "abd");
}

TEST_CASE("did you mean") {
  CHECK(did_you_mean("rmax", options, "--") == ": did you mean --r-max?");
  CHECK(did_you_mean("infp", {"info"}) == ": did you mean info?");
  CHECK(did_you_mean("frobnicate", options).empty());
}

TEST_CASE("long lists of words show the first ones") {
  CHECK(listed({}) == "");
  CHECK(listed({"H", "O"}) == "H, O");
  CHECK(listed({"A", "B", "C"}, 3) == "A, B, C");
  CHECK(listed({"A", "B", "C", "D"}, 3) == "A, B, C, ... (4 in all)");
  CHECK(listed(Words(1234, "X"), 1) == "X, ... (1 234 in all)");
}

}  // namespace
}  // namespace starhist
