// g(r) of an ideal gas with libstarhist in C++: owned handles, exceptions.
//
//     rpath=-Wl,-rpath,$(pkg-config --variable=libdir libstarhist)
//     c++ first.cc $(pkg-config --cflags --libs libstarhist) $rpath -o first
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include <starhist.h>

namespace {

void check(starhist_status status) {
  if (status != STARHIST_OK) {
    throw std::runtime_error(starhist_last_error());
  }
}

struct Destroy {
  void operator()(starhist_context* context) const {
    starhist_context_destroy(context);
  }
  void operator()(starhist_histogram* histogram) const {
    starhist_histogram_destroy(histogram);
  }
};
using Context = std::unique_ptr<starhist_context, Destroy>;
using Histogram = std::unique_ptr<starhist_histogram, Destroy>;

Context make_context() {
  starhist_context* context = nullptr;
  check(starhist_context_create(-1, 0, nullptr, 0, &context));
  return Context(context);
}

Histogram make_histogram(const Context& context, double r_max, std::uint64_t bins) {
  starhist_histogram* histogram = nullptr;
  check(starhist_histogram_create(context.get(), r_max, bins, STARHIST_BOX_LENGTHS,
                                  &histogram));
  return Histogram(histogram);
}

/// A number in [0, 1), the same sequence in every language.
double random_number() {
  static std::int64_t state = 1;
  state = (1103515245 * state + 12345) % 2147483648;
  return static_cast<double>(state) / 2147483648.0;
}

void count() {
  constexpr std::size_t particles = 1000;
  constexpr std::size_t bins = 10;
  const Context context = make_context();
  const Histogram histogram = make_histogram(context, 0.5, bins);
  const double box[3] = {1.0, 1.0, 1.0};
  std::vector<double> positions(3 * particles);
  for (int frame = 0; frame < 20; ++frame) {
    for (double& coordinate : positions) {
      coordinate = random_number();
    }
    check(starhist_add_frame(histogram.get(), particles, positions.data(), 0, 0, box));
  }
  std::vector<std::uint64_t> counts(bins);
  std::vector<double> g(bins);
  std::uint64_t out_of_range = 0;
  check(starhist_get_counts(histogram.get(), STARHIST_ALL_BLOCKS, 0, bins,
                            counts.data(), &out_of_range, nullptr));
  check(starhist_get_g(histogram.get(), 0, STARHIST_PAIRS_OVER_VOLUME, bins, g.data(),
                       nullptr));
  for (std::size_t k = 0; k < bins; ++k) {
    std::printf("%10llu %8.4f\n", static_cast<unsigned long long>(counts[k]), g[k]);
  }
  std::printf("%10llu\n", static_cast<unsigned long long>(out_of_range));
}

}  // namespace

int main() {
  try {
    count();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
