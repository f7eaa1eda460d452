#include "tasks/planning/batch_plan.hh"

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

constexpr std::uint64_t gibibyte = 1ULL << 30U;

/// A run of 10 000 frames of 2652 atoms of 2 species, on 8 workers.
tasks::WorkEstimate small_frames() {
  tasks::WorkEstimate work;
  work.pairs_per_frame = 2652 * 2651 / 2;
  work.pair_kinds = 3;
  work.frames = 10'000;
  work.particles = 2652;
  work.bins = 1000;
  work.workers = 8;
  return work;
}

/// One frame of a million particles.
tasks::WorkEstimate giant_frame() {
  tasks::WorkEstimate work;
  work.pairs_per_frame = 500'000'000'000;
  work.frames = 1;
  work.particles = 1'000'000;
  work.bins = 10'000;
  work.workers = 8;
  return work;
}

TEST_CASE("a giant frame is split so that all workers have work") {
  const tasks::BatchPlan plan = tasks::plan_batches(giant_frame(), gibibyte, 0);
  CHECK(plan.frames_per_batch == 1);
  CHECK(giant_frame().pairs_per_frame / plan.most_pairs_per_task > 20 * 8);
  CHECK(plan.most_pairs_per_task >= 1'000'000);
}

TEST_CASE("small frames share their tasks, and there are enough for all workers") {
  tasks::WorkEstimate work = small_frames();
  const tasks::BatchPlan plan = tasks::plan_batches(work, gibibyte, 0);
  CHECK(plan.frames_per_batch * work.pairs_per_frame >= 1'000'000 * work.pair_kinds);
  CHECK(plan.batches_in_flight >= 2);
  work.frames = 20;  // fewer than would fill a batch for each worker
  CHECK(tasks::plan_batches(work, gibibyte, 0).frames_per_batch <= 2);
  work.frames = 0;  // not known
  CHECK(tasks::plan_batches(work, gibibyte, 0).frames_per_batch == 1);
}

TEST_CASE("there is a plan for no pairs, no particles and no species") {
  tasks::WorkEstimate work = small_frames();
  work.pairs_per_frame = 0;
  work.particles = 0;
  for (const std::uint64_t kinds : {3U, 0U}) {
    work.pair_kinds = kinds;
    const tasks::BatchPlan plan = tasks::plan_batches(work, gibibyte, 0);
    CHECK(plan.frames_per_batch >= 1);
    CHECK(plan.batches_in_flight >= 1);
    CHECK(plan.open_blocks >= 1);
  }
}

TEST_CASE("the task size may be given") {
  CHECK(tasks::plan_batches(small_frames(), gibibyte, 77).most_pairs_per_task == 77);
  CHECK(tasks::plan_batches(giant_frame(), gibibyte, 1).most_pairs_per_task == 1);
}

/// 2000 frames of 20 000 particles of 3 species on a GPU and 15 cores.
tasks::WorkEstimate frames_for_a_gpu() {
  tasks::WorkEstimate work;
  work.pairs_per_frame = 200'000'000;
  work.pair_kinds = 6;
  work.frames = 2000;
  work.particles = 20'000;
  work.bins = 10'000;
  work.workers = 15;
  work.worker_speed = 2e9;
  work.gpus = 1;
  work.gpu_speed = 1e12;
  return work;
}

