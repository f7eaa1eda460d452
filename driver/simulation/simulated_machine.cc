#include "driver/simulation/simulated_machine.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <system_error>

#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/machine_memory.hh"
#include "codelets/core/base/text.hh"
#include "io/files/own_program.hh"

namespace starhist::driver {
namespace {

namespace fs = std::filesystem;
using perfmodels::GpuProperties;

constexpr double gibibyte = 0x1p30;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// StarPU's folder with the models of this machine.
fs::path own_models() {
  std::string named = variable("STARPU_PERF_MODEL_DIR");
  if (!named.empty()) {
    return named;
  }
  const std::string home = variable("STARPU_HOME");
  return fs::path(home.empty() ? variable("HOME") : home) / ".starpu" / "sampling";
}

/// StarPU's name of this machine in names of files.
std::string own_host() {
  std::string named = variable("STARPU_HOSTNAME");
  if (!named.empty()) {
    return named;
  }
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  const std::string host = name.data();
  return host.substr(0, host.find('.'));
}

/// Folder of the models shipped with starhist: installed, or in the source tree.
fs::path shipped_models() {
  const fs::path beside = io::own_program().parent_path();
  std::vector<std::string> looked;
  for (const fs::path& folder :
       {beside.parent_path() / "share/starhist/perfmodels/sampling",
        beside / "starhist-perfmodels"}) {
    std::error_code ignored;
    if (fs::is_directory(folder, ignored)) {
      return folder;
    }
    looked.push_back("'" + folder.string() + "'");
  }
  throw InputError(
      "no performance models found in " + join(looked, " or ") +
      ", the folders of the h100 models: install starhist with its models (cmake "
      "--install), or describe the machine in a file with 'models FOLDER'");
}

SimulatedMachine cpus_like_here(int cpus) {
  SimulatedMachine machine;
  machine.cpu_workers = cpus;
  machine.memory_bytes = machine_memory();
  machine.models = own_models();
  machine.host = own_host();
  return machine;
}

/// A GPU that --machine knows by name, in machines with 16 cores for each of them.
struct KnownGpu {
  const char* name;
  perfmodels::GpuProperties properties;
  double memory;        ///< [bytes]
  double from_host;     ///< bandwidth from main memory [bytes/s]
  double to_host;       ///< bandwidth to main memory [bytes/s]
  double between_gpus;  ///< [bytes/s]
};

const std::array known_gpus{
    KnownGpu{"h100", {}, 85'017'493'504.0, 52.7e9, 53.6e9, 300e9},
    KnownGpu{"a100", {80, 108, 1.41e9, 166'912, 2}, 85e9, 25e9, 25e9, 250e9},
    KnownGpu{"b200", {100, 148, 1.965e9, 232'448, 2}, 190e9, 53e9, 53e9, 700e9},
    KnownGpu{"l4", {89, 58, 2.04e9, 101'376, 64}, 24e9, 24e9, 24e9, 20e9},
};

const KnownGpu* known_gpu(const std::string& name) {
  const auto* const gpu =
      std::find_if(known_gpus.begin(), known_gpus.end(),
                   [&](const KnownGpu& known) { return known.name == name; });
  return gpu == known_gpus.end() ? nullptr : gpu;
}

/// Like the machines of perfmodels/sampling: of 16 cores for each GPU, 4 count
/// (Runtime). Only an H100 has models, of two workers for each GPU.
SimulatedMachine machine_with(const KnownGpu& gpu, int gpus) {
  SimulatedMachine machine;
  machine.gpus = gpus;
  machine.cpu_workers = 4 * gpus;
  machine.memory_bytes =
      static_cast<std::uint64_t>(128 * gibibyte) * static_cast<std::uint64_t>(gpus);
  machine.gpu_properties = {gpu.properties};
  machine.gpu_memory_bytes = static_cast<std::uint64_t>(gpu.memory);
  machine.to_gpu = gpu.from_host;
  machine.from_gpu = gpu.to_host;
  machine.between_gpus = gpu.between_gpus;
  machine.latency = 9e-6;
  machine.cpu_variant = "avx512";
  machine.host = gpu.name;
  if (machine.host == "h100") {
    machine.models = shipped_models();
    machine.gpu_time_factor = 0.5;
  }
  return machine;
}

/// A finite number in [least, most]; messages start with `what`.
double parse_value(const std::string& text, double least, double most,
                   const std::string& what) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(least <= value && value <= most)) {
    throw InputError(what + " '" + text + "' is not a number from " +
                     number_text(least) + " to " + number_text(most));
  }
  return value;
}

int parse_number_of(const std::string& text, int least, int most,
                    const std::string& what) {
  const double value = parse_value(text, least, most, what);
  if (value != std::floor(value)) {
    throw InputError(what + " '" + text + "' is not a whole number");
  }
  return static_cast<int>(value);
}

using Setter = std::function<void(const std::string& value, const std::string& what)>;

using SetProperty = std::function<void(GpuProperties& gpu, const std::string& value,
                                       const std::string& what)>;

/// Sets a property of all GPUs to one value, or of each to one of "VALUE,VALUE".
void set_of_gpus(std::vector<GpuProperties>& gpus, const SetProperty& set,
                 const std::string& values, const std::string& what) {
  std::vector<std::string> each;
  std::istringstream list(values);
  for (std::string value; std::getline(list, value, ',');) {
    each.push_back(value);
  }
  if (each.size() > 1 && gpus.size() == 1) {
    gpus.resize(each.size(), gpus.front());
  }
  if (each.size() > 1 && each.size() != gpus.size()) {
    throw InputError(what + " has " + std::to_string(each.size()) +
                     " values, and an earlier property has " +
                     std::to_string(gpus.size()));
  }
  for (std::size_t k = 0; k < gpus.size(); ++k) {
    set(gpus[k], each.size() > 1 ? each[k] : values, what);
  }
}

/// Settings of a machine that a file can contain.
std::map<std::string, Setter> setters(SimulatedMachine& machine,
                                      const fs::path& folder) {
  const auto number = [](double& target, double scale, double most) -> Setter {
    return [&target, scale, most](const std::string& value, const std::string& what) {
      target = scale * parse_value(value, 1e-6, most, what);
    };
  };
  const auto bytes = [](std::uint64_t& target) -> Setter {
    return [&target](const std::string& value, const std::string& what) {
      target =
          static_cast<std::uint64_t>(gibibyte * parse_value(value, 0.01, 1e6, what));
    };
  };
  const auto of_gpus = [&machine](const SetProperty& set) -> Setter {
    return [&machine, set](const std::string& values, const std::string& what) {
      set_of_gpus(machine.gpu_properties, set, values, what);
    };
  };
  return {
      {"cpus",
       [&machine](const std::string& value, const std::string& what) {
         machine.cpu_workers = parse_number_of(value, 0, most_simulated_cpus, what);
       }},
      {"gpus",
       [&machine](const std::string& value, const std::string& what) {
         machine.gpus = parse_number_of(value, 0, most_simulated_gpus, what);
       }},
      {"memory", bytes(machine.memory_bytes)},
      {"gpu-memory", bytes(machine.gpu_memory_bytes)},
      {"to-gpu", number(machine.to_gpu, 1e9, 1e6)},
      {"from-gpu", number(machine.from_gpu, 1e9, 1e6)},
      {"between-gpus", number(machine.between_gpus, 1e9, 1e6)},
      {"copying", number(machine.copying, 1e9, 1e6)},
      {"first-copying", number(machine.first_copying, 1e9, 1e6)},
      {"pinning", number(machine.pinning, 1e9, 1e6)},
      {"frame-time", number(machine.frame_seconds, 1e-6, 1e6)},
      {"task-time", number(machine.task_seconds, 1e-6, 1e6)},
      {"latency", number(machine.latency, 1e-6, 1e6)},
      {"gpu-capability", of_gpus([](GpuProperties& gpu, const std::string& value,
                                    const std::string& what) {
         gpu.capability =
             static_cast<int>(std::lround(10.0 * parse_value(value, 7.0, 99.9, what)));
       })},
      {"gpu-multiprocessors", of_gpus([](GpuProperties& gpu, const std::string& value,
                                         const std::string& what) {
         gpu.multiprocessors = parse_number_of(value, 1, 10'000, what);
       })},
      {"gpu-clock", of_gpus([](GpuProperties& gpu, const std::string& value,
                               const std::string& what) {
         gpu.clock = 1e9 * parse_value(value, 1e-6, 100.0, what);
       })},
      {"gpu-shared-memory", of_gpus([](GpuProperties& gpu, const std::string& value,
                                       const std::string& what) {
         gpu.shared_bytes = static_cast<std::uint32_t>(
             1024.0 * parse_value(value, 16.0, 4096.0, what));
       })},
      {"gpu-time-factor", number(machine.gpu_time_factor, 1.0, 1e6)},
      {"models",
       [&machine, folder](const std::string& value, const std::string&) {
         machine.models = folder / value;
       }},
      {"host", [&machine](const std::string& value,
                          const std::string&) { machine.host = value; }},
      {"variant",
       [&machine](const std::string& value, const std::string& what) {
         if (value != "avx512" && value != "avx2" && value != "neon" &&
             value != "baseline") {
           throw InputError(what + " '" + value +
                            "' is not one of avx512, avx2, neon, baseline");
         }
         machine.cpu_variant = value;
       }},
  };
}

SimulatedMachine read_machine(const fs::path& path) {
  std::ifstream file(path);
  if (!file) {
    throw InputError("the description of a machine '" + path.string() +
                     "' cannot be read");
  }
  SimulatedMachine machine = cpus_like_here(0);
  machine.file = path;
  machine.gpu_memory_bytes = static_cast<std::uint64_t>(80 * gibibyte);
  machine.to_gpu = machine.from_gpu = machine.between_gpus = 25e9;
  machine.latency = 1e-5;
  const std::map<std::string, Setter> keys = setters(machine, path.parent_path());
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string key;
    std::string value;
    std::string rest;
    if (!(words >> key)) {
      continue;
    }
    const std::string place = path.string() + ", line " + std::to_string(number) + ": ";
    const auto setter = keys.find(key);
    if (setter == keys.end()) {
      std::vector<std::string> known;
      for (const auto& [name, ignored] : keys) {
        known.push_back(name);
      }
      throw InputError(place + "'" + key + "' is not one of " + join(known, ", "));
    }
    if (!(words >> value) || words >> rest) {
      throw InputError(place + key + " takes one value");
    }
    setter->second(value, place + key);
  }
  const std::size_t described = machine.gpu_properties.size();
  if (described > 1 && described != static_cast<std::size_t>(machine.gpus)) {
    throw InputError(path.string() + ": properties of " + std::to_string(described) +
                     " GPUs, but gpus is " + std::to_string(machine.gpus) +
                     " (give one value for all GPUs, or one for each)");
  }
  return machine;
}

SimulatedMachine one_machine(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    const std::string kind = text.substr(0, colon);
    const std::string number = text.substr(colon + 1);
    if (kind == "cpu") {
      return cpus_like_here(parse_number_of(number, 1, most_simulated_cpus, "cpu:"));
    }
    if (const KnownGpu* gpu = known_gpu(kind)) {
      return machine_with(*gpu,
                          parse_number_of(number, 1, most_simulated_gpus, kind + ":"));
    }
  }
  std::error_code ignored;
  if (!fs::is_regular_file(text, ignored)) {
    throw InputError(
        "is neither cpu:N, nor h100:N, a100:N, b200:N or l4:N, nor the file of a "
        "machine, nor a number of these, such as 16xh100:8");
  }
  return read_machine(text);
}

/// End of "16x" at the start of a text; 0 if the text has no such prefix.
std::size_t end_of_number_of_ranks(const std::string& text) {
  const std::size_t x = text.find_first_not_of("0123456789");
  return x != std::string::npos && x > 0 && text[x] == 'x' ? x + 1 : 0;
}

}  // namespace

SimulatedMachine parse_machine(const std::string& text) {
  std::error_code ignored;
  const std::size_t begin =
      fs::is_regular_file(text, ignored) ? 0 : end_of_number_of_ranks(text);
  SimulatedMachine machine;
  try {
    machine = one_machine(text.substr(begin));
    if (begin > 0) {
      machine.ranks = parse_number_of(text.substr(0, begin - 1), 1,
                                      most_simulated_ranks, "number of machines");
    }
  } catch (const InputError& error) {
    throw InputError("--machine " + text + ": " + error.what());
  }
  if (machine.cpu_workers + machine.gpus == 0) {
    throw InputError("--machine " + text + ": has neither cpus nor gpus");
  }
  machine.name =
      text.substr(0, begin) + fs::path(text.substr(begin)).filename().string();
  return machine;
}

std::vector<SimulatedMachine> parse_machines(const std::string& text) {
  std::vector<SimulatedMachine> machines;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    machines.push_back(parse_machine(name));
  }
  if (machines.empty()) {
    throw InputError("--machine names no machine");
  }
  return machines;
}

}  // namespace starhist::driver
