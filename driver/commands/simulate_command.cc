#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <system_error>
#include <thread>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "driver/options/bin_options.hh"
#include "driver/options/default_bins.hh"
#include "driver/options/option_values.hh"
#include "driver/options/output_option.hh"
#include "driver/options/planning_options.hh"
#include "driver/options/rdf_options.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/simulation_report.hh"
#include "driver/report/text_output.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/trajectory_run.hh"
#include "driver/simulation/simulation_process.hh"
#include "driver/trials/random_particles.hh"

namespace starhist::driver {
namespace {

/// One species' part of all particles.
struct Share {
  std::string species;
  double parts = 0.0;  ///< relative to the other species' parts [> 0]
};

struct SimulateOptions {
  std::vector<std::string> inputs;
  io::ReadOptions reading;  ///< of the inputs; its box also holds without inputs
  std::string pairs;
  std::uint64_t frames = 0;  ///< 0: as many as in the file
  std::uint64_t particles = 0;
  std::vector<Share> species;
  BinTexts bins;
  std::vector<SimulatedMachine> machines;
  std::vector<std::string> schedulers;
  tasks::CountingOptions counting;
  double read_rate = 0.0;  ///< frames/s; 0: reading takes no time
  std::string trace;
  std::string json;
};

/// Maximum number of generated particles per frame; each position takes 24 bytes.
constexpr std::uint64_t most_particles = 100'000'000;

double parse_positive_number(const std::string& option, const std::string& text) {
  const double value = parse_number(option, text);
  if (!std::isfinite(value) || value <= 0.0) {
    throw InputError(option + " " + text + " is not a finite and positive number");
  }
  return value;
}

std::vector<Share> parse_species(const std::string& text) {
  std::vector<Share> shares;
  for (const std::string& word : split_list(text)) {
    const std::size_t equals = word.find('=');
    Share share{word.substr(0, equals), 1.0};
    if (equals != std::string::npos) {
      share.parts =
          parse_positive_number("--species " + share.species, word.substr(equals + 1));
    }
    const bool known =
        std::any_of(shares.begin(), shares.end(),
                    [&](const Share& other) { return other.species == share.species; });
    if (share.species.empty() || known) {
      throw InputError("--species '" + text +
                       "' is not a list of names with their shares, such as O=1,H=2");
    }
    shares.push_back(share);
  }
  if (shares.empty()) {
    throw InputError("--species names no species");
  }
  return shares;
}

/// Checks the source of the frames' shape: either files, or numbers and a box.
void check_shape(const ParsedOptions& parsed, SimulateOptions& options,
                 Problems& problems) {
  options.inputs = parsed.positional;
  problems.collect([&] {
    if (parsed.has("frames")) {
      options.frames = parse_positive("--frames", parsed.get("frames"));
    }
  });
  problems.collect([&] {
    if (parsed.has("particles")) {
      options.particles = parse_positive("--particles", parsed.get("particles"));
      if (options.particles > most_particles) {
        throw InputError("--particles " + parsed.get("particles") +
                         " is more than can be simulated (" + grouped(most_particles) +
                         ")");
      }
    }
  });
  problems.collect([&] { options.species = parse_species(parsed.get("species")); });
  problems.collect([&] { set_box(parsed.get("box", "file"), options.reading); });
  options.reading.structure = parsed.get("structure");
  if (!options.inputs.empty()) {
    for (const char* name : {"particles", "species"}) {
      if (parsed.has(name)) {
        problems.add(std::string("--") + name + " cannot be used with a trajectory");
      }
    }
    return;
  }
  if (parsed.has("structure")) {
    problems.add("--structure needs a trajectory");
  }
  for (const char* name : {"frames", "particles", "box"}) {
    if (!parsed.has(name)) {
      problems.add("without a trajectory, --" + std::string(name) + " is needed");
    }
  }
  if (parsed.get("box", "") == "file" || !options.reading.box_file.empty()) {
    problems.add("--box " + parsed.get("box") + " needs a trajectory");
  }
}

void check_output_files(const ParsedOptions& parsed, SimulateOptions& options,
                        Problems& problems) {
  options.trace = parsed.get("trace");
  options.json = parsed.get("json");
  options.counting.record_tasks = !options.trace.empty();
  problems.collect([&] {
    std::vector<io::UsedPath> paths{{options.trace, io::PathUse::written, "--trace"},
                                    {options.json, io::PathUse::written, "--json"}};
    for (const SimulatedMachine& machine : options.machines) {
      paths.push_back({machine.file.string(), io::PathUse::read, "--machine"});
      paths.push_back(
          {machine.models.string(), io::PathUse::read, "models of --machine"});
    }
    io::check_path_conflicts(paths);
  });
  problems.collect([&] { check_side_file("--json", options.json); });
  problems.collect([&] {
    check_side_file("--trace", options.trace);
    if (!options.trace.empty() &&
        options.machines.size() * options.schedulers.size() > 1) {
      throw InputError("--trace needs a single machine and a single scheduler");
    }
  });
}

std::string machine_here() {
  const unsigned cores = std::thread::hardware_concurrency();
  return "cpu:" + std::to_string(std::clamp(cores, 1U, 256U));
}

SimulateOptions check_simulate_options(const ParsedOptions& parsed,
                                       Problems& problems) {
  SimulateOptions options;
  check_shape(parsed, options, problems);
  options.pairs = parsed.get("pairs");
  options.bins = {"", parsed.get("r-max"), parsed.get("bins"), parsed.get("bin-width")};
  problems.collect([&] {
    options.machines = parse_machines(parsed.get("machine", machine_here()));
  });
  options.schedulers = split_list(parsed.get("scheduler"));
  if (options.schedulers.empty()) {
    options.schedulers.emplace_back();
  }
  problems.collect([&] {
    options.counting.frames_per_block = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(parse_positive("--block", parsed.get("block")),
                                std::numeric_limits<std::uint32_t>::max()));
  });
  problems.collect([&] {
    if (parsed.has("task-pairs")) {
      options.counting.most_pairs_per_task =
          parse_positive("--task-pairs", parsed.get("task-pairs"));
    }
  });
  problems.collect(
      [&] { options.counting.clusters = parse_clustering(parsed.get("clusters")); });
  problems.collect(
      [&] { options.counting.labels = parse_labelling(parsed.get("labels")); });
  problems.collect([&] {
    if (parsed.has("read-rate")) {
      options.read_rate = parse_positive_number("--read-rate", parsed.get("read-rate"));
    }
  });
  check_output_files(parsed, options, problems);
  return options;
}

/// Integer numbers of particles with the right sum; the first species gets the rounding
/// remainder.
std::vector<std::uint64_t> particle_numbers(const SimulateOptions& options) {
  double parts = 0.0;
  for (const Share& share : options.species) {
    parts += share.parts;
  }
  std::vector<std::uint64_t> numbers;
  std::uint64_t given = 0;
  for (const Share& share : options.species) {
    numbers.push_back(static_cast<std::uint64_t>(
        static_cast<double>(options.particles) * share.parts / parts));
    given += numbers.back();
  }
  numbers.front() += options.particles - given;
  return numbers;
}

SimulatedRun run_of_numbers(const SimulateOptions& options) {
  SimulatedRun run;
  run.options = options.counting;
  run.options.frames = options.frames;
  run.frame.box = options.reading.box.value_or(Box());
  const std::vector<std::uint64_t> numbers = particle_numbers(options);
  for (std::size_t s = 0; s < options.species.size(); ++s) {
    run.layout.species.push_back(options.species[s].species);
    run.frame.positions.push_back(random_positions(run.frame.box, numbers[s], s + 1));
  }
  run.layout.pairs = options.pairs.empty()
                         ? all_pairs(run.layout.species.size())
                         : parse_pairs(options.pairs, run.layout.species);
  run.layout.bins = choose_bins(options.bins, run.frame, "").bins;
  check_range(run.layout, run.frame);
  return run;
}

SimulatedRun run_of_files(const SimulateOptions& options) {
  TrajectoryRunSpec spec;
  spec.inputs = options.inputs;
  spec.reading = options.reading;
  spec.pairs = options.pairs;
  spec.counting.frames_per_block = options.counting.frames_per_block;
  spec.choose_bins = [&](const Frame& frame, const std::string& length_unit) {
    return choose_bins(options.bins, frame, length_unit);
  };
  TrajectoryRun trajectory(spec);
  SimulatedRun run;
  run.layout = trajectory.run().layout;
  run.frame = trajectory.planned_frame();
  run.options = options.counting;
  run.options.frames =
      options.frames > 0 ? options.frames : trajectory.run().options.frames;
  return run;
}

}  // namespace

