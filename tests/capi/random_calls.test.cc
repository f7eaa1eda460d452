// Random calls in random order, valid and invalid: none may crash or break a promise of
// starhist.h, and the final counts are those of the accepted frames. Arrays have their
// exact size, for the address sanitizer. Longer:
//   STARHIST_PROPERTY_SECONDS=600 build-asan/test_capi "random calls*"
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include "codelets/core/counting/pair_bin.hh"
#include "tests/capi/c_library.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/special_numbers.hh"

namespace starhist::testing {
namespace {

constexpr std::uint64_t untouched = 0x5eed5eed5eed5eed;

/// One of these values.
template <class Value>
Value one_of(Random& random, std::initializer_list<Value> values) {
  return *(values.begin() + static_cast<std::ptrdiff_t>(random.below(values.size())));
}

/// Outcomes of calls, over all histograms.
struct Tally {
  std::map<std::string, std::uint64_t> statuses;  ///< by name: number of calls
  std::uint64_t frames = 0;
  std::uint64_t pairs = 0;  ///< in bins
};

/// A histogram, its accepted input, and random calls.
class Caller {
 public:
  Caller(const TestContext& context, std::uint64_t seed, Tally& tally)
      : random_(seed), tally_(tally) {
    for (int tries = 0; histogram_ == nullptr; ++tries) {
      // In an endless loop of refusals, few calls are sufficient.
      const double r_max = tries > 3 ? 0.5
                                     : one_of(random_, {0.5, 0.9, 0.05, 1e300, 0.0,
                                                        -1.0, not_a_number, infinity});
      bins_ = tries > 3 ? 10
                        : one_of<std::uint64_t>(
                              random_, {1, 7, 500, 0, 1ULL << 31U, std::uint64_t(-1)});
      kind_ = tries > 3 ? 1 : one_of(random_, {0, 1, 2, 3, 1, 3, -1, 4});
      see(starhist_histogram_create(context.get(), r_max, bins_, kind_, &histogram_));
      r_max_ = r_max;
    }
  }
  ~Caller() { starhist_histogram_destroy(histogram_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  /// Any call, with any arguments.
  void call() {
    switch (random_.below(12)) {
      case 0:
        return set_species();
      case 1:
        return set_pairs();
      case 2:
        return set_labels();
      case 3:
        return set_species_counts();
      case 4:
        return set_settings();
      case 5:
        return random_.chance(0.1) ? reset() : read_results();
      case 6:
        return read_texts();
      default:
        return add_frame();
    }
  }

  /// Checks that the counts are those of all accepted frames.
  void check_counts() {
    std::uint64_t frames = 0;
    std::size_t pairs = 0;
    see(starhist_get_numbers(histogram_, &frames, nullptr, nullptr, &pairs, nullptr));
    REQUIRE(frames == frames_);
    tally_.frames += frames;
    for (std::size_t p = 0; p < pairs && frames > 0; ++p) {
      std::vector<std::uint64_t> counts(bins_);
      std::uint64_t out_of_range = 0;
      must(starhist_get_counts(histogram_, STARHIST_ALL_BLOCKS, p, bins_, counts.data(),
                               &out_of_range, nullptr));
      tally_.pairs += std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
      counts.push_back(out_of_range);
      std::size_t first = 0;
      std::size_t second = 0;
      must(starhist_get_pair_species(histogram_, p, &first, &second));
      REQUIRE(counts == expected(first, second));
    }
  }

 private:
  struct Particles {
    Box box;
    std::vector<double> xyz;
    std::vector<std::int32_t> species;
  };

  /// Checks that the status is documented and has a message, and is not an internal
  /// failure.
  starhist_status see(starhist_status status) {
    INFO(outcome(status));
    CHECK(std::string(starhist_status_name(status)) != "unknown status");
    CHECK(status != STARHIST_INTERNAL_ERROR);
    CHECK(status != STARHIST_STARPU_FAILED);
    CHECK(status != STARHIST_BROKEN);
    ++tally_.statuses[starhist_status_name(status)];
    if (status != STARHIST_OK) {
      CHECK(std::strlen(starhist_last_error()) > 10);
    }
    return status;
  }

  /// NULL occasionally.
  template <class Pointer>
  Pointer maybe(Pointer pointer) {
    return random_.chance(0.03) ? nullptr : pointer;
  }
  starhist_histogram* handle() { return maybe(histogram_); }

  std::string name() {
    return one_of<std::string>(random_, {"A", "B", "O", "H", "", "A-B", "-", "\n", "Ä",
                                         "all", std::string(5000, 'x'), "%s%n"});
  }

  void set_species() {
    const std::vector<std::string> names{name(), name(), name()};
    std::vector<const char*> texts;
    const std::size_t count = random_.below(4);
    for (std::size_t k = 0; k < count; ++k) {
      texts.push_back(maybe(names[k].c_str()));
    }
    if (see(starhist_set_species(handle(), count, maybe(texts.data()))) ==
        STARHIST_OK) {
      CHECK(frames_ == 0);
      species_ = count;
      by_labels_ = false;
      labels_.clear();
      counts_.clear();
    }
  }

  void set_pairs() {
    std::string text;
    for (std::uint64_t k = random_.below(4); k-- > 0;) {
      text += name() + one_of(random_, {"-", "-", "", ","}) + name() +
              one_of(random_, {"", ",", ", "});
    }
    see(starhist_set_pairs(handle(), maybe(text.c_str())));
  }

  void set_labels() {
    std::vector<std::int32_t> labels(random_.below(20));
    for (std::int32_t& label : labels) {
      label = static_cast<std::int32_t>(random_.below(species_ + 1)) - 1;
      if (random_.chance(0.01)) {
        label = one_of(random_, {-2, 5, std::numeric_limits<std::int32_t>::min()});
      }
    }
    const std::int32_t* given = maybe(labels.data());
    if (see(starhist_set_labels(handle(), labels.size(), given)) == STARHIST_OK) {
      labels_ = given == nullptr ? std::vector<std::int32_t>{} : labels;
      by_labels_ = true;
      counts_.assign(species_, 0);
    }
  }

  void set_species_counts() {
    std::vector<std::uint64_t> counts(random_.chance(0.9) ? species_
                                                          : random_.below(5));
    for (std::uint64_t& count : counts) {
      count = random_.chance(0.97)
                  ? random_.below(9)
                  : one_of<std::uint64_t>(random_, {1ULL << 31U, std::uint64_t(-1)});
    }
    if (see(starhist_set_species_counts(handle(), counts.size(),
                                        maybe(counts.data()))) == STARHIST_OK) {
      counts_ = counts;
      by_labels_ = false;
    }
  }

  void set_settings() {
    const auto flag = [&] { return static_cast<int>(random_.below(2)); };
    const std::array<int, 3> periodic{flag(), flag(), flag()};
    if (see(starhist_set_periodic(handle(), periodic[0], periodic[1], periodic[2])) ==
        STARHIST_OK) {
      periodic_ = {periodic[0] != 0, periodic[1] != 0, periodic[2] != 0};
    }
    see(starhist_set_frames_per_block(handle(),
                                      one_of(random_, {0U, 1U, 3U, 100U, ~0U})));
    see(starhist_set_expected_frames(
        handle(), one_of<std::uint64_t>(random_, {0, 1, 1000, std::uint64_t(-1)})));
    see(starhist_set_memory(
        handle(), one_of<std::uint64_t>(random_, {0, 1ULL << 30U, 1ULL << 40U})));
    const std::string length = name();
    see(starhist_set_units(handle(), maybe(length.c_str()), maybe("ps")));
    see(starhist_set_time(handle(), std::numeric_limits<std::int64_t>::min(),
                          one_of(random_, {0.0, not_a_number, infinity})));
  }

  void reset() {
    if (see(starhist_reset(handle())) == STARHIST_OK) {
      frames_ = 0;
      accepted_.clear();
    }
  }

  double number(double usual) {
    return random_.chance(0.995) ? usual
                                 : one_of(random_, {not_a_number, infinity, -usual, 0.0,
                                                    1e300, 1e-300, 1e9});
  }

  std::vector<double> box_numbers() {
    switch (kind_) {
      case STARHIST_BOX_LENGTHS:
        return {number(1.0), number(1.1), number(0.9)};
      case STARHIST_BOX_ANGLES:
        return {number(1.0), number(1.1), number(0.9),
                number(90),  number(75),  number(100)};
      case STARHIST_BOX_MATRIX:
        return {number(1.0), 0.0,         0.0, number(0.3), number(1.0),
                0.0,         number(0.2), 0.1, number(1.0)};
      default:
        return {};
    }
  }

  Box model_box(const std::vector<double>& n) const {
    if (kind_ == STARHIST_BOX_NONE) {
      return {};
    }
    std::array<Vec3, 3> edges{};
    if (kind_ == STARHIST_BOX_ANGLES) {
      edges =
          Box::from_lengths_and_angles({n[0], n[1], n[2]}, {n[3], n[4], n[5]}).edges();
      return Box(edges, periodic_);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (!periodic_[k]) {
        continue;
      }
      edges[k] =
          kind_ == STARHIST_BOX_MATRIX
              ? Vec3{n[3 * k], n[3 * k + 1], n[3 * k + 2]}
              : Vec3{k == 0 ? n[0] : 0.0, k == 1 ? n[1] : 0.0, k == 2 ? n[2] : 0.0};
    }
    return Box(edges, periodic_);
  }

  std::size_t usual_particles() const {
    if (by_labels_) {
      return labels_.size();
    }
    std::size_t sum = 0;
    for (const std::uint64_t count : counts_) {
      sum += count;
    }
    return sum;
  }

  void add_frame() {
    std::size_t particles = usual_particles();
    if (random_.chance(0.1) || (counts_.empty() && species_ == 1)) {
      particles = random_.below(25);
    }
    if (random_.chance(0.01)) {
      particles =
          one_of<std::size_t>(random_, {std::size_t(-1), std::size_t(1) << 40U});
      see(starhist_add_frame(handle(), particles, nullptr, 0, 0, nullptr));
      return;
    }
    std::vector<double> xyz(3 * particles);
    for (double& x : xyz) {
      x = random_.uniform(-2, 3);
      x = random_.chance(0.999) ? x : number(not_a_number);
    }
    random_.chance(0.5) ? add<double>(xyz) : add<float>(xyz);
  }

  /// Passes an array of exact size, with strides that may be negative, odd, or leave
  /// gaps.
  template <class Real>
  void add(const std::vector<double>& xyz) {
    const std::size_t particles = xyz.size() / 3;
    const std::ptrdiff_t gap = one_of<std::ptrdiff_t>(random_, {0, 0, 1, 8, 5});
    const auto size = static_cast<std::ptrdiff_t>(sizeof(Real));
    const bool by_component = random_.chance(0.5);
    const auto count = static_cast<std::ptrdiff_t>(particles);
    std::ptrdiff_t component = by_component ? (size + gap) * count : size + gap;
    std::ptrdiff_t particle = by_component ? size + gap : 3 * (size + gap);
    const std::size_t bytes =
        particles == 0 ? 0 : static_cast<std::size_t>(3 * (size + gap) * count - gap);
    const auto memory = std::make_unique<char[]>(bytes);
    const bool backwards = random_.chance(0.3) && particles > 0;
    char* begin = memory.get() + (backwards ? particle * (count - 1) : 0);
    particle = backwards ? -particle : particle;
    Particles frame;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      for (std::ptrdiff_t c = 0; c < 3; ++c) {
        const auto value = static_cast<Real>(xyz[static_cast<std::size_t>(3 * i + c)]);
        std::memcpy(begin + i * particle + c * component, &value, sizeof value);
        frame.xyz.push_back(value);
      }
    }
    if (gap == 0 && !by_component && !backwards && random_.chance(0.5)) {
      particle = component = 0;
    }
    const std::vector<double> box = box_numbers();
    const double* given_box = kind_ == STARHIST_BOX_NONE && random_.chance(0.95)
                                  ? nullptr
                                  : maybe(box.data());
    const auto* positions = reinterpret_cast<const Real*>(maybe(begin));
    starhist_status status = STARHIST_OK;
    if constexpr (std::is_same_v<Real, float>) {
      status = starhist_add_frame_float(handle(), particles, positions, particle,
                                        component, given_box);
    } else {
      status = starhist_add_frame(handle(), particles, positions, particle, component,
                                  given_box);
    }
    if (see(status) == STARHIST_OK) {
      ++frames_;
      frame.box = model_box(box);
      for (std::size_t i = 0; i < particles; ++i) {
        frame.species.push_back(species_of(i));
      }
      accepted_.push_back(std::move(frame));
    }
  }

  std::int32_t species_of(std::size_t particle) const {
    if (by_labels_) {
      return labels_[particle];
    }
    std::int32_t species = 0;
    for (const std::uint64_t count : counts_) {
      if (particle < count) {
        return species;
      }
      particle -= count;
      ++species;
    }
    return 0;
  }

  std::vector<std::uint64_t> expected(std::size_t first, std::size_t second) const {
    const UniformBins bins = make_bins(r_max_, bins_);
    std::vector<std::uint64_t> counts(bins_ + 1);
    const auto is = [](std::int32_t label, std::size_t species) {
      return label >= 0 && static_cast<std::size_t>(label) == species;
    };
    for (const Particles& frame : accepted_) {
      const auto at = [&](std::size_t i) {
        return Vec3{frame.xyz[3 * i], frame.xyz[3 * i + 1], frame.xyz[3 * i + 2]};
      };
      for (std::size_t i = 0; i < frame.species.size(); ++i) {
        for (std::size_t j = 0; j < frame.species.size(); ++j) {
          const bool wanted = is(frame.species[i], first) &&
                              is(frame.species[j], second) &&
                              (first != second || i < j);
          if (wanted) {
            ++counts[pair_bin(frame.box.minimum_image(), bins, at(i), at(j))];
          }
        }
      }
    }
    return counts;
  }

  /// Reads with valid and invalid sizes and numbers. A refused call must not write.
  void read_results() {
    const std::size_t pair = random_.below(4);
    const std::size_t size = random_.chance(0.8) ? bins_ : random_.below(600);
    const std::uint64_t block =
        one_of<std::uint64_t>(random_, {STARHIST_ALL_BLOCKS, 0, 1, 77});
    std::vector<std::uint64_t> counts(size, untouched);
    std::uint64_t out_of_range = untouched;
    std::uint64_t pairs = untouched;
    if (see(starhist_get_counts(handle(), block, pair, size, counts.data(),
                                &out_of_range, &pairs)) == STARHIST_OK) {
      std::uint64_t sum = out_of_range;
      for (const std::uint64_t count : counts) {
        sum += count;
      }
      CHECK(sum == pairs);
    } else {
      CHECK(counts == std::vector<std::uint64_t>(size, untouched));
      CHECK(out_of_range == untouched);
    }
    std::vector<double> g(size, 7.0);
    std::vector<double> errors(size, 7.0);
    if (see(starhist_get_g(handle(), pair, one_of(random_, {0, 1, 2, 3, -1}), size,
                           maybe(g.data()), maybe(errors.data()))) != STARHIST_OK) {
      CHECK(g == std::vector<double>(size, 7.0));
    }
    see(starhist_get_coordination(handle(), pair, one_of(random_, {0, 1, 2}), size,
                                  maybe(g.data()), maybe(errors.data())));
    const char* text = nullptr;
    if (see(starhist_get_error_warning(handle(), maybe(&text))) == STARHIST_OK) {
      CHECK(text != nullptr);
    }
    std::vector<double> edges(random_.chance(0.8) ? bins_ + 1 : random_.below(600));
    see(starhist_get_edges(handle(), edges.size(), maybe(edges.data())));
    starhist_block sums{};
    see(starhist_get_block(handle(), block, maybe(&sums)));
    see(starhist_get_particles(handle(), block, random_.below(4), maybe(&pairs)));
    see(starhist_get_pairs_over_volume(handle(), block, pair, maybe(edges.data())));
  }

  void read_texts() {
    const char* text = nullptr;
    const char* value = nullptr;
    std::size_t number = 0;
    const std::string pair = name() + "-" + name();
    see(starhist_get_pair_name(handle(), random_.below(5), maybe(&text)));
    see(starhist_get_species_name(handle(), random_.below(5), maybe(&text)));
    see(starhist_find_pair(handle(), maybe(pair.c_str()), maybe(&number)));
    see(starhist_get_provenance(handle(), random_.below(12), &text, &value));
    see(starhist_get_settings(handle(), nullptr, nullptr, &text, maybe(&value)));
  }

  Random random_;
  Tally& tally_;
  starhist_histogram* histogram_ = nullptr;
  double r_max_ = 0.0;
  std::uint64_t bins_ = 0;
  int kind_ = 0;
  std::array<bool, 3> periodic_{true, true, true};

  std::size_t species_ = 1;
  bool by_labels_ = false;
  std::vector<std::int32_t> labels_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t frames_ = 0;
  std::vector<Particles> accepted_;
};

TEST_CASE("random calls of the C library in random order") {
  const char* wish = std::getenv("STARHIST_PROPERTY_SECONDS");
  const std::chrono::seconds seconds(wish == nullptr ? 2 : std::atoi(wish));
  const auto begin = std::chrono::steady_clock::now();
  const TestContext context;
  std::uint64_t seed = 0;
  Tally tally;
  do {
    INFO("seed " << seed);
    Caller caller(context, seed++, tally);
    for (int k = 0; k < 60; ++k) {
      caller.call();
    }
    caller.check_counts();
  } while (std::chrono::steady_clock::now() - begin < seconds || seed < 100);
  CHECK(tally.frames > 5 * seed);
  CHECK(tally.pairs > 50 * seed);  // 117 seeds have 99.8 on average
  for (const char* status :
       {"STARHIST_OK", "STARHIST_NULL_POINTER", "STARHIST_BAD_ARGUMENT",
        "STARHIST_UNKNOWN_PAIR", "STARHIST_BAD_POSITION", "STARHIST_BAD_BOX",
        "STARHIST_BAD_COUNT", "STARHIST_BAD_LABEL", "STARHIST_BAD_SIZE",
        "STARHIST_WRONG_STATE", "STARHIST_NO_VOLUME", "STARHIST_NO_FRAMES"}) {
    INFO(status);
    CHECK(tally.statuses[status] > 0);
  }
  if (seconds.count() > 10) {
    std::cout << seed << " histograms, " << tally.frames << " frames, " << tally.pairs
              << " pairs in bins\n";
    for (const auto& [status, calls] : tally.statuses) {
      std::cout << "  " << status << ": " << calls << " calls\n";
    }
  }
}

}  // namespace
}  // namespace starhist::testing
