#pragma once

#include <string>
#include <vector>

namespace starhist::tasks {

/// Processor numbers of the operating system.
using CpuList = std::vector<int>;

/// "0-3,8" -> {0, 1, 2, 3, 8}, the format of /sys and of taskset. Throws InputError for
/// any other text.
CpuList parse_cpu_list(const std::string& text);

/// The processors of each NUMA domain that this process may use, without empty domains.
/// A single domain with all processors if the operating system does not list domains.
std::vector<CpuList> numa_domains();
/// Number of all these processors.
int usable_processors();

/// Restricts the calling thread to `cpus`. Throws RunError if the system refuses.
void bind_this_thread(const CpuList& cpus);

}  // namespace starhist::tasks
