// Passes frames to the library, like a simulation, prints their counts bin by bin, and
// writes the frames for comparison: count_consumer FRAMES.xyz
#include <cstdio>
#include <exception>
#include <fstream>
#include <iomanip>

#include "tasks/pair_counter.hh"

namespace {

/// Particles on a grid of 1/1024, which XYZ text represents exactly, in a cube of
/// length 1.
starhist::Frame make_frame(std::uint64_t index) {
  starhist::Frame frame;
  frame.index = starhist::FrameIndex(index);
  frame.box = starhist::Box({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {true, true, true});
  frame.positions.resize(1);
  for (std::uint64_t k = 0; k < 3 * 500; ++k) {
    const std::uint64_t cell = (k * k * 7919 + index * 104729 + k * 31) % 1024;
    frame.positions[0].push_back(static_cast<double>(cell) / 1024.0);
  }
  return frame;
}

void write_frame(std::ostream& out, const starhist::Frame& frame) {
  const std::vector<double>& xyz = frame.positions[0];
  out << xyz.size() / 3 << "\nframe\n" << std::fixed << std::setprecision(10);
  for (std::size_t k = 0; k < xyz.size(); k += 3) {
    out << "A " << xyz[k] << ' ' << xyz[k + 1] << ' ' << xyz[k + 2] << '\n';
  }
}

void count(const char* path) {
  const starhist::HistogramLayout layout{
      {"A"}, starhist::all_pairs(1), starhist::make_bins(0.75, 300)};
  starhist::tasks::Runtime runtime(starhist::tasks::CpuMode::core, {300});
  std::vector<std::uint64_t> sum(layout.bins.count);
  starhist::tasks::PairCounter counter(
      runtime, layout, {}, [&sum](starhist::BlockCounts&& block) {
        for (std::size_t bin = 0; bin < sum.size(); ++bin) {
          sum[bin] += block.counts[0][bin];
        }
      });
  std::ofstream file(path);
  for (std::uint64_t index = 0; index < 5; ++index) {
    starhist::Frame frame = make_frame(index);
    write_frame(file, frame);
    counter.add(std::move(frame));
  }
  counter.finish();
  for (const std::uint64_t pairs : sum) {
    std::printf("%llu\n", static_cast<unsigned long long>(pairs));
  }
}

}  // namespace

int main(int, char** arguments) {
  try {
    count(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
