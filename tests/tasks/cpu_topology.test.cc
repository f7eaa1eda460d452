#include "tasks/runtime/cpu_topology.hh"

#include <algorithm>
#include <set>
#include <thread>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

TEST_CASE("lists of processors in the operating system's format") {
  CHECK(tasks::parse_cpu_list("0") == tasks::CpuList{0});
  CHECK(tasks::parse_cpu_list("0-3,8") == tasks::CpuList{0, 1, 2, 3, 8});
  CHECK(tasks::parse_cpu_list("5,7-7,10-11") == tasks::CpuList{5, 7, 10, 11});
  CHECK(tasks::parse_cpu_list("").empty());  // a NUMA node without processors
}

TEST_CASE("invalid lists of processors are refused, with their text") {
  for (const char* text :
       {"a", "1-", "-1", "1-x", "1,,2", "0x3", "1 ,2", "99999999999"}) {
    INFO(text);
    CHECK(missing(error_text<InputError>([&] { tasks::parse_cpu_list(text); }),
                  {text, "0-3,8"}) == "");
  }
}

TEST_CASE("the domains of this machine hold each usable processor once") {
  const auto domains = tasks::numa_domains();
  REQUIRE_FALSE(domains.empty());
  std::set<int> cpus;
  std::size_t count = 0;
  for (const tasks::CpuList& domain : domains) {
    CHECK_FALSE(domain.empty());
    cpus.insert(domain.begin(), domain.end());
    count += domain.size();
  }
  CHECK(cpus.size() == count);
  CHECK(tasks::usable_processors() == static_cast<int>(count));
  CHECK(count <= std::thread::hardware_concurrency());
}

TEST_CASE("a bound thread sees only its processors") {
  const int first = tasks::numa_domains().front().front();
  std::vector<tasks::CpuList> seen;
  std::thread([&] {
    tasks::bind_this_thread({first});
    seen = tasks::numa_domains();
  }).join();
  CHECK(seen == std::vector<tasks::CpuList>{{first}});
  CHECK_FALSE(error_text<RunError>([] { tasks::bind_this_thread({}); }).empty());
}

}  // namespace
}  // namespace starhist