Manual simulate_manual() {
  using enum OptionGroup;
  return {
      .command = "simulate",
      .summary = "predict the run time on another machine",
      .synopsis = "[TRAJ...] [options]",
      .description =
          R"(Plans and submits a run as rdf does, and lets StarPU's schedulers place its
tasks on the workers of a machine that SimGrid simulates. StarPU's performance
models of that machine predict the task times; no pairs are counted. Trajectory
files, or --frames, --particles and --box, define the run.

Several machines and schedulers give a table. "Speed-up" is relative to the
first machine with the same scheduler. "Added workers" is the efficiency of the
GPUs or cores that a machine has in addition to the previous one: their rate, in
% of the mean rate of the previous machine's.)",
      .options = {structure_option(),
                  {input,
                   "frames",
                   "N",
                   "number of frames",
                   {.otherwise = "that of the trajectory"}},
                  {input, "particles", "N",
                   "particles per frame, at random positions in the box"},
                  {input,
                   "species",
                   "A=X,B=Y,...",
                   "species, with their shares of the particles",
                   {.fallback = "A"}},
                  {input,
                   "box",
                   "BOX",
                   "none (open), a,b,c or a,b,c,alpha,beta,gamma (angles in degrees)",
                   {.examples = {"none"}, .path = io::PathUse::read}},
                  {input,
                   "read-rate",
                   "R",
                   "frames that each machine reads per second",
                   {.otherwise = "unlimited"}},
                  {counting,
                   "r-max",
                   "R",
                   "count distances below R",
                   {.otherwise = "99 % of half the shortest lattice vector"}},
                  bins_option(),
                  bin_width_option(),
                  pairs_option(),
                  block_option(),
                  {output,
                   "trace",
                   "FILE",
                   "write one CSV line per task; only for one machine and scheduler",
                   {.path = io::PathUse::written}},
                  {output,
                   "json",
                   "FILE",
                   "also write all figures as JSON",
                   {.path = io::PathUse::written}},
                  {running,
                   "machine",
                   "M,...",
                   "cpu:N, h100:N, ... or a file (see below); KxM: K machines M",
                   {.otherwise = "cpu:N with all cores of this machine",
                    .examples = {"cpu:2", "h100:1", "h100:8", "2xh100:8"}}},
                  {running,
                   "scheduler",
                   "S,...",
                   "StarPU's schedulers",
                   {.otherwise = "as in rdf: dmdas with GPUs, lws without",
                    .examples = {"eager", "lws", "dmda", "dmdas"}}},
                  clusters_option(),
                  labels_option(),
                  task_pairs_option()},
      .sections = {
          {"machines",
           R"(  cpu:N     N cores of this machine's kind, with its models (see calibrate)
  h100:N    N NVIDIA H100 with 16 cores each, of which 4 count, with models
            supplied with starhist
  a100:N    the same with other GPUs, whose times follow from their properties:
            a100 (80 GB), b200, l4
  KxM       K machines M with one rank of starhist-mpi each: 16xh100:8
  FILE      a word and a value per line; # starts a comment:
              cpus 32            CPU workers
              gpus 4             GPUs
              memory 512         main memory [GiB]
              gpu-memory 80      memory of each GPU [GiB]
              to-gpu 50          bandwidth from main memory to a GPU [GB/s]
              from-gpu 50        bandwidth from a GPU to main memory [GB/s]
              between-gpus 200   bandwidth between GPUs [GB/s]
              latency 10         latency of a copy [us]
              copying 22         copies of positions by cores for GPUs [GB/s]
              first-copying 7    the same into newly allocated memory [GB/s]
              pinning 80         pinning new memory, one GPU at a time [GB/s]
              frame-time 6       host time per frame [us]
              task-time 65       host time per task [us]
                                 (defaults of these five: as shown)
              models FOLDER      StarPU models (codelets/45), relative to FILE
              host NAME          machine of the models: their names end in .NAME
              variant avx512     kernel of the CPU tasks in the models
              gpu-time-factor F  GPU task times are F times the modelled times
                                 (except with sorted particles): 0.5 for
                                 models of calibrate, 1 with --streams 1
            without models, times follow from these properties of the GPUs, by
            default of an H100; give one value, or one for each GPU (132,40):
              gpu-capability 9.0       compute capability
              gpu-multiprocessors 132
              gpu-clock 1.98           highest clock rate [GHz]
              gpu-shared-memory 227    most of a thread block [KiB]
)"},
          {"examples",
           R"(  the same run on 1, 2, 4 and 8 GPUs:
    starhist simulate --frames 2000 --particles 20000 --box 60,60,60 \
      --r-max 20 --machine h100:1,h100:2,h100:4,h100:8
  a second node, and one rank per GPU:
    starhist simulate --frames 2000 --particles 20000 --box 60,60,60 \
      --r-max 20 --machine h100:4,2xh100:4,8xh100:1
  StarPU's schedulers on two cores of this machine's kind, for a trajectory:
    starhist simulate water.h5 --machine cpu:2 --scheduler eager,lws,dmda,dmdas
)"},
          {"program",
           R"(  requires starhist-simulate, which is built with a separate StarPU:
    scripts/setup/build.sh simgrid
)"}}};
}

ExitCode run_simulate(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_unless_help(simulate_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  const SimulateOptions options = check_simulate_options(*parsed, problems);
  problems.throw_if_any("simulate");
  const std::string program = simulation_program();
  SimulatedRun run =
      options.inputs.empty() ? run_of_numbers(options) : run_of_files(options);
  run.seconds_to_read_a_frame = options.read_rate > 0.0 ? 1.0 / options.read_rate : 0.0;
  if (!options.trace.empty()) {
    run.trace = std::filesystem::absolute(options.trace).string();
  }
  std::cout << simulated_work(run) << std::flush;
  std::vector<Simulation> simulations;
  for (const std::string& scheduler : options.schedulers) {
    for (const SimulatedMachine& machine : options.machines) {
      std::size_t models = 0;
      const SimulatedResult result =
          simulate_run(program, machine, run, scheduler, models);
      simulations.push_back({machine.name, machine.ranks,
                             machine.ranks * machine.cpu_workers,
                             machine.ranks * machine.gpus, result, models > 0});
    }
  }
  std::cout << simulation_table(simulations);
  std::cerr << simulation_remarks(simulations);
  if (!options.json.empty()) {
    write_text(options.json,
               [&](std::ostream& out) { out << simulation_json(run, simulations); });
  }
  return ExitCode::done;
}

}  // namespace starhist::driver
