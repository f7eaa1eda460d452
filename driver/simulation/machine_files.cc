#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iomanip>
#include <sstream>
#include <system_error>

#include "codelets/core/base/error.hh"
#include "driver/simulation/simulated_machine.hh"

namespace starhist::driver {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) {
    throw RunError("cannot write '" + path.string() + "'");
  }
}

/// Contents of StarPU's files of bandwidths and latencies: rows from each memory to
/// each other. Memory 0 is the main memory. StarPU requires as many rows as it could
/// have memories.
std::string matrix(int gpus, const std::function<double(int from, int to)>& value) {
  constexpr int most_memories = 256;
  std::ostringstream text;
  text << "# from each memory, in rows, to each\n" << std::scientific;
  for (int from = 0; from < most_memories; ++from) {
    for (int to = 0; to <= gpus; ++to) {
      text << (to == 0 ? "" : "\t");
      if (from > gpus) {
        text << "nan";
      } else {
        text << (from == to ? 0.0 : value(from, to));
      }
    }
    text << '\n';
  }
  return text.str();
}

double bandwidth(const SimulatedMachine& machine, int from, int to) {
  return from == 0 ? machine.to_gpu : to == 0 ? machine.from_gpu : machine.between_gpus;
}

/// The platform of SimGrid: a host for each worker and memory. Each GPU has a link to
/// the main memory and one to other GPUs for each direction, which only its own copies
/// share.
std::string platform(const SimulatedMachine& machine) {
  constexpr const char* speed = "2000000000f";  // arbitrary: times are in seconds
  std::ostringstream xml;
  xml << std::setprecision(12)
      << "<?xml version='1.0'?>\n"
         "<!DOCTYPE platform SYSTEM "
         "'http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd'>\n"
         "<platform version=\"4\">\n<config id=\"General\">\n";
  for (const auto& [name, value] : {std::pair{"TCP-gamma", "-1"},
                                    {"latency-factor", "1"},
                                    {"bandwidth-factor", "1"},
                                    {"crosstraffic", "0"},
                                    {"weight-S", "0.0"}}) {
    xml << "  <prop id=\"network/" << name << "\" value=\"" << value << "\"/>\n";
  }
  xml << "</config>\n<AS id=\"AS0\" routing=\"Full\">\n"
         "<host id=\"MAIN\" speed=\"1f\"/>\n<host id=\"RAM\" speed=\"1f\"/>\n";
  // Each GPU occupies a core that drives it.
  for (int cpu = 0; cpu < machine.cpu_workers + machine.gpus; ++cpu) {
    xml << "<host id=\"CPU" << cpu << "\" speed=\"" << speed << "\"/>\n";
  }
  for (int gpu = 0; gpu < machine.gpus; ++gpu) {
    xml << "<host id=\"CUDA" << gpu << "\" speed=\"" << speed
        << "\"><prop id=\"memsize\" value=\"" << machine.gpu_memory_bytes
        << "\"/><prop id=\"memcpy_peer\" value=\"1\"/></host>\n";
  }
  const auto link = [&](const char* kind, int gpu, double bytes_per_second) {
    xml << "<link id=\"" << kind << gpu << "\" bandwidth=\"" << bytes_per_second
        << "Bps\" latency=\"" << machine.latency << "s\"/>\n";
  };
  for (int gpu = 0; gpu < machine.gpus; ++gpu) {
    link("to", gpu, machine.to_gpu);
    link("from", gpu, machine.from_gpu);
    link("out", gpu, machine.between_gpus);
    link("in", gpu, machine.between_gpus);
  }
  const auto route = [&](const std::string& from, const std::string& to,
                         const std::string& first, const std::string& second) {
    xml << "<route src=\"" << from << "\" dst=\"" << to
        << "\" symmetrical=\"NO\"><link_ctn id=\"" << first << "\"/>"
        << (second.empty() ? "" : "<link_ctn id=\"" + second + "\"/>") << "</route>\n";
  };
  for (int gpu = 0; gpu < machine.gpus; ++gpu) {
    const std::string number = std::to_string(gpu);
    route("RAM", "CUDA" + number, "to" + number, "");
    route("CUDA" + number, "RAM", "from" + number, "");
    for (int other = 0; other < machine.gpus; ++other) {
      if (other != gpu) {
        route("CUDA" + number, "CUDA" + std::to_string(other), "out" + number,
              "in" + std::to_string(other));
      }
    }
  }
  xml << "</AS>\n</platform>\n";
  return xml.str();
}

