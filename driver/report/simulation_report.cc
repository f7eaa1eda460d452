#include "driver/report/simulation_report.hh"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include <nlohmann/json.hpp>

#include "codelets/core/base/text.hh"
#include "driver/run/version.hh"
#include "io/files/json_text.hh"

namespace starhist::driver {
namespace {

using io::json_number;
using Json = nlohmann::ordered_json;

/// Rate [10^9 pairs/s].
double rate(const SimulatedResult& result) {
  return result.seconds > 0.0
             ? 1e-9 * static_cast<double>(result.pairs) / result.seconds
             : 0.0;
}

/// Average share of the run during which the workers of one kind were busy [%].
double busy_percent(const SimulatedResult& result, bool cuda) {
  double busy = 0.0;
  int workers = 0;
  for (const WorkerSummary& worker : result.workers) {
    if (worker.cuda == cuda) {
      busy += worker.busy_seconds;
      ++workers;
    }
  }
  return workers == 0 || result.seconds <= 0.0
             ? 0.0
             : 100.0 * busy / result.seconds / workers;
}

/// The first simulation with the same scheduler.
const Simulation& first_like(const std::vector<Simulation>& all,
                             const Simulation& one) {
  return *std::find_if(all.begin(), all.end(), [&](const Simulation& other) {
    return other.result.scheduler == one.result.scheduler;
  });
}

double speedup(const std::vector<Simulation>& all, const Simulation& one) {
  const double seconds = one.result.seconds;
  return seconds > 0.0 ? first_like(all, one).result.seconds / seconds : 0.0;
}

/// Efficiency of the added workers: additional rate per worker compared with the
/// previous machine with the same scheduler, as a share of that machine's mean rate per
/// worker [%]; negative: no such machine.
double rate_of_added(const std::vector<Simulation>& all, std::size_t index) {
  const Simulation& one = all[index];
  for (std::size_t k = index; k-- > 0;) {
    const Simulation& before = all[k];
    if (before.result.scheduler != one.result.scheduler) {
      continue;
    }
    const bool by_gpu = one.gpus > 0 && before.gpus > 0;
    const int added = by_gpu ? one.gpus - before.gpus : one.cpus - before.cpus;
    const int had = by_gpu ? before.gpus : before.cpus;
    const bool like = (one.gpus > 0) == (before.gpus > 0);
    const double each = like && had > 0 ? rate(before.result) / had : 0.0;
    return added > 0 && each > 0.0
               ? 100.0 * (rate(one.result) - rate(before.result)) / added / each
               : -1.0;
  }
  return -1.0;
}

std::string percent(double value) {
  std::ostringstream text;
  if (value >= 0.0) {
    text << std::fixed << std::setprecision(0) << value << " %";
  }
  return text.str();
}

Json simulated_worker_json(const WorkerSummary& worker) {
  return {{"name", worker.name},
          {"kind", worker.cuda ? "cuda" : "cpu"},
          {"tasks", worker.tasks},
          {"pairs", worker.pairs},
          {"busy_seconds", json_number(worker.busy_seconds)}};
}

}  // namespace

std::string simulated_work(const SimulatedRun& run) {
  std::uint64_t particles = 0;
  std::vector<std::string> species;
  constexpr std::size_t most_names = 6;
  for (std::size_t s = 0; s < run.layout.species.size(); ++s) {
    const std::uint64_t number = run.frame.positions[s].size() / 3;
    particles += number;
    if (s < most_names) {
      species.push_back(run.layout.species[s] + " " + grouped(number));
    } else if (s == most_names) {
      species.emplace_back("...");
    }
  }
  return grouped(run.options.frames) +
         (run.options.frames == 1 ? " frame of " : " frames of ") + grouped(particles) +
         (particles == 1 ? " particle (" : " particles (") + join(species, ", ") +
         "), " + grouped(run.layout.pairs.size()) +
         (run.layout.pairs.size() == 1 ? " species pair, " : " species pairs, ") +
         to_string(run.frame.box.kind()) + " box, " + grouped(run.layout.bins.count) +
         " bins to " + number_text(run.layout.bins.r_max) + '\n';
}

std::string simulation_table(const std::vector<Simulation>& simulations) {
  std::ostringstream text;
  std::size_t width = 8;
  for (const Simulation& one : simulations) {
    width = std::max(width, one.machine.size());
  }
  const auto name = [&](const std::string& word) {
    text << std::left << std::setw(static_cast<int>(width) + 2) << word << std::right;
  };
  name("machine");
  text << std::left << std::setw(11) << "scheduler" << std::right
       << "     seconds  10^9 pairs/s  GPUs busy  CPUs busy  speed-up  added workers\n"
       << std::fixed;
  for (std::size_t k = 0; k < simulations.size(); ++k) {
    const Simulation& one = simulations[k];
    name(one.machine);
    text << std::left << std::setw(11) << one.result.scheduler << std::right
         << std::setprecision(4) << std::setw(12) << one.result.seconds
         << std::setprecision(2) << std::setw(14) << rate(one.result) << std::setw(11)
         << (one.gpus > 0 ? percent(busy_percent(one.result, true)) : "")
         << std::setw(11)
         << (one.cpus > 0 ? percent(busy_percent(one.result, false)) : "")
         << std::setprecision(3) << std::setw(10) << speedup(simulations, one);
    const std::string added = percent(rate_of_added(simulations, k));
    if (!added.empty()) {
      text << std::setw(15) << added;
    }
    text << '\n';
  }
  if (simulations.size() == 1) {
    const SimulatedResult& result = simulations.front().result;
    if (simulations.front().ranks > 1) {
      text << "  of one of " << simulations.front().ranks << " ranks:\n";
    }
    for (const WorkerSummary& worker : result.workers) {
      text << "  " << worker.name << ": " << grouped(worker.tasks) << " tasks, busy "
           << std::setprecision(1)
           << (result.seconds > 0.0 ? 100.0 * worker.busy_seconds / result.seconds
                                    : 0.0)
           << " %\n";
    }
  }
  return text.str();
}

std::string simulation_remarks(const std::vector<Simulation>& simulations) {
  std::vector<std::string> without;
  std::vector<std::string> partly;
  bool estimated = false;
  for (const Simulation& one : simulations) {
    std::vector<std::string>& list = !one.has_models ? without : partly;
    if ((!one.has_models || !one.result.measured) &&
        std::find(list.begin(), list.end(), one.machine) == list.end()) {
      list.push_back(one.machine);
    }
    estimated = estimated || one.result.estimated_pairs > 0;
  }
  std::string text;
  if (!without.empty()) {
    text += "no performance models of " + join(without, ", ") +
            ": times follow from the properties of its GPUs and typical processors "
            "(starhist calibrate measures models)\n";
  }
  if (!partly.empty()) {
    text += "the performance models of " + join(partly, ", ") +
            " do not cover all tasks of this run: the times of the others follow from "
            "the properties of GPUs and typical processors\n";
  }
  if (estimated) {
    text +=
        "small species are counted together in tasks whose times are estimates "
        "(--labels off avoids such tasks)\n";
  }
  return text;
}

std::string simulation_json(const SimulatedRun& run,
                            const std::vector<Simulation>& simulations) {
  Json list = Json::array();
  for (const Simulation& one : simulations) {
    Json workers = Json::array();
    for (const WorkerSummary& worker : one.result.workers) {
      workers.push_back(simulated_worker_json(worker));
    }
    list.push_back({{"machine", one.machine},
                    {"ranks", one.ranks},
                    {"cpus", one.cpus},
                    {"gpus", one.gpus},
                    {"scheduler", one.result.scheduler},
                    {"seconds", json_number(one.result.seconds)},
                    {"pairs", one.result.pairs},
                    {"pairs_per_second", json_number(1e9 * rate(one.result))},
                    {"bytes_moved", one.result.bytes_moved},
                    {"measured_models", one.has_models && one.result.measured},
                    {"tiles", one.result.clustered},
                    {"frames_per_batch", one.result.frames_per_batch},
                    {"pairs_per_task", one.result.most_pairs_per_task},
                    {"pairs_per_gpu_task", one.result.most_pairs_per_gpu_task},
                    {"cpu_share", json_number(one.result.cpu_share)},
                    {"workers", std::move(workers)}});
  }
  const Json json{{"program", "starhist"},
                  {"version", version()},
                  {"frames", run.options.frames},
                  {"simulations", std::move(list)}};
  return io::json_text(json) + "\n";
}

}  // namespace starhist::driver
