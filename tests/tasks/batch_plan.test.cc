#include "tasks/planning/batch_plan.hh"

#include "codelets/core/base/error.hh"
#include "tasks/planning/cpu_share_plan.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

constexpr std::uint64_t gibibyte = 1ULL << 30U;

/// A workload on a machine with equal speeds in both orders.
struct Run {
  tasks::MachineSpeeds machine;
  tasks::Workload work;

  /// Speed of a CPU worker, of a GPU [pairs/s].
  void set_worker_speed(double speed) {
    machine.any_order.worker = machine.spatial_order.worker = speed;
  }
  void set_gpu_speed(double speed) {
    machine.any_order.gpu = machine.spatial_order.gpu = speed;
  }
  void set_clustered(bool clustered) {
    work.clusters = clustered ? tasks::Clustering::on : tasks::Clustering::off;
  }
  tasks::BatchPlan plan(std::uint64_t memory_bytes,
                        std::uint64_t most_pairs_per_task = 0) const {
    return tasks::plan_batches(machine, work, memory_bytes, most_pairs_per_task);
  }
};

double cpu_share(const Run& run) {
  return tasks::cpu_share(tasks::counting_speeds(run.machine, run.work));
}

/// A run of 10 000 frames of 2652 atoms of 2 species, on 8 workers.
Run small_frames() {
  Run run;
  run.work.pairs_per_frame = 2652 * 2651 / 2;
  run.work.species_pairs = 3;
  run.work.frames = 10'000;
  run.work.particles = 2652;
  run.work.bins = 1000;
  run.machine.workers = 8;
  return run;
}

/// One frame of a million particles.
Run giant_frame() {
  Run run;
  run.work.pairs_per_frame = 500'000'000'000;
  run.work.frames = 1;
  run.work.particles = 1'000'000;
  run.work.bins = 10'000;
  run.machine.workers = 8;
  return run;
}

TEST_CASE("a giant frame is split so that all workers have work") {
  const tasks::BatchPlan plan = giant_frame().plan(gibibyte);
  CHECK(plan.frames_per_batch == 1);
  CHECK(giant_frame().work.pairs_per_frame / plan.most_pairs_per_task > 20 * 8);
  CHECK(plan.most_pairs_per_task >= 1'000'000);
}

TEST_CASE("small frames share their tasks, and there are enough for all workers") {
  Run run = small_frames();
  const tasks::BatchPlan plan = run.plan(gibibyte);
  CHECK(plan.frames_per_batch * run.work.pairs_per_frame >=
        1'000'000 * run.work.species_pairs);
  CHECK(plan.batches_in_flight >= 2);
  run.work.frames = 20;  // too few to fill a batch for each worker
  CHECK(run.plan(gibibyte).frames_per_batch <= 2);
  run.work.frames = 0;  // unknown
  CHECK(run.plan(gibibyte).frames_per_batch == 1);
}

TEST_CASE("there is a plan for no pairs, no particles and no species") {
  Run run = small_frames();
  run.work.pairs_per_frame = 0;
  run.work.particles = 0;
  for (const std::uint64_t kinds : {3U, 0U}) {
    run.work.species_pairs = kinds;
    const tasks::BatchPlan plan = run.plan(gibibyte);
    CHECK(plan.frames_per_batch >= 1);
    CHECK(plan.batches_in_flight >= 1);
    CHECK(plan.open_blocks >= 1);
  }
}

TEST_CASE("the task size can be set") {
  CHECK(small_frames().plan(gibibyte, 77).most_pairs_per_task == 77);
  CHECK(giant_frame().plan(gibibyte, 1).most_pairs_per_task == 1);
}

/// 2000 frames of 20 000 particles of 3 species on a GPU and 150 cores.
Run run_for_a_gpu() {
  Run run;
  run.work.pairs_per_frame = 200'000'000;
  run.work.species_pairs = 6;
  run.work.frames = 2000;
  run.work.particles = 20'000;
  run.work.bins = 10'000;
  run.machine.workers = 150;
  run.set_worker_speed(2e9);
  run.machine.gpus = 1;
  run.set_gpu_speed(1e12);
  return run;
}

