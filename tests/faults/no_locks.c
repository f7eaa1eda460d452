/* Preloaded: the file system has no locks. STARHIST_NO_LOCKS=flock: only for flock(),
 * which HDF5 calls; fcntl: only for locks of fcntl(), which starhist takes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

static int refused(const char* call) {
  const char* text = getenv("STARHIST_NO_LOCKS");
  return text != NULL && strcmp(text, call) == 0;
}

int flock(int file, int operation) {
  int (*next)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
  if (refused("flock")) {
    errno = ENOLCK;
    return -1;
  }
  return next(file, operation);
}

static int with_locks(const char* name, int file, int command, void* argument) {
  int (*next)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);
  if (command == F_OFD_SETLK && refused("fcntl")) {
    errno = ENOLCK;
    return -1;
  }
  return next(file, command, argument);
}

int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  return with_locks("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  return with_locks("fcntl64", file, command, argument);
}
