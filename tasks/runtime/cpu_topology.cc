#include "tasks/runtime/cpu_topology.hh"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sched.h>

#include "codelets/core/base/error.hh"

namespace starhist::tasks {
namespace {

CpuList allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) {
    throw RunError(std::string("cannot read the process affinity: ") + strerror(errno));
  }
  CpuList cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

int parse_cpu(const std::string& text, const std::string& list) {
  int value = -1;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    throw InputError("processor list '" + list + "' is not of the form 0-3,8");
  }
  return value;
}

}  // namespace

CpuList parse_cpu_list(const std::string& text) {
  CpuList cpus;
  std::istringstream ranges(text);
  for (std::string range; std::getline(ranges, range, ',');) {
    const auto dash = range.find('-');
    const int first = parse_cpu(range.substr(0, dash), text);
    const int last =
        dash == std::string::npos ? first : parse_cpu(range.substr(dash + 1), text);
    for (int cpu = first; cpu <= last; ++cpu) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

std::vector<CpuList> numa_domains() {
  const CpuList allowed = allowed_cpus();
  std::vector<CpuList> domains;
  for (int node = 0;; ++node) {
    std::ifstream file("/sys/devices/system/node/node" + std::to_string(node) +
                       "/cpulist");
    std::string text;
    if (!file || !std::getline(file, text)) {
      break;
    }
    CpuList domain;
    for (const int cpu : parse_cpu_list(text)) {
      if (std::binary_search(allowed.begin(), allowed.end(), cpu)) {
        domain.push_back(cpu);
      }
    }
    if (!domain.empty()) {
      domains.push_back(domain);
    }
  }
  if (domains.empty()) {
    domains.push_back(allowed);
  }
  return domains;
}

int usable_processors() {
  int count = 0;
  for (const CpuList& domain : numa_domains()) {
    count += static_cast<int>(domain.size());
  }
  return count;
}

void bind_this_thread(const CpuList& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  if (sched_setaffinity(0, sizeof(set), &set) != 0) {
    throw RunError(std::string("cannot bind a thread to its NUMA domain: ") +
                   strerror(errno));
  }
}

}  // namespace starhist::tasks
