#include "codelets/core/base/known_words.hh"

#include <algorithm>

#include "codelets/core/base/text.hh"

namespace starhist {
namespace {

constexpr std::size_t letters_per_error = 3;
constexpr std::size_t most_errors = 8;
constexpr std::size_t least_beginning = 3;

std::size_t difference(std::size_t a, std::size_t b) {
  return a < b ? b - a : a - b;
}

/// Number of letters that are wrong, missing, extra or swapped with their neighbour:
/// the distance of optimal string alignment, by dynamic programming over prefixes.
/// Returns `limit` if there are at least that many: no later prefix has fewer once two
/// prefixes of `a` in a row have that many with every prefix of `b`.
std::size_t errors_between(const std::string& a, const std::string& b,
                           std::size_t limit) {
  if (difference(a.size(), b.size()) >= limit) {
    return limit;
  }
  // Prefixes whose lengths differ by `limit` have that many errors.
  std::vector<std::size_t> before(b.size() + 1, limit);  // for a without two letters
  std::vector<std::size_t> last(b.size() + 1, limit);    // for a without one letter
  std::vector<std::size_t> now(b.size() + 1, limit);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    now[j] = std::min(j, limit);
  }
  std::size_t rows_at_limit = 0;
  for (std::size_t i = 1; i <= a.size() && rows_at_limit < 2; ++i) {
    before.swap(last);
    last.swap(now);
    const std::size_t first = i < limit ? 1 : i - limit + 1;
    const std::size_t end = std::min(b.size() + 1, i + limit);
    now[first - 1] = first == 1 ? std::min(i, limit) : limit;
    std::size_t least = now[first - 1];
    for (std::size_t j = first; j < end; ++j) {
      const std::size_t wrong = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + wrong, limit});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
      least = std::min(least, now[j]);
    }
    rows_at_limit = least < limit ? 0 : rows_at_limit + 1;
  }
  return rows_at_limit < 2 ? now[b.size()] : limit;
}

}  // namespace

std::string nearest_word(const std::string& word,
                         const std::vector<std::string>& known) {
  const std::string meant = lower_case(word);
  std::string nearest;
  std::size_t least = std::min(meant.size() / letters_per_error, most_errors) + 1;
  std::string longer;
  bool several_longer = false;
  for (const std::string& candidate : known) {
    const bool may_be_longer =
        meant.size() >= least_beginning && candidate.size() >= meant.size();
    if (difference(meant.size(), candidate.size()) >= least && !may_be_longer) {
      continue;
    }
    const std::string other = lower_case(candidate);
    const std::size_t errors = errors_between(meant, other, least);
    if (errors < least) {
      least = errors;
      nearest = candidate;
    }
    if (may_be_longer && other.starts_with(meant)) {
      several_longer = several_longer || (!longer.empty() && candidate != longer);
      longer = candidate;
    }
  }
  return nearest.empty() && !several_longer ? longer : nearest;
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
