// The plan of a run as a function of machine and workload, with numbers computed by
// hand.
#include "codelets/core/base/error.hh"
#include "tasks/planning/batch_plan.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using tasks::counting_speeds;
using tasks::MachineSpeeds;
using tasks::plan_batches;
using tasks::predicted_seconds;
using tasks::Workload;

constexpr std::uint64_t four_gibibytes = 4ULL << 30U;

MachineSpeeds four_cores() {
  MachineSpeeds machine;
  machine.workers = 4;
  machine.any_order.worker = machine.spatial_order.worker = 1e9;
  return machine;
}

MachineSpeeds hundred_cores_and_a_gpu() {
  MachineSpeeds machine;
  machine.workers = 100;
  machine.gpus = 1;
  machine.streams_per_gpu = 2;
  machine.gpu_memory = 8'000'000'000;
  machine.any_order = machine.spatial_order = {1e9, 1e12};
  return machine;
}

Workload thousand_frames() {
  Workload work;
  work.pairs_per_frame = 100'000'000;
  work.frames = 1000;
  work.particles = 14'142;
  work.bins = 1000;
  return work;
}

Workload frames_for_a_gpu() {
  Workload work;
  work.pairs_per_frame = 500'000'000;
  work.frames = 5000;
  work.particles = 30'000;
  work.bins = 999;
  return work;
}

/// Ten frames in which clusters leave a tenth of the work on CPUs, half on GPUs.
Workload sparse_frames() {
  Workload work;
  work.pairs_per_frame = 5'000'000'000;
  work.frames = 10;
  work.particles = 100'000;
  work.bins = 1000;
  work.cluster_cost_on_cpus = 0.1;
  work.cluster_cost_on_gpus = 0.5;
  return work;
}

double seconds(const MachineSpeeds& machine, const Workload& work) {
  return predicted_seconds(counting_speeds(machine, work), work);
}

TEST_CASE("planning for CPUs only: 64 tasks per worker, four of each wait") {
  const Workload work = thousand_frames();
  const tasks::BatchPlan plan = plan_batches(four_cores(), work, four_gibibytes, 0);
  CHECK(plan.most_pairs_per_task == 100'000'000ULL * 1000 / (4 * 64));
  CHECK(plan.most_pairs_per_gpu_task == 0);
  CHECK(plan.cpu_share == 0.0);
  CHECK(plan.frames_per_batch == 1);
  CHECK(plan.batches_in_flight == 1 + 4 * 4);
  CHECK(plan.batches_of_cpus == 0);
  CHECK(plan.open_blocks == 1 + 17);
  CHECK_FALSE(plan.clustered);
  // The species pair; three closed blocks and 32 bytes per bin; kernels; 6 times 1001
  // counts of 8 bytes per open block and 22 000 for the pair; 24 bytes per particle and
  // 600.
  CHECK(plan.bytes == 6000 + 3 * 8008 + 32 * 1000 + 4 * 1033 * 4 +
                          18 * (6 * 8008 + 22'000) + (17 + 3) * (24 * 14'142 + 600));
  CHECK(seconds(four_cores(), work) ==
        Approx(25.0));  // 10^11 pairs, 4 10^9 each second
}

