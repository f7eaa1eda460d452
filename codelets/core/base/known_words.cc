#include "codelets/core/base/known_words.hh"

#include <algorithm>

#include "codelets/core/base/text.hh"

namespace starhist {
namespace {

constexpr std::size_t letters_per_error = 3;
constexpr std::size_t least_beginning = 3;

/// Number of letters that are wrong, missing, extra or swapped with their neighbour:
/// the distance of optimal string alignment, by dynamic programming over prefixes.
std::size_t errors_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1);  // for a without its last two letters
  std::vector<std::size_t> last(b.size() + 1);    // for a without its last letter
  std::vector<std::size_t> now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    now[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t wrong = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + wrong});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
  }
  return now[b.size()];
}

}  // namespace

std::string nearest_word(const std::string& word,
                         const std::vector<std::string>& known) {
  const std::string meant = lower_case(word);
  std::string nearest;
  std::size_t least = meant.size() / letters_per_error + 1;
  std::string longer;
  std::size_t with_beginning = 0;
  for (const std::string& candidate : known) {
    const std::string other = lower_case(candidate);
    const std::size_t difference = meant.size() < other.size()
                                       ? other.size() - meant.size()
                                       : meant.size() - other.size();
    if (difference < least) {  // otherwise there are more errors
      const std::size_t errors = errors_between(meant, other);
      if (errors < least) {
        least = errors;
        nearest = candidate;
      }
    }
    if (meant.size() >= least_beginning && other.starts_with(meant)) {
      ++with_beginning;
      longer = candidate;
    }
  }
  return nearest.empty() && with_beginning == 1 ? longer : nearest;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& before) {
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? "" : ": did you mean " + before + nearest + "?";
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  if (words.size() <= most) {
    return join(words, ", ");
  }
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(most);
  return join({words.begin(), end}, ", ") + ", ... (" + grouped(words.size()) +
         " in all)";
}

}  // namespace starhist
