// Compares two ways to count the same frames on several ranks:
//
//   units  work units, handed out by a thread of rank 0 (driver/ranks, driver/mpi), as
//          in starhist-mpi
//   redux  StarPU's MPI layer: the same tasks inserted on all ranks, frame f on rank
//          f % ranks, counts of a block reduced over ranks (starpu_mpi_redux_data)
//
//   mpirun -n 2 --bind-to none bench_rank_designs units|redux FRAMES PARTICLES BLOCK
//     SLOWER
//
// Frames are random points in a cube. The tasks of rank 1 take SLOWER times as long, by
// sleeping. Prints the time from the first to the last count, and a checksum of the
// counts of all blocks, which is equal for both ways.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <thread>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <starpu.h>
#include <starpu_mpi.h>

#include "driver/mpi/rank_service.hh"

namespace {

using namespace starhist;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t bins = 10'000;
std::uint64_t particles = 1500;
double slower = 1.0;

/// Adds all distances of frame `number`, of at most sqrt(3), to bins.
void count_frame(std::uint64_t number, std::uint64_t* counts) {
  const Clock::time_point start = Clock::now();
  std::uint64_t state = 0x9e3779b97f4a7c15ULL * (number + 1);
  std::vector<double> x(3 * particles);
  for (double& value : x) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    value = 0x1p-53 * static_cast<double>(state >> 11U);
  }
  for (std::size_t i = 0; i < particles; ++i) {
    for (std::size_t j = i + 1; j < particles; ++j) {
      double square = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double d = x[3 * i + k] - x[3 * j + k];
        square += d * d;
      }
      ++counts[static_cast<std::size_t>(std::sqrt(square) * (bins / 1.7320509))];
    }
  }
  if (slower > 1.0) {
    std::this_thread::sleep_for((slower - 1.0) * (Clock::now() - start));
  }
}

std::uint64_t* values(void* buffer) {
  return reinterpret_cast<std::uint64_t*>(STARPU_VECTOR_GET_PTR(buffer));
}

void count(void* buffers[], void* arguments) {
  std::uint64_t number = 0;
  starpu_codelet_unpack_args(arguments, &number);
  count_frame(number, values(buffers[0]));
}

void zero(void* buffers[], void*) {
  std::memset(values(buffers[0]), 0, sizeof(std::uint64_t) * bins);
}

void merge(void* buffers[], void*) {
  for (std::uint32_t k = 0; k < bins; ++k) {
    values(buffers[0])[k] += values(buffers[1])[k];
  }
}

starpu_codelet codelet(starpu_cpu_func_t function, const char* name,
                       std::vector<starpu_data_access_mode> modes) {
  starpu_codelet made;
  starpu_codelet_init(&made);
  made.cpu_funcs[0] = function;
  made.cpu_funcs_name[0] = name;
  made.name = name;
  made.nbuffers = static_cast<int>(modes.size());
  std::copy(modes.begin(), modes.end(), made.modes);
  return made;
}

starpu_codelet count_codelet = codelet(count, "count", {STARPU_REDUX});
starpu_codelet zero_codelet = codelet(zero, "zero", {STARPU_W});
starpu_codelet merge_codelet = codelet(merge, "merge", {STARPU_RW, STARPU_R});

/// Counts of all blocks, as one number.
class Checksum {
 public:
  void add(const std::vector<std::uint64_t>& counts) {
    for (const std::uint64_t count : counts) {
      value = (value ^ count) * 1099511628211ULL;
    }
  }
  std::uint64_t value = 1469598103934665603ULL;
};

HistogramLayout layout_of_bench() {
  HistogramLayout layout;
  layout.species = {"all"};
  layout.pairs = all_pairs(1);
  layout.bins = make_bins(1.7320509, bins);
  return layout;
}

/// A unit whose tasks are submitted.
struct Submitted {
  explicit Submitted(const driver::WorkUnit& unit) : counts(bins, 0) {
    result.unit = unit;
    result.end = unit.end;
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM,
                                reinterpret_cast<std::uintptr_t>(counts.data()), bins,
                                sizeof(std::uint64_t));
    starpu_data_set_reduction_methods(handle, &merge_codelet, &zero_codelet);
    for (std::uint64_t f = unit.begin; f < unit.end; ++f) {
      starpu_task_insert(&count_codelet, STARPU_VALUE, &f, sizeof f, STARPU_REDUX,
                         handle, 0);
      FrameFacts facts;
      facts.index = FrameIndex(f);
      facts.particle_number = {particles};
      facts.pairs = {particles * (particles - 1) / 2};
      facts.excluded = {0};
      result.frames.push_back(std::move(facts));
    }
  }
  driver::UnitCounts take() {
    starpu_data_unregister(handle);
    result.counts = {std::move(counts)};
    result.underflow = {0};
    result.out_of_range = {0};
    return std::move(result);
  }
  std::vector<std::uint64_t> counts;
  driver::UnitCounts result;
  starpu_data_handle_t handle = nullptr;
};

