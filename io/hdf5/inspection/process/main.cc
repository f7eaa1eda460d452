// starhist-inspect: reads the metadata of an untrusted HDF5 file within limits of
// memory and CPU time, so that a file that crashes the HDF5 library ends only this
// process. starhist starts it; see io/hdf5/inspection/inspection_process.hh for the
// other side.
//
//   starhist-inspect refuse|follow FILE

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "codelets/core/base/error.hh"
#include "io/hdf5/inspection/hdf5_walk.hh"
#include "io/hdf5/inspection/inspection_process.hh"
#include "io/hdf5/inspection/inspection_report.hh"

namespace {

#if defined(__SANITIZE_ADDRESS__)  // GCC
constexpr bool address_sanitizer = true;
#elif defined(__has_feature)  // Clang
#if __has_feature(address_sanitizer)
constexpr bool address_sanitizer = true;
#else
constexpr bool address_sanitizer = false;
#endif
#else
constexpr bool address_sanitizer = false;
#endif

/// Sets a limit, unless the process has a lower one already.
void set_limit(__rlimit_resource which, rlim_t value) {
  rlimit limit{};
  ::getrlimit(which, &limit);
  limit.rlim_cur = std::min(value, limit.rlim_max);
  ::setrlimit(which, &limit);
}

void set_limits(const starhist::io::InspectionLimits& limits) {
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, limits.cpu_seconds);
  if (!address_sanitizer) {  // its shadow memory exceeds any limit
    set_limit(RLIMIT_AS, limits.address_space);
  }
#ifdef __GLIBC__
  // Fills freed and uninitialized memory, so that its use shows here rather than in
  // starhist.
  constexpr int pattern = 0xA5;
  ::mallopt(M_PERTURB, pattern);
#endif
}

bool write_all(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t size = ::write(1, text.data() + done, text.size() - done);
    if (size <= 0) {
      return false;
    }
    done += static_cast<std::size_t>(size);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace starhist::io;
  if (argc != 3) {
    return EXIT_FAILURE;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct stat file {};
  if (::stat(argv[2], &file) != 0) {
    return EXIT_FAILURE;
  }
  set_limits(inspection_limits(static_cast<std::uint64_t>(file.st_size)));
  const bool follow = std::strcmp(argv[1], "follow") == 0;
  try {
    const ExternalFileList files = walk_hdf5_file(
        argv[2], follow ? ExternalFiles::followed : ExternalFiles::refused);
    return write_all(inspection_report(files)) ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::bad_alloc&) {
    return inspection_lacks_memory;
  } catch (const ShortData&) {
    return inspection_short_data;
  } catch (const starhist::InputError&) {
    return inspection_cannot_list;
  } catch (const std::exception&) {
    return EXIT_FAILURE;
  }
}
