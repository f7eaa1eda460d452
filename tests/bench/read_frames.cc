// Microseconds per frame from the file into StarPU's memory, phase by phase, in wall
// time and summed over all processors:
//
//     bench_read_frames TRAJECTORY [READERS [COPYING_THREADS [FRAMES_PER_BUNDLE]]]
//
// read: one reader, frame after frame; stream: several readers, into a FrameStream;
// batches: the stream, and copied like in PairCounter with GPUs.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>

#include <starpu.h>

#include "driver/run/frames/frame_stream.hh"
#include "tasks/positions/batch_positions.hh"

namespace starhist {
namespace {

constexpr std::size_t bytes_ahead = 1U << 27U;  // as in rdf_command with GPUs

struct Settings {
  std::string path;
  unsigned readers = 2;
  unsigned copying_threads = 3;
  std::size_t frames_per_batch = 8;
};

template <class Work>
void report(const char* phase, std::uint64_t frames, Work work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor_start = std::clock();
  work();
  const std::chrono::duration<double, std::micro> elapsed =
      std::chrono::steady_clock::now() - start;
  const double processor = 1e6 * static_cast<double>(std::clock() - processor_start) /
                           static_cast<double>(CLOCKS_PER_SEC);
  const auto count = static_cast<double>(frames);
  std::printf("%s %.2f %.2f\n", phase, elapsed.count() / count, processor / count);
}

void drain(const Settings& settings, bool copy) {
  const auto open = [&] { return io::open_trajectory({settings.path}, {}); };
  const auto reader = open();
  tasks::ThreadPool team(settings.copying_threads);
  tasks::PinnedPool memory(false);
  report(copy ? "batches" : "stream", reader->info().frame_count, [&] {
    driver::FrameStream stream(*reader, {}, driver::BadFrames::fail,
                               {bytes_ahead, open, settings.readers});
    std::vector<Frame> batch;
    while (std::optional<Frame> frame = stream.next()) {
      batch.push_back(std::move(*frame));
      if (batch.size() == settings.frames_per_batch) {
        if (copy) {
          tasks::take_positions(batch, team, memory, tasks::PositionFacts::bounds);
        }
        for (Frame& used : batch) {
          stream.recycle(std::move(used));
        }
        batch.clear();
      }
    }
  });
}

void measure(const Settings& settings) {
  auto reader = io::open_trajectory({settings.path}, {});
  report("read", reader->info().frame_count, [&] {
    Frame frame;
    for (std::uint64_t k = 0; k < reader->info().frame_count; ++k) {
      reader->read(FrameIndex(k), frame);
    }
  });
  drain(settings, false);
  drain(settings, true);
}

}  // namespace
}  // namespace starhist

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr,
                 "usage: bench_read_frames TRAJECTORY [READERS [COPYING_THREADS "
                 "[FRAMES_PER_BUNDLE]]]\n");
    return 1;
  }
  const auto number = [&](int place, unsigned otherwise) {
    return count > place ? static_cast<unsigned>(std::atoi(arguments[place]))
                         : otherwise;
  };
  if (starpu_init(nullptr) != 0) {
    return 1;
  }
  starpu_pause();  // idle workers would take time from the others
  int status = 0;
  try {
    starhist::measure({arguments[1], number(2, 2), number(3, 3), number(4, 8)});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  starpu_resume();
  starpu_shutdown();
  return status;
}
