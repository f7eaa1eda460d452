// The counting codelet in isolation: buffers and arguments in, counts and errors out.
#include "codelets/count_pairs_codelet.hh"

#include "codelets/core/base/error.hh"
#include "codelets/merge_counts_codelet.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/pair_problem.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

using testing::Counts;
using testing::difference;
using testing::PairProblem;

struct Starpu {
  Starpu() {
    environment.set("STARPU_NCPU", "1");
    environment.set("STARPU_SILENT", "1");
    if (starpu_init(nullptr) != 0) {
      throw std::runtime_error("StarPU does not start");
    }
  }
  ~Starpu() { starpu_shutdown(); }

  testing::StarpuEnvironment environment;
};

codelets::FrameSlice part_of(const PairProblem& problem, std::uint64_t row_begin,
                             std::uint64_t row_end) {
  const kernels::PairBlock block = problem.block();
  codelets::FrameSlice slice;
  slice.image = problem.box.minimum_image();
  slice.first_count = block.first.count;
  slice.second_count = block.second.count;
  slice.row_begin = row_begin;
  slice.row_end = row_end;
  return slice;
}

/// Counts of one task over the parts, added to the contents of `counts`.
void run_task(starpu_codelet* codelet, PairProblem& problem,
              codelets::RunStatus& status,
              const std::vector<codelets::FrameSlice>& slices, std::uint64_t pairs,
              Counts& counts) {
  const auto handle_of = [](auto& values) {
    starpu_data_handle_t handle = nullptr;
    starpu_vector_data_register(
        &handle, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(values.data()),
        static_cast<std::uint32_t>(values.size()), sizeof(values.front()));
    return handle;
  };
  codelets::CountPairsArgs args;
  args.size = {pairs, pairs, pairs, problem.bins.count,
               static_cast<std::uint32_t>(slices.size())};
  args.bins = problem.bins;
  args.kind = problem.like ? perfmodels::PairKind::like : perfmodels::PairKind::unlike;
  args.status = &status;
  std::vector<starpu_data_handle_t> handles{handle_of(problem.first)};
  if (!problem.like) {
    handles.push_back(handle_of(problem.second));
  }
  handles.push_back(handle_of(counts));
  starpu_data_set_reduction_methods(handles.back(), codelets::merge_counts_codelet(),
                                    codelets::zero_counts_codelet());
  starpu_task* task = starpu_task_create();
  task->cl = codelet;
  codelets::set_task_args(*task, args, slices);
  std::copy(handles.begin(), handles.end(), task->handles);
  REQUIRE(starpu_task_submit(task) == 0);
  for (const starpu_data_handle_t handle : handles) {
    starpu_data_unregister(handle);  // waits for the task
  }
}

TEST_CASE("a task adds the counts of its parts") {
  testing::Random random(111);
  for (const bool like : {true, false}) {
    const Starpu starpu;
    codelets::CountPairsCodelet codelet(
        {like ? perfmodels::PairKind::like : perfmodels::PairKind::unlike,
         perfmodels::Geometry::triclinic_far, 100, "test", 1});
    PairProblem problem = testing::random_problem(
        random, testing::rhombic_dodecahedron(), 0.7, 100, 60, like);
    codelets::RunStatus status(starpu_worker_get_count());
    Counts counts = testing::reference_counts(problem);
    Counts expected = counts;
    for (std::uint64_t& count : expected) {
      count *= 2;
    }
    run_task(codelet.get(), problem, status,
             {part_of(problem, 0, 13), part_of(problem, 13, 60)},
             problem.block().pair_count(), counts);
    status.rethrow_error();
    CHECK(difference(counts, expected) == "");
  }
}

TEST_CASE("a task fails if it counts another number of pairs than expected") {
  const testing::StarpuEnvironment environment;
  environment.set("STARPU_NCUDA", "0");  // which GPU counts is not known in advance
  const Starpu starpu;
  codelets::CountPairsCodelet codelet(
      {perfmodels::PairKind::like, perfmodels::Geometry::open, 10, "test", 1});
  testing::Random random(112);
  PairProblem problem = testing::random_problem(random, Box(), 1.0, 10, 20, true);
  codelets::RunStatus status(starpu_worker_get_count());
  Counts counts(11);
  run_task(codelet.get(), problem, status, {part_of(problem, 0, 20)}, 191, counts);
  CHECK(status.stopped());
  CHECK(testing::missing(
            testing::error_text<InternalError>([&] { status.rethrow_error(); }),
            {"190 of 191 pairs"}) == "");
}

TEST_CASE("after a stop tasks return without counting") {
  const Starpu starpu;
  codelets::CountPairsCodelet codelet(
      {perfmodels::PairKind::like, perfmodels::Geometry::open, 10, "test", 1});
  testing::Random random(113);
  PairProblem problem = testing::random_problem(random, Box(), 1.0, 10, 20, true);
  codelets::RunStatus status(starpu_worker_get_count());
  status.stop();
  Counts counts(11);
  run_task(codelet.get(), problem, status, {part_of(problem, 0, 20)}, 190, counts);
  CHECK(counts == Counts(11));
  status.rethrow_error();
}

}  // namespace
}  // namespace starhist
