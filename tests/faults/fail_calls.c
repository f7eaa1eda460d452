/* Preloaded: counts calls of a program by kind and lets one of them fail, or all from
 * one on.
 *
 * STARHIST_FAULT_PROGRAM  name of the program whose calls count (starhist)
 * STARHIST_FAULT_STATE    a file that gets a record of name (24 bytes) and count (8)
 * per kind STARHIST_FAULT_FILES    path that the files of the run begin with
 * STARHIST_FAULT_KIND     name of the kind that fails; not set: none
 * STARHIST_FAULT_CALL     number of the call that fails, from 1 on
 * STARHIST_FAULT_ALL      set: all later calls of the kind fail too
 * STARHIST_FAULT_ERROR    errno of the call
 * STARHIST_FAULT_LOG      a file that gets the failed call and its callers
 */
#define _GNU_SOURCE
#include "fail_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct Record {
  char name[24];
  uint64_t count;
};

struct Module {
  uintptr_t begin, end;
  enum Kind kind;
};

static const char* const file_kinds[] = {"open",   "read",   "write", "resize", "sync",
                                         "rename", "unlink", "lock",  "close",  "stat"};
static const char* const further_kinds[] = {
    "thread",      "process",       "malloc own",   "malloc libstdc++",
    "malloc HDF5", "malloc StarPU", "malloc others"};

static struct Record* records;
static struct Module modules[256];
static int module_count;
static int chosen = -1;
static uint64_t first_call;
static int all_calls, error_number, log_file = -1;
static __thread int within __attribute__((tls_model("initial-exec")));

int counting(void) {
  return records != NULL && !within;
}

void* next_function(void** known, const char* name) {
  if (*known == NULL) {
    ++within;
    *known = dlsym(RTLD_NEXT, name);
    --within;
  }
  return *known;
}

enum Kind kind_of_caller(const void* address) {
  for (int k = 0; k < module_count; ++k) {
    if ((uintptr_t)address >= modules[k].begin && (uintptr_t)address < modules[k].end) {
      return modules[k].kind;
    }
  }
  return kind_malloc_others;
}

static int add_module(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  const char* const name = info->dlpi_name;
  enum Kind kind = kind_malloc_others;
  if (*(int*)data == 0) { /* the program itself comes first */
    kind = kind_malloc_own;
  } else if (strstr(name, "/libstdc++.so") != NULL) {
    kind = kind_malloc_stdcxx;
  } else if (strstr(name, "/libhdf5") != NULL) {
    kind = kind_malloc_hdf5;
  } else if (strstr(name, "/libstarpu") != NULL) {
    kind = kind_malloc_starpu;
  }
  ++*(int*)data;
  for (int k = 0; k < info->dlpi_phnum && module_count < 256; ++k) {
    if (info->dlpi_phdr[k].p_type == PT_LOAD) {
      const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
      modules[module_count++] =
          (struct Module){begin, begin + info->dlpi_phdr[k].p_memsz, kind};
    }
  }
  return 0;
}

static void log_call(const char* call, const char* about, uint64_t number) {
  char line[600];
  void* callers[24];
  const int depth = backtrace(callers, 24);
  int size = snprintf(line, sizeof line, "%s %s (call %llu)\n", call, about,
                      (unsigned long long)number);
  syscall(SYS_write, log_file, line,
          size < (int)sizeof line ? size : (int)sizeof line - 1);
  for (int k = 2; k < depth; ++k) {
    Dl_info found;
    if (dladdr(callers[k], &found) != 0) {
      size = snprintf(line, sizeof line, "  %s 0x%lx\n", found.dli_fname,
                      (unsigned long)((char*)callers[k] - (char*)found.dli_fbase));
      syscall(SYS_write, log_file, line,
              size < (int)sizeof line ? size : (int)sizeof line - 1);
    }
  }
}

int fails(enum Kind kind, const char* call, const char* about) {
  const uint64_t number = __atomic_add_fetch(&records[kind].count, 1, __ATOMIC_RELAXED);
  if ((int)kind != chosen || number < first_call ||
      (number > first_call && !all_calls)) {
    return 0;
  }
  if (log_file >= 0 && number == first_call) {
    ++within;
    log_call(call, about, number);
    --within;
  }
  errno = error_number;
  return 1;
}

static void name_kinds(struct Record* named) {
  for (int k = 0; k < kind_others; ++k) {
    snprintf(named[k].name, sizeof named[k].name, "%s", file_kinds[k]);
    snprintf(named[kind_others + k].name, sizeof named[k].name, "%s elsewhere",
             file_kinds[k]);
  }
  for (int k = kind_thread; k < kinds; ++k) {
    snprintf(named[k].name, sizeof named[k].name, "%s", further_kinds[k - kind_thread]);
  }
}

static long number_of(const char* variable) {
  const char* const text = getenv(variable);
  return text == NULL ? 0 : atol(text);
}

__attribute__((constructor)) static void begin(void) {
  const char* const program = getenv("STARHIST_FAULT_PROGRAM");
  const char* const state = getenv("STARHIST_FAULT_STATE");
  const char* const kind = getenv("STARHIST_FAULT_KIND");
  const char* const log = getenv("STARHIST_FAULT_LOG");
  if (state == NULL || strcmp(program_invocation_short_name,
                              program == NULL ? "starhist" : program) != 0) {
    return;
  }
  void* callers[2];
  backtrace(callers, 2); /* loads what it needs */
  const int file =
      (int)syscall(SYS_openat, AT_FDCWD, state, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, 4096) != 0) {
    _exit(126);
  }
  struct Record* const named =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (named == MAP_FAILED) {
    _exit(126);
  }
  name_kinds(named);
  for (int k = 0; kind != NULL && k < kinds; ++k) {
    chosen = strcmp(kind, named[k].name) == 0 ? k : chosen;
  }
  if (kind != NULL && chosen < 0) {
    _exit(126);
  }
  first_call = (uint64_t)number_of("STARHIST_FAULT_CALL");
  all_calls = getenv("STARHIST_FAULT_ALL") != NULL;
  error_number = (int)number_of("STARHIST_FAULT_ERROR");
  if (log != NULL) {
    log_file =
        (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  }
  int modules_seen = 0;
  dl_iterate_phdr(add_module, &modules_seen);
  records = named;
}
