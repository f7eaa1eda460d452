/* Preloaded: fsync takes STARHIST_FSYNC_MS milliseconds more, as on a busy disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int fsync(int file) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  const char* text = getenv("STARHIST_FSYNC_MS");
  const long milliseconds = text == NULL ? 0 : atol(text);
  const struct timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&wait, NULL);
  return next(file);
}