TEST_CASE("GPU tasks last milliseconds, CPU workers get what fits their speed") {
  const tasks::WorkEstimate work = frames_for_a_gpu();
  const tasks::BatchPlan plan = tasks::plan_batches(work, 16 * gibibyte, 0);
  CHECK(plan.most_pairs_per_gpu_task == 8'000'000'000);
  CHECK(plan.frames_per_batch == 34);  // three equal ones in a block of 100
  CHECK(plan.cpu_share == Approx(0.85 * 0.03 / 1.03));
  CHECK(plan.most_pairs_per_task == 16'000'000);
  CHECK(plan.batches_in_flight == 5);
  CHECK(plan.batches_of_cpus == 5);  // 32 ms of 6.8 ms each, until CPUs are done
}

TEST_CASE("GPU tasks last longer in tiles, as sorting interrupts them") {
  tasks::WorkEstimate work = frames_for_a_gpu();
  work.clustered = true;
  const tasks::BatchPlan plan = tasks::plan_batches(work, 16 * gibibyte, 0);
  CHECK(plan.most_pairs_per_gpu_task == 24'000'000'000);
  CHECK(plan.frames_per_batch == 100);
  // A task or two for each worker of each GPU, and some that wait.
  for (const std::uint64_t gpus : {1U, 4U, 8U}) {
    work.gpus = gpus;
    CHECK(tasks::plan_batches(work, 64 * gibibyte, 0).batches_in_flight *
              work.pair_kinds >=
          4 * gpus);
    tasks::WorkEstimate large = work;  // a batch is a task
    large.pair_kinds = 1;
    large.pairs_per_frame = 20'000'000'000;
    large.particles = 200'000;
    CHECK(tasks::plan_batches(large, 64 * gibibyte, 0).batches_in_flight >= 2 * gpus);
  }
}

TEST_CASE("a giant frame: sixteen tasks for each GPU, not one more") {
  tasks::WorkEstimate work = frames_for_a_gpu();
  work.gpus = 2;
  work.pairs_per_frame = 200'000'000'001;
  work.frames = 1;
  const tasks::BatchPlan plan = tasks::plan_batches(work, 16 * gibibyte, 0);
  CHECK(plan.most_pairs_per_gpu_task * 32 >= work.pairs_per_frame);
  CHECK(plan.most_pairs_per_gpu_task * 31 < work.pairs_per_frame);
  // Where these would last too long, as many for each worker of a GPU.
  work.pairs_per_frame = 1'000'000'000'000;
  work.streams_per_gpu = 2;
  const tasks::BatchPlan more = tasks::plan_batches(work, 16 * gibibyte, 0);
  CHECK(more.most_pairs_per_gpu_task == 7'812'500'000);
}

TEST_CASE("a GPU with little memory: less in flight, or a message") {
  tasks::WorkEstimate work = frames_for_a_gpu();
  const tasks::BatchPlan roomy = tasks::plan_batches(work, 16 * gibibyte, 0);
  work.gpu_memory = 140'000'000;
  const tasks::BatchPlan tight = tasks::plan_batches(work, 16 * gibibyte, 0);
  CHECK(tight.frames_per_batch * tight.batches_in_flight <
        roomy.frames_per_batch * roomy.batches_in_flight);
  CHECK(tight.batches_in_flight >= 2);
  CHECK(tight.batches_of_cpus < roomy.batches_of_cpus);
  CHECK(tight.open_blocks >= 1);
  work.gpu_memory = 85'000'000;
  CHECK(testing::missing(testing::error_text<InputError>(
                             [&] { tasks::plan_batches(work, 16 * gibibyte, 0); }),
                         {"GPU", "0.0792 GiB", "needs", "STARPU_NCUDA=0"}) == "");
}

TEST_CASE("each stream of a GPU has its own counts") {
  tasks::WorkEstimate work = frames_for_a_gpu();
  work.bins = 2'000'000;
  work.gpu_memory = 2 * gibibyte;
  const tasks::BatchPlan one = tasks::plan_batches(work, 16 * gibibyte, 0);
  work.streams_per_gpu = 2;
  const tasks::BatchPlan two = tasks::plan_batches(work, 16 * gibibyte, 0);
  CHECK(two.most_pairs_per_gpu_task == one.most_pairs_per_gpu_task);
  CHECK(two.open_blocks < one.open_blocks);
  work.streams_per_gpu = 40;
  CHECK_THROWS_AS(tasks::plan_batches(work, 16 * gibibyte, 0), InputError);
}

TEST_CASE("each stream of a GPU has its own scratch memory for tiles") {
  tasks::WorkEstimate work = frames_for_a_gpu();
  work.bins = 100;
  work.gpu_memory = 300'000'000;
  work.clustered = true;
  const tasks::BatchPlan one = tasks::plan_batches(work, 16 * gibibyte, 0);
  work.streams_per_gpu = 2;
  const tasks::BatchPlan two = tasks::plan_batches(work, 16 * gibibyte, 0);
  CHECK(two.frames_per_batch * two.batches_in_flight <
        one.frames_per_batch * one.batches_in_flight);
}

TEST_CASE(
    "few pairs of many particles: batches stay within memory and StarPU's counts") {
  tasks::WorkEstimate work = frames_for_a_gpu();  // one ion in a million waters
  work.pairs_per_frame = 1'000'000;
  work.pair_kinds = 1;
  work.particles = 1'000'001;
  work.frames = 30'000;
  work.gpu_memory = 130 * gibibyte;
  const tasks::BatchPlan plan = tasks::plan_batches(work, 256 * gibibyte, 0);
  CHECK(plan.frames_per_batch >= 100);
  CHECK(3 * work.particles * plan.frames_per_batch < (1ULL << 32U));
  for (const std::uint64_t memory : {1U, 4U, 16U}) {
    CHECK(tasks::plan_batches(work, memory * gibibyte, 0).bytes <= memory * gibibyte);
  }
  work.gpu_memory = gibibyte;
  CHECK(24 * work.particles *
            tasks::plan_batches(work, 256 * gibibyte, 0).frames_per_batch <
        gibibyte / 4);
}

TEST_CASE("CPU workers get less while speeds are only guessed") {
  tasks::WorkEstimate work = frames_for_a_gpu();
  const double known = tasks::cpu_share(work);
  work.speeds_known = false;
  CHECK(tasks::cpu_share(work) == Approx(0.5 / 0.85 * known));
}

TEST_CASE("GPUs do not wait for CPU workers at the end of a short run") {
  tasks::WorkEstimate work =
      frames_for_a_gpu();  // a CPU worker needs 32 ms for 64 rows
  work.particles = 1'000'000;
  work.pairs_per_frame = 500'000'000'000;
  work.frames = 1;
  work.gpus = 4;
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).cpu_share == 0.0);
  work.frames = 10;
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).cpu_share ==
        tasks::cpu_share(work));
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).last_frames_for_gpus ==
        1);  // of 125 ms
}

