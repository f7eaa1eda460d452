#include <nlohmann/json.hpp>

#include "driver/report/summary_text.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using testing::missing;

driver::RunSummary sample_summary() {
  driver::RunSummary summary;
  summary.output = "rdf.h5";
  summary.frames = 1200;
  summary.blocks = 12;
  summary.pairs = 3'000'000'000;
  summary.seconds = 2.0;
  summary.scheduler = "lws";
  summary.cpu_variant = "avx2";
  summary.start_seconds = 0.25;
  summary.count_seconds = 1.75;
  summary.predictions = {10, -1.0, 2.5, 4.0, 0.5};
  summary.repeated_tasks = 3;
  summary.bytes_moved = 4096;
  summary.workers = {
      {"CPU 0", false, "", 100, 2'000'000'000, 1.0},
      {"CUDA 0.0", true, "NVIDIA H100 80GB HBM3", 50, 1'000'000'000, 1.5}};
  return summary;
}

TEST_CASE("the text summary has pairs and seconds, and rates if they are wanted") {
  const std::string brief = driver::summary_text(sample_summary());
  CHECK(
      missing(brief, {"rdf.h5: 1 200 frames in 12 blocks, 3 000 000 000 pairs in 2.00 "
                      "s\n"}) == "");
  CHECK(brief.find("pairs/s") == std::string::npos);
  CHECK(brief.find("CPU 0") == std::string::npos);
  const std::string text = driver::summary_text(sample_summary(), true);
  CHECK(missing(text, {"3 000 000 000 pairs in 2.00 s\n", "1.500 10^9 pairs/s",
                       "scheduler lws", "kernel avx2"}) == "");
  CHECK(missing(text, {"CPU 0: 100 tasks, 2.000 10^9 pairs/s while busy, busy 50.0 %",
                       "CUDA 0.0: 50 tasks, 0.667 10^9 pairs/s while busy, busy 75.0 %",
                       "3 tasks were refused by a GPU"}) == "");
}

TEST_CASE("the summary of one frame has no plural") {
  driver::RunSummary summary = sample_summary();
  summary.frames = summary.blocks = 1;
  CHECK(missing(driver::summary_text(summary), {"rdf.h5: 1 frame in 1 block, "}) == "");
}

TEST_CASE("the summary reports counts that exclude GPUs") {
  driver::RunSummary summary = sample_summary();
  summary.bins = make_bins(1.0, 10);
  CHECK(driver::summary_text(summary).find("CPUs only") == std::string::npos);
  summary.gpus_left_out = true;
  CHECK(missing(driver::summary_text(summary),
                {"counted on CPUs only: GPUs do not count separations along the normal "
                 "of a plane\n"}) == "");
  summary.bins = make_bins_between({0.0, 0.1, 0.5});
  CHECK(missing(driver::summary_text(summary), {"bins of unequal width\n"}) == "");
}

TEST_CASE("the summary of a resumed run reports the whole result") {
  driver::RunSummary summary = sample_summary();
  summary.frames_before = 800;
  summary.frames_kept = 2000;
  summary.blocks_kept = 20;
  CHECK(missing(driver::summary_text(summary),
                {"rdf.h5: 2 000 frames in 20 blocks, 1 200 of them counted by this "
                 "run: 3 000 000 000 pairs in 2.00 s\n"}) == "");
  const auto json = nlohmann::json::parse(driver::summary_json(summary));
  CHECK(json["frames_in_result"] == 2000);
  CHECK(json["blocks_in_result"] == 20);
}

TEST_CASE("the summary has a line for each of several ranks") {
  driver::RunSummary summary = sample_summary();
  summary.ranks = {{0, "a", 12, 2'000'000'000, 2.0, 0.985, 0.25, 0.5},
                   {1, "b", 1234, 1'000'000'000, 2.0, 0.5, 0.0, 1.0}};
  const std::string text = driver::summary_text(summary);
  CHECK(missing(text, {"rank 0 on a: 12 work units, 1.000 10^9 pairs/s, busy 98.5 %, "
                       "waited 0.25 s for work and 0.50 s for reading",
                       "rank 1 on b: 1 234 work units, 0.500 10^9 pairs/s"}) == "");
  CHECK(text.find("CPU 0") == std::string::npos);
  const auto json = nlohmann::json::parse(driver::summary_json(summary));
  REQUIRE(json["ranks"].size() == 2);
  CHECK(json["ranks"][1]["host"] == "b");
  CHECK(json["ranks"][0]["waited_for_reading_seconds"] == 0.5);
}

TEST_CASE("the text summary lists the frames left out") {
  driver::RunSummary summary = sample_summary();
  summary.skipped_frames = {"frame 3: not finite"};
  summary.skipped_before = 1200;
  summary.blocks = 1;
  summary.threads_per_worker = 4;
  CHECK(missing(driver::summary_text(summary, true),
                {"1 200 frames were left out by earlier runs",
                 "left out: frame 3: not finite", "1 block,",
                 "4 threads per worker"}) == "");
}

TEST_CASE("the text summary shortens a long list of frames left out") {
  driver::RunSummary summary = sample_summary();
  for (int frame = 0; frame < 1000; ++frame) {
    summary.skipped_frames.push_back("frame " + std::to_string(frame) + ": nan");
  }
  const std::string text = driver::summary_text(summary);
  CHECK(missing(text, {"left out: frame 19: nan\n",
                       "left out: 980 more frames (--json lists all)\n"}) == "");
  CHECK(text.find("frame 20:") == std::string::npos);
  const auto json = nlohmann::ordered_json::parse(driver::summary_json(summary));
  CHECK(json["skipped_frames"].size() == 1000);
}

TEST_CASE("the summary lists default bin options, and the end of g(r)") {
  driver::RunSummary summary = sample_summary();
  summary.bins = make_bins(1.484, 742);
  summary.length_unit = "nm";
  summary.inscribed_radius = 1.5;
  CHECK(driver::summary_text(summary).find("default") == std::string::npos);
  summary.default_options = {"--r-max", "--bin-width"};
  std::string text = driver::summary_text(summary);
  CHECK(missing(
            text,
            {"--r-max 1.484 nm and --bin-width 0.002 nm are defaults (742 bins)\n"}) ==
        "");
  CHECK(text.find("g(r) ends") == std::string::npos);
  summary.inscribed_radius = 1.401;
  CHECK(missing(driver::summary_text(summary),
                {"g(r) ends at 1.4 nm, half the shortest lattice vector"}) == "");
  summary.default_options = {"--bin-width"};
  text = driver::summary_text(summary);
  CHECK(missing(text, {"--bin-width 0.002 nm is a default (742 bins)\n"}) == "");
  CHECK(text.find("g(r) ends") == std::string::npos);
  summary.boxes_change = true;
  CHECK(missing(driver::summary_text(summary),
                {"g(r) ends at 1.4 nm, half the shortest lattice vector of all frames",
                 "with --block 1"}) == "");
  CHECK(driver::summary_text(summary).find("are empty") == std::string::npos);
  summary.boxes_change = false;
  summary.covering_radius = 2.4;
  CHECK(missing(driver::summary_text(summary),
                {"g(r) beyond 1.4 nm, half the shortest lattice vector, is right only "
                 "for isotropic systems"}) == "");
  summary.covering_radius = 1.2;
  CHECK(missing(driver::summary_text(summary),
                {"farther apart than 1.2 nm: bins beyond this distance are empty"}) ==
        "");
  summary.without_volume = true;
  CHECK(missing(driver::summary_text(summary), {"no g(r): the box", "--box"}) == "");
  const auto json = nlohmann::ordered_json::parse(driver::summary_json(summary));
  CHECK(json["length_unit"] == "nm");
  CHECK(json["r_max"] == 1.484);
  CHECK(json["bin_width"] == 0.002);
  CHECK(json["default_options"].dump() == R"(["--bin-width"])");
}

TEST_CASE("the summary reports frames in which a selection is empty") {
  driver::RunSummary summary = sample_summary();
  CHECK(driver::summary_text(summary).find("is empty") == std::string::npos);
  summary.frames_kept = 1200;
  summary.empty_selections = {{"near", 1000}};
  CHECK(missing(driver::summary_text(summary),
                {"the selection near is empty in 1 000 of 1 200 frames"}) == "");
  const auto json = nlohmann::ordered_json::parse(driver::summary_json(summary));
  CHECK(json["empty_selections"].dump() == R"({"near":1000})");
}

TEST_CASE("an incomplete share of evaluated pairs is never printed as 100 %") {
  driver::RunSummary summary = sample_summary();
  summary.skipped_pairs = summary.pairs / 4;
  CHECK(missing(driver::summary_text(summary, true), {"75.00 % of the pairs were"}) ==
        "");
  summary.skipped_pairs = 1;
  const std::string text = driver::summary_text(summary, true);
  CHECK(missing(text, {"99.999999967 % of the pairs were"}) == "");
}

TEST_CASE("the JSON summary escapes texts") {
  driver::RunSummary summary = sample_summary();
  summary.output = "a\"b\\c\n.h5";
  summary.skipped_frames = {"one", "two"};
  summary.skipped_before = 1200;
  const std::string text = driver::summary_json(summary);
  const auto json = nlohmann::ordered_json::parse(text);
  CHECK(json["output"] == "a\"b\\c\n.h5");
  CHECK(missing(text, {R"("pairs": 3000000000,)", R"("seconds": 2,)",
                       R"("start_seconds": 0.25,)", R"("count_seconds": 1.75,)",
                       R"("bytes_moved": 4096,)", R"("repeated_tasks": 3,)"}) == "");
  CHECK(json["skipped_before"] == 1200);
  CHECK(json["pairs_per_second"] == 1.5e+09);
  CHECK(json["prediction"].dump() ==
        R"({"tasks":10,"mean_relative_error":-0.1,)"
        R"("mean_absolute_relative_error":0.25,"absolute_error_of_time":0.125})");
  REQUIRE(json["workers"].size() == 2);
  CHECK(json["workers"][1].dump() ==
        R"({"name":"CUDA 0.0","kind":"cuda","device":"NVIDIA H100 80GB HBM3",)"
        R"("tasks":50,"pairs":1000000000,"busy_seconds":1.5})");
  CHECK(missing(text, {"\"one\",\n    \"two\"\n"}) == "");
}

TEST_CASE("the JSON summary has its members in a fixed order") {
  const auto empty = nlohmann::ordered_json::parse(driver::summary_json({}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : empty.items()) {
    keys.push_back(key);
  }
  CHECK(keys == std::vector<std::string>{"program",
                                         "version",
                                         "output",
                                         "frames",
                                         "blocks",
                                         "pairs",
                                         "species_by",
                                         "species",
                                         "assumptions",
                                         "warnings",
                                         "empty_selections",
                                         "exclusion",
                                         "excluded_pairs",
                                         "start_seconds",
                                         "seconds",
                                         "count_seconds",
                                         "pairs_per_second",
                                         "scheduler",
                                         "cpu_variant",
                                         "threads_per_worker",
                                         "cuda_variant",
                                         "bytes_moved",
                                         "skipped_pairs",
                                         "repeated_tasks",
                                         "prediction",
                                         "workers",
                                         "ranks",
                                         "skipped_frames",
                                         "frames_before",
                                         "frames_in_result",
                                         "blocks_in_result",
                                         "skipped_before",
                                         "length_unit",
                                         "r_max",
                                         "bin_width",
                                         "default_options"});
  CHECK(empty["workers"] == nlohmann::ordered_json::array());
  CHECK(empty["skipped_frames"] == nlohmann::ordered_json::array());
}

TEST_CASE("a path that is not UTF-8 does not break the JSON summary") {
  driver::RunSummary summary;
  summary.output = "caf\xe9.h5";
  CHECK(nlohmann::ordered_json::parse(driver::summary_json(summary))["output"] ==
        "caf\xef\xbf\xbd.h5");
}

TEST_CASE("a run of zero duration has a finite rate") {
  driver::RunSummary summary;
  CHECK(missing(driver::summary_json(summary), {R"("pairs_per_second": 0)"}) == "");
  CHECK(driver::summary_text(summary, true).find("inf") == std::string::npos);
  CHECK(driver::summary_text(summary, true).find("nan") == std::string::npos);
}

}  // namespace
}  // namespace starhist