TEST_CASE("planning for CPUs alongside a GPU: shares, sizes and durations") {
  const MachineSpeeds machine = hundred_cores_and_a_gpu();
  const Workload work = frames_for_a_gpu();
  const tasks::BatchPlan plan = plan_batches(machine, work, four_gibibytes, 0);
  CHECK(plan.most_pairs_per_task == 8'000'000);          // 8 ms of a core
  CHECK(plan.most_pairs_per_gpu_task == 8'000'000'000);  // 8 ms of the GPU: 16 frames
  CHECK(plan.frames_per_batch == 15);                    // 7 batches in a block of 100
  CHECK(plan.cpu_share == Approx(1.0 / 11.0));
  CHECK(plan.last_frames_for_gpus == 64);  // four CPU tasks, 32 ms, of 0.5 ms each
  CHECK(plan.batches_in_flight == 5);      // 24 ms of 7.4 ms each, plus two
  CHECK(plan.batches_of_cpus == 5);        // 32 ms of 7.5 ms each, plus one
  CHECK(plan.open_blocks == 11);
  // 100 + 2 replicas, the sum and a copy of it.
  CHECK(plan.bytes == 6000 + 3 * 8000 + 32 * 999 + 4 * 1032 * 100 +
                          11 * (104 * 8000 + 22'000) +
                          (5 + 5 + 3) * 15 * (24 * 30'000 + 600));
  CHECK(seconds(machine, work) == Approx(2.5 / 1.1));
}

TEST_CASE("planning: one large frame is copied for a GPU while the next one waits") {
  Workload work = frames_for_a_gpu();
  work.pairs_per_frame = 20'000'000'000;
  work.particles = 200'000;
  const tasks::BatchPlan plan =
      plan_batches(hundred_cores_and_a_gpu(), work, four_gibibytes, 0);
  REQUIRE(plan.frames_per_batch == 1);
  const std::uint64_t batches = plan.batches_in_flight + plan.batches_of_cpus;
  // Two frames in the reader, one that waits and one that is copied.
  CHECK(plan.bytes == 6000 + 3 * 8000 + 32 * 999 + 4 * 1032 * 100 +
                          plan.open_blocks * (104 * 8000 + 22'000) +
                          batches * (24 * 200'000 + 600) + 4 * 24 * 200'000);
}

TEST_CASE("planning: clusters if speeds and sorting promise a gain of 20 % on CPUs") {
  MachineSpeeds machine = four_cores();
  const Workload work = sparse_frames();
  // 1.25 s become 0.125 s, and 2 ms to sort.
  const tasks::BatchPlan plan = plan_batches(machine, work, four_gibibytes, 0);
  CHECK(plan.clustered);
  CHECK(plan.most_pairs_per_task == 200'000'000);  // 2000 rows of 100 000 columns
  CHECK(seconds(machine, work) == Approx(10 * 0.127));
  machine.spatial_order.worker = 1.26e8;  // 0.992 s and 2 ms: less than 1.0 s
  CHECK(plan_batches(machine, work, four_gibibytes, 0).clustered);
  machine.spatial_order.worker = 1.25e8;  // 1.000 s and 2 ms
  CHECK_FALSE(plan_batches(machine, work, four_gibibytes, 0).clustered);
  CHECK(seconds(machine, work) == Approx(10 * 1.25));
}

TEST_CASE("planning: clusters if they save 10 % on GPUs, whatever the CPUs' gain") {
  MachineSpeeds machine = hundred_cores_and_a_gpu();
  const Workload work = sparse_frames();
  machine.spatial_order.gpu = 5.7e11;  // 4.39 ms and 0.1 ms: less than 0.9 of 5 ms
  CHECK(plan_batches(machine, work, four_gibibytes, 0).clustered);
  machine.spatial_order.gpu = 5.6e11;  // 4.46 ms and 0.1 ms
  CHECK_FALSE(plan_batches(machine, work, four_gibibytes, 0).clustered);
}

TEST_CASE("planning: clusters as requested, at the speeds of that order") {
  MachineSpeeds machine = four_cores();
  machine.spatial_order.worker_source = perfmodels::SpeedSource::properties;
  machine.spatial_order.worker = 1e6;
  Workload work = sparse_frames();
  work.clusters = tasks::Clustering::on;
  CHECK(plan_batches(machine, work, four_gibibytes, 0).clustered);
  CHECK_FALSE(counting_speeds(machine, work).known());
  CHECK(seconds(machine, work) == Approx(10 * (125.0 + 0.002)));
  work.clusters = tasks::Clustering::off;
  CHECK_FALSE(plan_batches(machine, work, four_gibibytes, 0).clustered);
  CHECK(counting_speeds(machine, work).known());
  CHECK(seconds(machine, work) == Approx(12.5));
  work.clusters = tasks::Clustering::automatic;
  work.pairs_per_frame = 0;
  CHECK_FALSE(plan_batches(machine, work, four_gibibytes, 0).clustered);
}

TEST_CASE("planning for only pairs within compounds: CPUs count them, unsorted") {
  MachineSpeeds machine = hundred_cores_and_a_gpu();
  Workload work = sparse_frames();
  work.only_within_compounds = true;
  work.clusters = tasks::Clustering::on;
  const tasks::BatchPlan plan = plan_batches(machine, work, four_gibibytes, 0);
  CHECK(plan.most_pairs_per_gpu_task == 0);
  CHECK(plan.cpu_share == 0.0);
  CHECK_FALSE(plan.clustered);
  CHECK(seconds(machine, work) == Approx(0.5));
  machine.workers = 0;  // the submitting thread counts
  CHECK(seconds(machine, work) == Approx(50.0));
}

TEST_CASE("planning: the smallest plan fits to the byte, one byte less is refused") {
  const std::uint64_t least = 6000 + 3 * 8008 + 32 * 1000 + 4 * 1033 * 4 + 6 * 8008 +
                              22'000 + 4 * (24 * 14'142 + 600);
  const Workload work = thousand_frames();
  const tasks::BatchPlan plan = plan_batches(four_cores(), work, least, 0);
  CHECK(plan.bytes == least);
  CHECK(plan.batches_in_flight == 1);
  CHECK(plan.open_blocks == 1);
  CHECK(testing::missing(testing::error_text<InputError>(
                             [&] { plan_batches(four_cores(), work, least - 1, 0); }),
                         {"at least 0.00141 GiB", "--memory"}) == "");
}

TEST_CASE("planning: small batches and few of them on a GPU with little memory") {
  MachineSpeeds machine = hundred_cores_and_a_gpu();
  machine.gpu_memory = 100'000'000;  // of these 12.9 MB are usable
  const Workload work = frames_for_a_gpu();
  const tasks::BatchPlan plan = plan_batches(machine, work, four_gibibytes, 0);
  CHECK(plan.frames_per_batch == 2);   // an eighth: 1.6 MB of 0.72 MB each
  CHECK(plan.batches_in_flight == 5);  // two, and half of the other 10 MB
  CHECK(plan.batches_of_cpus == 0);
  machine.gpu_memory = 85'000'000;  // 0.9 MB, for two batches of a frame
  CHECK_THROWS_AS(plan_batches(machine, work, four_gibibytes, 0), InputError);
}

TEST_CASE("planning: the workload of a frame") {
  testing::Random random(12);
  HistogramLayout layout;
  layout.species = {"A", "B"};
  layout.pairs = all_pairs(2);
  layout.bins = make_bins(0.5, 40, 10);
  Frame frame;
  frame.box = testing::cubic_box(2.0);
  frame.positions = {testing::random_positions(random, frame.box, 10),
                     testing::random_positions(random, frame.box, 20)};
  tasks::CountingOptions options;
  options.frames = 7;
  options.frames_per_block = 3;
  options.clusters = tasks::Clustering::off;
  const Workload work = tasks::workload_of(layout, {}, options, frame);
  CHECK(work.pairs_per_frame == 45 + 200 + 190);
  CHECK(work.species_pairs == 3);
  CHECK(work.frames == 7);
  CHECK(work.frames_per_block == 3);
  CHECK(work.particles == 30);
  CHECK(work.bins == 50);
  CHECK(work.kind == perfmodels::PairKind::unlike);  // of the 200
  CHECK(work.geometry == perfmodels::Geometry::orthorhombic);
  CHECK(work.clusters == tasks::Clustering::off);
  CHECK(work.cluster_cost_on_cpus > 0.0);
  CHECK_FALSE(work.only_within_compounds);
  CHECK_FALSE(work.only_on_cpus);
  frame.positions[1].clear();
  CHECK(tasks::workload_of(layout, {}, options, frame).kind ==
        perfmodels::PairKind::like);
  layout.bins = make_bins_between({0.0, 0.1, 0.5});
  CHECK(tasks::workload_of(layout, {}, options, frame).only_on_cpus);
}

}  // namespace
}  // namespace starhist