void count_units(driver::RankLink& link) {
  std::deque<driver::WorkUnit> units;
  std::deque<Submitted> submitted;
  bool more = true;
  while (more || !units.empty() || !submitted.empty()) {
    while (auto message = link.receive(
               std::chrono::milliseconds(units.empty() && submitted.empty() ? 1 : 0))) {
      if (const auto* unit = std::get_if<driver::WorkUnit>(&*message)) {
        units.push_back(*unit);
      } else {
        more = false;
      }
    }
    while (!units.empty() && submitted.size() < 2) {
      submitted.emplace_back(units.front());
      units.pop_front();
    }
    if (!submitted.empty()) {
      link.send(submitted.front().take());
      submitted.pop_front();
    }
  }
  link.send(driver::RankWork());
}

std::uint64_t run_units(driver::Communicator& ranks,
                        const driver::RankedFrames& frames) {
  Checksum sum;
  if (ranks.rank() != 0) {
    driver::MpiLink link(ranks);
    count_units(link);
    return 0;
  }
  const auto size = static_cast<std::uint32_t>(ranks.size());
  const driver::RankWeights weights(size, 1);
  driver::LocalLink link;
  driver::EndedRanks ended(size);
  const driver::RunHooks hooks;
  driver::RankService service(
      ranks, link,
      driver::Coordinator(
          size,
          driver::HandOut(driver::UnitCutter(frames, weights), weights,
                          driver::most_in_hand(frames, weights), 15 * size),
          driver::BlockAssembly(
              layout_of_bench(), frames.frames_per_block, frames.begin, frames.end, {},
              [&](BlockCounts&& block) { sum.add(block.counts[0]); })),
      hooks, 0, ended, [](const std::string& why) {
        std::fprintf(stderr, "%s\n", why.c_str());
        std::abort();
      });
  count_units(link);
  service.join();
  return sum.value;
}

std::uint64_t run_redux(const driver::Communicator& ranks,
                        const driver::RankedFrames& frames) {
  const std::uint64_t blocks = (frames.end - 1) / frames.frames_per_block + 1;
  std::vector<std::vector<std::uint64_t>> counts(blocks);
  std::vector<starpu_data_handle_t> handles(blocks);
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const bool own = ranks.rank() == 0;
    counts[b].assign(bins, 0);
    starpu_vector_data_register(
        &handles[b], own ? STARPU_MAIN_RAM : -1,
        own ? reinterpret_cast<std::uintptr_t>(counts[b].data()) : 0, bins,
        sizeof(std::uint64_t));
    starpu_mpi_data_register(handles[b], static_cast<starpu_mpi_tag_t>(b), 0);
    starpu_data_set_reduction_methods(handles[b], &merge_codelet, &zero_codelet);
    const std::uint64_t end = std::min(frames.end, (b + 1) * frames.frames_per_block);
    for (std::uint64_t f = b * frames.frames_per_block; f < end; ++f) {
      const int rank = static_cast<int>(f % static_cast<std::uint64_t>(ranks.size()));
      starpu_mpi_task_insert(MPI_COMM_WORLD, &count_codelet, STARPU_VALUE, &f, sizeof f,
                             STARPU_REDUX, handles[b], STARPU_EXECUTE_ON_NODE, rank, 0);
    }
    starpu_mpi_redux_data(MPI_COMM_WORLD, handles[b]);
  }
  starpu_mpi_wait_for_all(MPI_COMM_WORLD);
  Checksum sum;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    starpu_data_unregister(handles[b]);
    sum.add(counts[b]);
  }
  return sum.value;
}

}  // namespace

int main(int argc, char** argv) {
  driver::Communicator ranks(argc, argv);
  if (argc != 6) {
    std::fprintf(stderr,
                 "bench_rank_designs units|redux FRAMES PARTICLES BLOCK SLOWER\n");
    return 1;
  }
  const std::string design = argv[1];
  particles = std::strtoull(argv[3], nullptr, 10);
  slower = ranks.rank() == 1 ? std::strtod(argv[5], nullptr) : 1.0;
  const driver::RankedFrames frames{
      0, std::strtoull(argv[2], nullptr, 10),
      static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10)), 1};
  const bool redux = design == "redux";
  if ((redux ? starpu_mpi_init_conf(&argc, &argv, 0, MPI_COMM_WORLD, nullptr)
             : starpu_init(nullptr)) != 0) {
    std::fprintf(stderr, "StarPU does not start\n");
    return 2;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Clock::time_point start = Clock::now();
  const std::uint64_t sum = redux ? run_redux(ranks, frames) : run_units(ranks, frames);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  if (ranks.rank() == 0) {
    std::printf("%s %.3f s, counts %016llx\n", design.c_str(), elapsed.count(),
                static_cast<unsigned long long>(sum));
  }
  if (redux) {
    starpu_mpi_shutdown();
  } else {
    starpu_shutdown();
  }
  return 0;
}
