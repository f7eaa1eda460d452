#include "driver/ranks/host_share.hh"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include <sched.h>

namespace starhist::driver {
namespace {

/// Integer in a file of a processor's topology; 0 if missing.
std::uint32_t topology_number(std::uint32_t processor, const char* name) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                     "/topology/" + name);
  std::uint32_t number = 0;
  file >> number;
  return number;
}

std::vector<std::uint32_t> own_processors() {
  std::vector<std::uint32_t> processors;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) {
    return processors;
  }
  for (std::uint32_t k = 0; k < CPU_SETSIZE; ++k) {
    if (CPU_ISSET(k, &set)) {
      processors.push_back(k);
    }
  }
  std::sort(processors.begin(), processors.end(), [](std::uint32_t a, std::uint32_t b) {
    const auto key = [](std::uint32_t k) {
      return std::tuple(topology_number(k, "physical_package_id"),
                        topology_number(k, "core_id"), k);
    };
    return key(a) < key(b);
  });
  return processors;
}

/// Number of GPUs whose device files are visible to this process.
std::uint32_t gpus_of_host() {
  std::uint32_t gpus = 0;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", failure)) {
    const std::string name = entry.path().filename();
    const std::string begin = "nvidia";
    gpus +=
        name.starts_with(begin) && name.size() > begin.size() &&
                name.find_first_not_of("0123456789", begin.size()) == std::string::npos
            ? 1
            : 0;
  }
  return gpus;
}

std::vector<std::string> gpu_names(const RankPlace& place) {
  std::vector<std::string> names;
  if (!place.visible_gpus) {
    for (std::uint32_t k = 0; k < place.gpus; ++k) {
      names.push_back(std::to_string(k));
    }
    return names;
  }
  std::istringstream list(*place.visible_gpus);
  for (std::string name; std::getline(list, name, ',');) {
    names.push_back(name);
  }
  return names;
}

/// The entries of rank `number` of `ranks`.
template <class T>
std::vector<T> part_of(const std::vector<T>& all, std::uint32_t number,
                       std::uint32_t ranks) {
  const auto at = [&](std::uint32_t k) {
    return all.begin() + static_cast<std::ptrdiff_t>(all.size() * k / ranks);
  };
  return {at(number), at(number + 1)};
}

}  // namespace

RankPlace own_place(std::uint32_t host) {
  RankPlace place;
  place.host = host;
  place.processors = own_processors();
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    place.visible_gpus = visible;
  }
  place.gpus = gpus_of_host();
  return place;
}

std::vector<HostShare> share_hosts(const std::vector<RankPlace>& places) {
  std::map<std::uint32_t, std::vector<std::size_t>> hosts;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    hosts[places[rank].host].push_back(rank);
  }
  std::vector<HostShare> shares(places.size());
  for (const auto& of_host : hosts) {
    const std::vector<std::size_t>& ranks = of_host.second;
    const RankPlace& first = places[ranks.front()];
    const auto count = static_cast<std::uint32_t>(ranks.size());
    const auto all_have = [&](auto member) {
      return count > 1 &&
             std::all_of(ranks.begin(), ranks.end(), [&](std::size_t rank) {
               return places[rank].*member == first.*member;
             });
    };
    const bool same_processors = all_have(&RankPlace::processors);
    const std::vector<std::string> gpus = gpu_names(first);
    const bool same_gpus = all_have(&RankPlace::visible_gpus) && !gpus.empty();
    for (std::uint32_t k = 0; k < count; ++k) {
      HostShare& share = shares[ranks[k]];
      share.number = k;
      share.ranks = count;
      const std::vector<std::uint32_t>& processors = first.processors;
      if (same_processors && processors.size() < count && !processors.empty()) {
        share.processors = {processors[k % processors.size()]};
      } else if (same_processors) {
        share.processors = part_of(processors, k, count);
      }
      if (same_gpus) {
        std::string visible;
        const std::uint32_t takers =
            std::min(count, static_cast<std::uint32_t>(gpus.size()));
        if (k < takers) {
          for (const std::string& gpu : part_of(gpus, k, takers)) {
            visible += (visible.empty() ? "" : ",") + gpu;
          }
        }
        share.visible_gpus = visible;
      }
    }
  }
  return shares;
}

void take_share(const HostShare& share) {
  if (!share.processors.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const std::uint32_t processor : share.processors) {
      CPU_SET(processor, &set);
    }
    // If the system refuses, ranks share processors, which is slower but correct.
    static_cast<void>(::sched_setaffinity(0, sizeof set, &set));
  }
  if (share.visible_gpus) {
    setenv("CUDA_VISIBLE_DEVICES", share.visible_gpus->c_str(), /*overwrite=*/1);
  }
}

}  // namespace starhist::driver