/// A line of a model with the time of tasks of one size: hash, size, flops, mean,
/// deviation, sum, sum of squares, number.
struct TimedSize {
  std::string hash;
  std::string size;
  double flops = 0.0;
  double mean = 0.0;
  double deviation = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  std::string number;
};

/// The line with times multiplied by `factor`; other lines are unchanged.
std::string scaled(const std::string& line, double factor) {
  std::istringstream words(line);
  TimedSize t;
  std::string rest;
  if (!(words >> t.hash >> t.size >> t.flops >> t.mean >> t.deviation >> t.sum >>
        t.squares >> t.number) ||
      words >> rest || t.hash.size() != 8) {
    return line;
  }
  std::ostringstream text;
  text << t.hash << '\t' << t.size << '\t' << std::scientific << t.flops << '\t'
       << factor * t.mean << '\t' << factor * t.deviation << '\t' << factor * t.sum
       << '\t' << factor * factor * t.squares << '\t' << t.number;
  return text.str();
}

/// The model at `path` with GPU times multiplied by `factor`.
std::string model_text(const fs::path& path, double factor) {
  std::ifstream file(path);
  std::string text;
  bool kind_follows = false;
  bool gpu = false;
  for (std::string line; std::getline(file, line);) {
    if (kind_follows) {
      gpu = line == "1";
      kind_follows = false;
    }
    kind_follows = line.rfind("# device type", 0) == 0;
    text += (gpu ? scaled(line, factor) : line) + '\n';
  }
  if (file.bad() || text.empty()) {
    throw RunError("the performance model '" + path.string() + "' cannot be read");
  }
  return text;
}

/// Version of StarPU's model files, and name of their folder.
constexpr const char* model_version = "45";

std::size_t copy_models(const SimulatedMachine& machine, const fs::path& target) {
  const std::string ending = "." + machine.host;
  std::size_t copied = 0;
  std::error_code none;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(machine.models / "codelets" / model_version, none)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > ending.size() && name.ends_with(ending)) {
      const bool counted_by_one = name.find("_tiled") != std::string::npos;
      write_file(
          target / (name.substr(0, name.size() - ending.size()) + "." + simulated_host),
          model_text(entry.path(), counted_by_one ? 1.0 : machine.gpu_time_factor));
      ++copied;
    }
  }
  return copied;
}

}  // namespace

std::size_t write_machine(const SimulatedMachine& machine, const fs::path& folder) {
  const fs::path codelets = folder / "codelets" / model_version;
  std::error_code failure;
  fs::create_directories(folder / "bus", failure);
  fs::create_directories(codelets, failure);
  if (failure) {
    throw RunError("cannot create '" + codelets.string() + "' (" + failure.message() +
                   ")");
  }
  const fs::path bus = folder / "bus" / simulated_host;
  constexpr double megabyte = 1e6;
  constexpr double microsecond = 1e-6;
  write_file(bus.string() + ".bandwidth", matrix(machine.gpus, [&](int from, int to) {
               return bandwidth(machine, from, to) / megabyte;
             }));
  write_file(bus.string() + ".latency", matrix(machine.gpus, [&](int, int) {
               return machine.latency / microsecond;
             }));
  // StarPU locates the others through this file, but reads it only on real machines.
  write_file(bus.string() + ".config", "# simulated by starhist\n");
  write_file(bus.string() + ".platform.v4.xml", platform(machine));
  return copy_models(machine, codelets);
}

}  // namespace starhist::driver