TEST_CASE(
    "GPU tasks last milliseconds, CPU workers get tasks according to their speed") {
  const Run run = run_for_a_gpu();
  const tasks::BatchPlan plan = run.plan(16 * gibibyte);
  CHECK(plan.most_pairs_per_gpu_task == 8'000'000'000);
  CHECK(plan.frames_per_batch == 34);  // three equal ones in a block of 100
  CHECK(plan.cpu_share == Approx(0.3 / 1.3));
  CHECK(plan.most_pairs_per_task == 16'000'000);
  CHECK(plan.batches_in_flight == 6);
  CHECK(plan.batches_of_cpus == 5);  // 32 ms of 6.8 ms each, until CPUs are done
}

TEST_CASE("GPU tasks last longer in tiles, because sorting interrupts them") {
  Run run = run_for_a_gpu();
  run.set_clustered(true);
  const tasks::BatchPlan plan = run.plan(16 * gibibyte);
  CHECK(plan.most_pairs_per_gpu_task == 24'000'000'000);
  CHECK(plan.frames_per_batch == 100);
  // A task or two for each worker of each GPU, and some waiting.
  for (const std::uint64_t gpus : {1U, 4U, 8U}) {
    run.machine.gpus = gpus;
    CHECK(run.plan(64 * gibibyte).batches_in_flight * run.work.species_pairs >=
          4 * gpus);
    Run large = run;  // a batch is a task
    large.work.species_pairs = 1;
    large.work.pairs_per_frame = 20'000'000'000;
    large.work.particles = 200'000;
    CHECK(large.plan(64 * gibibyte).batches_in_flight >= 2 * gpus);
  }
}

TEST_CASE("batches of small frames stay in the cache until they are copied") {
  Run run = run_for_a_gpu();
  run.work.particles = 1000;
  run.work.pairs_per_frame = 500'000;
  run.work.frames = 1'000'000;
  run.work.species_pairs = 1;
  run.work.frames_per_block = 100'000;
  CHECK(run.plan(16 * gibibyte).frames_per_batch == 1042);  // 96 equal ones
  CHECK(run.plan(16 * gibibyte).frames_per_batch <= (24U << 20U) / 24'000U);
  run.work.frames_per_block = 1500;  // two equal batches
  CHECK(run.plan(16 * gibibyte).frames_per_batch == 750);
}

TEST_CASE("a giant frame: exactly sixteen tasks for each GPU") {
  Run run = run_for_a_gpu();
  run.machine.gpus = 2;
  run.work.pairs_per_frame = 200'000'000'001;
  run.work.frames = 1;
  const tasks::BatchPlan plan = run.plan(16 * gibibyte);
  CHECK(plan.most_pairs_per_gpu_task * 32 >= run.work.pairs_per_frame);
  CHECK(plan.most_pairs_per_gpu_task * 31 < run.work.pairs_per_frame);
  // If these would last too long, as many for each worker of a GPU.
  run.work.pairs_per_frame = 1'000'000'000'000;
  run.machine.streams_per_gpu = 2;
  const tasks::BatchPlan more = run.plan(16 * gibibyte);
  CHECK(more.most_pairs_per_gpu_task == 7'812'500'000);
}

TEST_CASE("parts of a giant frame: two in flight for each GPU") {
  Run run = run_for_a_gpu();
  run.set_clustered(true);
  run.work.pairs_per_frame = 8'000'000'000'000;
  run.work.species_pairs = 1;
  run.work.particles = 4'000'000;
  run.work.frames = 1;
  CHECK(run.plan(64 * gibibyte).batches_in_flight == 2);
  run.work.row_parts = 64;
  for (const std::uint64_t gpus : {1U, 2U, 4U}) {
    run.machine.gpus = gpus;
    CHECK(run.plan(64 * gibibyte).batches_in_flight >= 2 * gpus);
    CHECK(run.plan(64 * gibibyte).open_blocks > 2 * gpus);
  }
}

TEST_CASE("a GPU with little memory: less in flight, or a message") {
  Run run = run_for_a_gpu();
  const tasks::BatchPlan roomy = run.plan(16 * gibibyte);
  run.machine.gpu_memory = 140'000'000;
  const tasks::BatchPlan tight = run.plan(16 * gibibyte);
  CHECK(tight.frames_per_batch * tight.batches_in_flight <
        roomy.frames_per_batch * roomy.batches_in_flight);
  CHECK(tight.batches_in_flight >= 2);
  CHECK(tight.batches_of_cpus < roomy.batches_of_cpus);
  CHECK(tight.open_blocks >= 1);
  run.machine.gpu_memory = 85'000'000;
  CHECK(testing::missing(
            testing::error_text<InputError>([&] { run.plan(16 * gibibyte); }),
            {"GPU", "0.0792 GiB", "needs", "STARPU_NCUDA=0"}) == "");
}

TEST_CASE("each stream of a GPU has separate counts") {
  Run run = run_for_a_gpu();
  run.machine.workers = 15;
  run.work.bins = 2'000'000;
  run.machine.gpu_memory = 2 * gibibyte;
  const tasks::BatchPlan one = run.plan(16 * gibibyte);
  run.machine.streams_per_gpu = 2;
  const tasks::BatchPlan two = run.plan(16 * gibibyte);
  CHECK(two.most_pairs_per_gpu_task == one.most_pairs_per_gpu_task);
  CHECK(two.open_blocks < one.open_blocks);
  run.machine.streams_per_gpu = 40;
  CHECK_THROWS_AS(run.plan(16 * gibibyte), InputError);
}

TEST_CASE("each stream of a GPU has separate scratch memory for tiles") {
  Run run = run_for_a_gpu();
  run.work.bins = 100;
  run.machine.gpu_memory = 300'000'000;
  run.set_clustered(true);
  const tasks::BatchPlan one = run.plan(16 * gibibyte);
  run.machine.streams_per_gpu = 2;
  const tasks::BatchPlan two = run.plan(16 * gibibyte);
  CHECK(two.frames_per_batch * two.batches_in_flight <
        one.frames_per_batch * one.batches_in_flight);
}

TEST_CASE(
    "few pairs of many particles: batches stay within memory and StarPU's counts") {
  Run run = run_for_a_gpu();  // one ion in a million waters
  run.work.pairs_per_frame = 1'000'000;
  run.work.species_pairs = 1;
  run.work.particles = 1'000'001;
  run.work.frames = 30'000;
  run.machine.gpu_memory = 130 * gibibyte;
  const tasks::BatchPlan plan = run.plan(256 * gibibyte);
  CHECK(plan.frames_per_batch == 1);  // 24 MB
  CHECK(3 * run.work.particles * plan.frames_per_batch < (1ULL << 32U));
  for (const std::uint64_t memory : {1U, 4U, 16U}) {
    CHECK(run.plan(memory * gibibyte).bytes <= memory * gibibyte);
  }
  run.machine.gpu_memory = gibibyte;
  CHECK(24 * run.work.particles * run.plan(256 * gibibyte).frames_per_batch <
        gibibyte / 4);
}

TEST_CASE("CPU workers too slow to matter get no tasks alongside GPUs") {
  Run run = run_for_a_gpu();
  run.machine.workers = 27;  // 5.1 % of the speed
  CHECK(run.plan(16 * gibibyte).cpu_share > 0.0);
  run.machine.workers = 26;  // 4.9 %
  const tasks::BatchPlan plan = run.plan(16 * gibibyte);
  CHECK(plan.cpu_share == 0.0);
  CHECK(plan.last_frames_for_gpus == 0);
  CHECK(plan.batches_of_cpus == 0);
}

TEST_CASE("CPU workers get less while speeds are only guessed") {
  Run run = run_for_a_gpu();
  const double known = cpu_share(run);
  run.machine.any_order.gpu_source = perfmodels::SpeedSource::properties;
  CHECK(cpu_share(run) == Approx(0.5 * known));
  run.machine.any_order.gpu_source = perfmodels::SpeedSource::this_run;
  run.machine.any_order.worker_source = perfmodels::SpeedSource::this_run;
  CHECK(cpu_share(run) == Approx(1.1 * known));
}

TEST_CASE("CPU workers get no share if GPUs wait for the host") {
  Run run = run_for_a_gpu();
  CHECK(run.plan(16 * gibibyte).cpu_share > 0.0);
  run.work.particles = 1000;  // 7 microseconds for the host
  run.work.frames = 100'000'000;
  const auto share_for = [&](double microseconds_of_a_gpu) {
    run.work.pairs_per_frame = static_cast<std::uint64_t>(
        1e-6 * microseconds_of_a_gpu *
        tasks::counting_speeds(run.machine, run.work).of_gpus());
    return run.plan(16 * gibibyte).cpu_share;
  };
  CHECK(share_for(8.0) > 0.0);
  CHECK(share_for(6.0) == 0.0);
}

TEST_CASE("GPUs do not wait for CPU workers at the end of a short run") {
  Run run = run_for_a_gpu();  // a CPU worker needs 32 ms for 64 rows
  run.work.particles = 1'000'000;
  run.work.pairs_per_frame = 500'000'000'000;
  run.work.frames = 1;
  run.machine.gpus = 4;
  CHECK(run.plan(16 * gibibyte).cpu_share == 0.0);
  run.work.frames = 10;
  CHECK(run.plan(16 * gibibyte).cpu_share == cpu_share(run));
  CHECK(run.plan(16 * gibibyte).last_frames_for_gpus == 1);  // of 125 ms
}

TEST_CASE("the last frames are reserved for GPUs, for the duration of CPU tasks") {
  Run run = run_for_a_gpu();  // 0.2 ms for a frame, 8 ms for a CPU task
  CHECK(run.plan(16 * gibibyte).last_frames_for_gpus == 160);
  run.machine.gpus = 2;
  CHECK(run.plan(16 * gibibyte).last_frames_for_gpus == 320);
  run.machine.gpus = 1;
  run.work.frames = 100;  // 20 ms: too short for CPU workers anyway
  CHECK(run.plan(16 * gibibyte).cpu_share == 0.0);
  CHECK(run.plan(16 * gibibyte).batches_of_cpus == 0);
  run.work.frames = 1;
  run.work.pairs_per_frame = 500'000'000'000;
  CHECK(run.plan(16 * gibibyte).cpu_share > 0.0);
  CHECK(run.plan(16 * gibibyte).last_frames_for_gpus == 0);
}

TEST_CASE("a short run is cut finer, so that all GPUs have work") {
  Run run = run_for_a_gpu();
  run.machine.gpus = 4;
  run.work.frames = 40;
  const tasks::BatchPlan plan = run.plan(16 * gibibyte);
  CHECK(plan.most_pairs_per_gpu_task == 125'000'000);
  CHECK(plan.frames_per_batch == 1);
  run.machine.workers = 0;  // only GPUs
  CHECK(run.plan(16 * gibibyte).cpu_share == 0.0);
}

TEST_CASE("frames without any pair are planned") {
  Run run = small_frames();
  run.work.pairs_per_frame = 0;
  run.work.particles = 0;
  const tasks::BatchPlan plan = run.plan(gibibyte);
  CHECK(plan.most_pairs_per_task > 0);
  CHECK(plan.frames_per_batch > 0);
  CHECK(plan.batches_in_flight > 0);
  CHECK(plan.open_blocks > 0);
}

TEST_CASE("a plan without a frame") {
  for (const std::uint64_t gpus : {0U, 1U, 2U}) {
    for (const std::uint64_t frames : {0U, 1U, 100U}) {
      for (const bool clustered : {false, true}) {
        Run run;
        run.machine.gpus = gpus;
        run.set_gpu_speed(1e12);
        run.work.frames = frames;
        run.set_clustered(clustered);
        const tasks::BatchPlan plan = run.plan(gibibyte);
        CHECK(plan.most_pairs_per_task > 0);
        CHECK(plan.frames_per_batch > 0);
        CHECK((plan.most_pairs_per_gpu_task > 0) == (gpus > 0));
      }
    }
  }
}

TEST_CASE("every plan stays within the memory, or reports the memory needed") {
  testing::Random random(81);
  int refused = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    Run run;
    run.work.particles = static_cast<std::uint64_t>(random.log_uniform(1.0, 1e9));
    run.work.pairs_per_frame =
        static_cast<std::uint64_t>(random.log_uniform(0.5, 1e17));
    run.work.species_pairs = 1 + random.below(30);
    run.work.frames = static_cast<std::uint64_t>(random.log_uniform(0.5, 1e7));
    run.work.bins = static_cast<std::uint64_t>(random.log_uniform(1.0, 2e9));
    run.machine.workers = 1 + random.below(64);
    run.machine.threads_per_worker = 1 + random.below(64);
    run.machine.gpus = random.below(3);
    run.set_gpu_speed(1e12);
    const auto memory = static_cast<std::uint64_t>(random.log_uniform(1e6, 1e12));
    tasks::BatchPlan plan;
    const std::string error =
        testing::error_text<InputError>([&] { plan = run.plan(memory); });
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

TEST_CASE("species pairs take memory in addition to their counts") {
  Run run = small_frames();
  run.work.bins = 10;
  run.work.species_pairs = 45'150;  // of 300 species
  CHECK(testing::error_text<InputError>([&] { run.plan(gibibyte); }) != "");
  CHECK(run.plan(2 * gibibyte).bytes > gibibyte);
}

TEST_CASE("more memory allows more in flight, up to a limit") {
  const tasks::BatchPlan little = small_frames().plan(4'000'000);
  const tasks::BatchPlan much = small_frames().plan(64 * gibibyte);
  CHECK(little.bytes <= 4'000'000);
  CHECK(little.batches_in_flight <= much.batches_in_flight);
  CHECK(much.bytes < gibibyte);
}

TEST_CASE("insufficient memory: the message has both numbers") {
  Run run = small_frames();
  run.work.bins = 1'000'000'000;
  CHECK(
      testing::missing(testing::error_text<InputError>([&] { run.plan(2 * gibibyte); }),
                       {"350 GiB", "2 GiB", "--memory"}) == "");
}

}  // namespace
}  // namespace starhist
