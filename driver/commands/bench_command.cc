#include <algorithm>
#include <iomanip>
#include <iostream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/trials/kernel_trial.hh"

namespace starhist::driver {
namespace {

struct BenchOptions {
  std::uint64_t particles = 0;
  std::vector<std::uint32_t> bins;
  std::vector<SampleBox> boxes;
  std::vector<kernels::cpu::Variant> variants;
  bool clusters = false;
  int threads = 1;
  std::size_t repeat = 5;
};

std::vector<kernels::cpu::Variant> parse_variants(const std::string& text) {
  std::vector<kernels::cpu::Variant> chosen;
  if (text.empty()) {
    std::copy_if(kernels::cpu::variants().begin(), kernels::cpu::variants().end(),
                 std::back_inserter(chosen),
                 [](const kernels::cpu::Variant& v) { return v.supported; });
  }
  for (const std::string& name : split_list(text)) {
    chosen.push_back(kernels::cpu::find_variant(name));
  }
  return chosen;
}

BenchOptions check_bench_options(const ParsedOptions& parsed, Problems& problems) {
  BenchOptions options;
  options.clusters = parsed.has("clusters");
  problems.collect([&] {
    options.particles = parse_positive("--particles", parsed.get("particles"));
  });
  problems.collect([&] {
    for (const std::string& word : split_list(parsed.get("bins"))) {
      options.bins.push_back(make_bins(1.0, parse_positive("--bins", word)).count);
    }
  });
  problems.collect([&] { options.boxes = parse_sample_boxes(parsed.get("boxes")); });
  problems.collect([&] { options.variants = parse_variants(parsed.get("variants")); });
  problems.collect([&] {
    options.threads = static_cast<int>(std::min<std::uint64_t>(
        parse_positive("--threads", parsed.get("threads")), 4096));
  });
  problems.collect(
      [&] { options.repeat = parse_positive("--repeat", parsed.get("repeat")); });
  return options;
}

void bench(const BenchOptions& options, const kernels::cpu::Variant& variant,
           const SampleBox& sample, std::uint32_t bins) {
  constexpr std::uint64_t checked_rows = 200;
  const KernelTrial trial(sample, bins, options.particles, /*like=*/false,
                          options.clusters);
  if (!trial.equals_reference(count_with(variant), checked_rows)) {
    throw InternalError("variant " + variant.name + ", box " + sample.name +
                        ": the counts differ from the definition");
  }
  std::vector<double> rates;
  trial.seconds(variant, options.threads);  // warm-up
  for (std::size_t run = 0; run < options.repeat; ++run) {
    rates.push_back(1e-9 * static_cast<double>(trial.block().pair_count()) /
                    trial.seconds(variant, options.threads) / options.threads);
  }
  std::sort(rates.begin(), rates.end());
  std::cout << std::left << std::setw(10) << variant.name << std::setw(16)
            << sample.name << std::right << std::setw(7) << bins << std::fixed
            << std::setprecision(3) << std::setw(10) << rates[rates.size() / 2]
            << std::setw(10) << rates.front() << std::setw(10) << rates.back()
            << "  equal" << std::endl;
}

}  // namespace

Manual bench_manual() {
  const std::vector<std::string> boxes = sample_box_names();
  return {
      .command = "bench",
      .summary = "measure the speed of this machine's kernels",
      .synopsis = "[options]",
      .description =
          R"(Measures the kernels without reading or scheduling, in 10^9 pairs per second and
core: all pairs of two species of random particles, with r_max at the largest
distance (triclinic-near: below half the box width). For each row, the counts of
some pairs are compared with the definition, as in starhist selftest.)",
      .options =
          {{OptionGroup::counting,
            "particles",
            "N",
            "particles of each of two species",
            {.fallback = "16384"}},
           {OptionGroup::counting,
            "bins",
            "N,...",
            "numbers of bins",
            {.fallback = "100,10000,200000"}},
           {OptionGroup::counting,
            "boxes",
            "NAME,...",
            "boxes",
            {.otherwise = "all; --help lists them", .choices = boxes}},
           {OptionGroup::counting,
            "variants",
            "NAME,...",
            "kernels",
            {.otherwise = "all that this processor supports",
             .examples = {"avx512", "avx2", "baseline"}}},
           {OptionGroup::counting,
            "clusters",
            "",
            "sort particles in space and count pairs of clusters",
            {},
            "tiles"},
           {OptionGroup::counting, "threads", "N", "OpenMP threads", {.fallback = "1"}},
           {OptionGroup::counting,
            "repeat",
            "N",
            "timed runs; the median is shown",
            {.fallback = "5"}}},
      .sections = {
          {"boxes", "  " + join(boxes, " ") + "\n"},
          {"example", "  starhist bench --bins 10000 --variants avx2 --boxes open\n"}}};
}

ExitCode run_bench(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_options_alone(bench_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  const BenchOptions options = check_bench_options(*parsed, problems);
  problems.throw_if_any("bench");

  std::cout
      << options.particles << " x " << options.particles << " particles, unlike pairs, "
      << (options.clusters ? "in clusters, " : "") << options.threads
      << (options.threads == 1 ? " thread, " : " threads, ") << options.repeat
      << " runs; 10^9 pairs/s per core, all pairs counted\n"
      << "variant   box                bins    median       min       max  counts\n";
  for (const SampleBox& sample : options.boxes) {
    for (const std::uint32_t bins : options.bins) {
      for (const kernels::cpu::Variant& variant : options.variants) {
        bench(options, variant, sample, bins);
      }
    }
  }
  return ExitCode::done;
}

}  // namespace starhist::driver
