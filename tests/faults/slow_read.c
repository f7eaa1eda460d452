/* Preloaded: while there is a file STARHIST_SLOW_READ, each read of a file on disk takes
 * a minute more, as of a network file system whose server is down. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t read(int file, void* data, size_t size) {
  ssize_t (*next)(int, void*, size_t) =
      (ssize_t(*)(int, void*, size_t))dlsym(RTLD_NEXT, "read");
  const char* gate = getenv("STARHIST_SLOW_READ");
  struct stat status;
  if (gate != NULL && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      access(gate, F_OK) == 0) {
    sleep(60);
  }
  return next(file, data, size);
}