TEST_CASE("the last frames are left to GPUs, for as long as CPU tasks may take") {
  tasks::WorkEstimate work =
      frames_for_a_gpu();  // 0.2 ms for a frame, 8 ms for a CPU task
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).last_frames_for_gpus == 160);
  work.gpus = 2;
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).last_frames_for_gpus == 320);
  work.gpus = 1;
  work.frames = 100;  // 20 ms: too short for CPU workers anyway
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).cpu_share == 0.0);
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).batches_of_cpus == 0);
  work.frames = 1;
  work.pairs_per_frame = 500'000'000'000;
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).cpu_share > 0.0);
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).last_frames_for_gpus == 0);
}

TEST_CASE("a short run is cut finer, so that all GPUs have work") {
  tasks::WorkEstimate work = frames_for_a_gpu();
  work.gpus = 4;
  work.frames = 40;
  const tasks::BatchPlan plan = tasks::plan_batches(work, 16 * gibibyte, 0);
  CHECK(plan.most_pairs_per_gpu_task == 125'000'000);
  CHECK(plan.frames_per_batch == 1);
  work.workers = 0;  // GPUs alone
  CHECK(tasks::plan_batches(work, 16 * gibibyte, 0).cpu_share == 0.0);
}

TEST_CASE("frames without any pair are no trouble") {
  tasks::WorkEstimate work = small_frames();
  work.pairs_per_frame = 0;
  work.particles = 0;
  const tasks::BatchPlan plan = tasks::plan_batches(work, gibibyte, 0);
  CHECK(plan.most_pairs_per_task > 0);
  CHECK(plan.frames_per_batch > 0);
  CHECK(plan.batches_in_flight > 0);
  CHECK(plan.open_blocks > 0);
}

TEST_CASE("a plan for nothing, before the first frame is there") {
  for (const std::uint64_t gpus : {0U, 1U, 2U}) {
    for (const std::uint64_t frames : {0U, 1U, 100U}) {
      for (const bool clustered : {false, true}) {
        tasks::WorkEstimate work;
        work.gpus = gpus;
        work.gpu_speed = 1e12;
        work.frames = frames;
        work.clustered = clustered;
        const tasks::BatchPlan plan = tasks::plan_batches(work, gibibyte, 0);
        CHECK(plan.most_pairs_per_task > 0);
        CHECK(plan.frames_per_batch > 0);
        CHECK((plan.most_pairs_per_gpu_task > 0) == (gpus > 0));
      }
    }
  }
}

TEST_CASE("every plan stays within the memory, or says how much it needs") {
  testing::Random random(81);
  int refused = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    tasks::WorkEstimate work;
    work.particles = static_cast<std::uint64_t>(random.log_uniform(1.0, 1e9));
    work.pairs_per_frame = static_cast<std::uint64_t>(random.log_uniform(0.5, 1e17));
    work.pair_kinds = 1 + random.below(30);
    work.frames = static_cast<std::uint64_t>(random.log_uniform(0.5, 1e7));
    work.bins = static_cast<std::uint64_t>(random.log_uniform(1.0, 2e9));
    work.workers = 1 + random.below(64);
    work.threads_per_worker = 1 + random.below(64);
    work.gpus = random.below(3);
    work.gpu_speed = 1e12;
    const auto memory = static_cast<std::uint64_t>(random.log_uniform(1e6, 1e12));
    tasks::BatchPlan plan;
    const std::string error = testing::error_text<InputError>(
        [&] { plan = tasks::plan_batches(work, memory, 0); });
    if (error.empty()) {
      CHECK(plan.bytes <= memory);
      CHECK(plan.batches_in_flight >= 1);
      CHECK(plan.open_blocks >= 1);
    } else {
      ++refused;
      CHECK(testing::missing(error, {"needs at least", "GiB", "--memory"}) == "");
    }
  }
  CHECK(refused > 100);
  CHECK(refused < 4900);
}

TEST_CASE("more memory is used for more in flight, within reason") {
  const tasks::BatchPlan little = tasks::plan_batches(small_frames(), 4'000'000, 0);
  const tasks::BatchPlan much = tasks::plan_batches(small_frames(), 64 * gibibyte, 0);
  CHECK(little.bytes <= 4'000'000);
  CHECK(little.batches_in_flight <= much.batches_in_flight);
  CHECK(much.bytes < gibibyte);
}

TEST_CASE("memory that does not suffice: the message has both numbers") {
  tasks::WorkEstimate work = small_frames();
  work.bins = 1'000'000'000;
  CHECK(testing::missing(testing::error_text<InputError>(
                             [&] { tasks::plan_batches(work, 2 * gibibyte, 0); }),
                         {"253 GiB", "2 GiB", "--memory"}) == "");
}

}  // namespace
}  // namespace starhist
