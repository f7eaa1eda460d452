#pragma once

#include <string>
#include <vector>

namespace starhist::tasks {

/// Processor numbers, as the operating system counts them.
using CpuList = std::vector<int>;

/// "0-3,8" -> {0, 1, 2, 3, 8}, the format of /sys and of taskset. Throws InputError for
/// any other text.
CpuList parse_cpu_list(const std::string& text);

/// The processors of each NUMA domain that this process may use. Domains without any
/// are left out. One domain with all of them where the operating system does not tell.
std::vector<CpuList> numa_domains();

/// Restricts the calling thread to `cpus`. Throws RunError where the system refuses.
void bind_this_thread(const CpuList& cpus);

}  // namespace starhist::tasks
