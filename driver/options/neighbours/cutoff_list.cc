#include "driver/options/neighbours/cutoff_list.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/options/option_values.hh"

namespace starhist::driver {
namespace {

/// Text of a cut-off at the first minimum of g(r).
constexpr const char* minimum = "min";

/// Places the cut-off at an edge of the bins.
NeighbourShell with_cutoff(NeighbourShell shell, double cutoff,
                           const std::optional<UniformBins>& bins) {
  if (!bins) {
    shell.bins = make_bins(cutoff, 1);
    shell.edge = 1;
    return shell;
  }
  shell.bins = *bins;
  constexpr double rounding = 1e-9;  // of a decimal cut-off [bins]
  const double edge = std::round(cutoff * bins->inverse_width);
  if (!(edge >= 1.0 && edge <= bins->count) ||
      std::abs(cutoff * bins->inverse_width - edge) > rounding) {
    const double below =
        std::min(std::floor(cutoff * bins->inverse_width), bins->count - 1.0);
    const auto lower = static_cast<std::uint32_t>(std::max(1.0, below));
    throw InputError("--cutoff " + number_text(cutoff) +
                     " is not an edge of the bins of --r-max and --bins (a cut-off is "
                     "placed at an edge): give " +
                     number_text(bins->edge(lower)) + " or " +
                     number_text(bins->edge(std::min(lower + 1, bins->count))) +
                     ", or omit --r-max and --bins");
  }
  shell.edge = static_cast<std::uint32_t>(edge);
  return shell;
}

bool is_number(const std::string& word) {
  try {
    parse_number("--cutoff", word);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// The shell of an ordered pair, without its cut-off.
NeighbourShell parse_shell(const std::string& text,
                           const std::vector<std::string>& species) {
  const SpeciesPair pair = parse_pairs(text, species).front();
  const std::string& first = species[pair.first.index()];
  const std::string& second = species[pair.second.index()];
  const bool forward =
      text == first + "-" + second || text == "(" + first + ")-(" + second + ")";
  return forward ? NeighbourShell{pair.first, pair.second, {}, 1}
                 : NeighbourShell{pair.second, pair.first, {}, 1};
}

/// All ordered pairs.
std::vector<NeighbourShell> all_shells(std::size_t species) {
  std::vector<NeighbourShell> shells;
  for (std::uint32_t a = 0; a < species; ++a) {
    for (std::uint32_t b = 0; b < species; ++b) {
      shells.push_back({SpeciesId(a), SpeciesId(b), {}, 1});
    }
  }
  return shells;
}

}  // namespace

CutoffList::CutoffList(const std::string& pairs, const std::string& cutoffs) {
  if (cutoffs.empty()) {
    throw InputError(
        "--cutoff is missing (give a distance for all pairs, such as --cutoff 0.35, or "
        "one per pair: --cutoff O-H=0.245,O-O=0.35; starhist peaks lists the minima of "
        "g(r))");
  }
  const auto parse = [this](const std::string& text) -> std::optional<double> {
    if (text == minimum) {
      return std::nullopt;
    }
    const double cutoff = parse_length("--cutoff", text);
    largest_ = std::max(largest_, cutoff);
    return cutoff;
  };
  const std::vector<std::string> words = split_list(cutoffs);
  if (words.size() == 2 && is_number(words[0]) && is_number(words[1])) {
    parse_number("--cutoff", cutoffs);  // refuses 0,35 and proposes 0.35
  }
  std::vector<Entry> given;
  std::string pair;  // its name may contain commas
  for (const std::string& word : words) {
    const std::size_t sign = word.rfind('=');
    if (sign != std::string::npos) {
      pair += word.substr(0, sign);
      if (std::any_of(given.begin(), given.end(),
                      [&](const Entry& entry) { return entry.pair == pair; })) {
        throw InputError("--cutoff lists " + pair +
                         " twice (a pair has one cut-off): remove one of them");
      }
      given.push_back({pair, parse(word.substr(sign + 1)), {}});
      pair.clear();
    } else if (pair.empty() && !has_for_all() && word == minimum) {
      minimum_for_all_ = true;
    } else if (pair.empty() && !has_for_all() && is_number(word)) {
      for_all_ = parse(word);
    } else {
      pair += word + ",";
    }
  }
  if (!pair.empty()) {
    throw InputError("--cutoff " + pair.substr(0, pair.size() - 1) +
                     " is neither a distance nor A-B=R, such as O-H=0.245");
  }
  if (pairs.empty()) {
    if (has_for_all() && !given.empty()) {
      throw InputError("--cutoff " + cutoffs +
                       " has a distance without a pair (it would apply to the other "
                       "pairs of --pairs): give --pairs, or remove it");
    }
    entries_ = std::move(given);
    return;
  }
  const std::vector<std::string> names = split_list(pairs);
  for (const Entry& entry : given) {
    if (std::find(names.begin(), names.end(), entry.pair) == names.end()) {
      throw InputError("--cutoff has a distance for " + entry.pair +
                       ", which is not in --pairs " + pairs +
                       " (O-H and H-O differ): add it to --pairs, or omit --pairs");
    }
  }
  for (const std::string& name : names) {
    const auto own = std::find_if(given.begin(), given.end(), [&](const Entry& entry) {
      return entry.pair == name;
    });
    if (own == given.end() && !has_for_all()) {
      throw InputError("--pairs " + name + " has no cut-off: add " + name +
                       "=R to --cutoff");
    }
    entries_.push_back({name, own == given.end() ? for_all_ : own->cutoff, {}});
  }
}

std::string CutoffList::pair_names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    names.push_back(entry.pair);
  }
  return join(names, ",");
}

std::vector<std::string> CutoffList::pairs_of_minima() const {
  if (minimum_for_all_ && entries_.empty()) {
    throw InputError(
        "--cutoff min needs the pairs whose minima it means: list them with --pairs, "
        "such as --pairs O-O,O-H");
  }
  std::vector<std::string> pairs;
  for (const Entry& entry : entries_) {
    if (!entry.cutoff) {
      pairs.push_back(entry.pair);
    }
  }
  return pairs;
}

void CutoffList::set_minima(const std::vector<CutoffEdge>& minima) {
  auto next = minima.begin();
  for (Entry& entry : entries_) {
    if (!entry.cutoff) {
      entry.edge = *next++;
      largest_ = std::max(largest_, entry.edge->bins.edge(entry.edge->edge));
    }
  }
}

std::vector<NeighbourShell> CutoffList::shells(
    const std::vector<std::string>& species,
    const std::optional<UniformBins>& bins) const {
  std::vector<NeighbourShell> shells;
  if (entries_.empty()) {
    for (const NeighbourShell& shell : all_shells(species.size())) {
      shells.push_back(with_cutoff(shell, *for_all_, bins));
    }
    return shells;
  }
  for (const Entry& entry : entries_) {
    NeighbourShell shell = parse_shell(entry.pair, species);
    if (std::any_of(shells.begin(), shells.end(), [&](const NeighbourShell& known) {
          return known.centre == shell.centre && known.neighbour == shell.neighbour;
        })) {
      throw InputError("pair " + shell_name(shell, species) +
                       " is given twice (a pair has one cut-off): remove one of them");
    }
    if (entry.edge) {
      shell.bins = entry.edge->bins;
      shell.edge = entry.edge->edge;
      shells.push_back(shell);
    } else {
      shells.push_back(with_cutoff(shell, entry.cutoff.value(), bins));
    }
  }
  return shells;
}

}  // namespace starhist::driver
