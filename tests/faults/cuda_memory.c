/* Preloaded: CUDA refuses memory. STARHIST_CUDA_MEMORY=KIND:K, with the kinds
 *
 * device:K  the K-th cudaMalloc
 * host:K    the K-th cudaHostAlloc or cudaHostRegister
 *
 * of the process; KIND:K+ that one and all later ones. At its end the process writes to
 * the file STARHIST_CUDA_CALLS how many calls of each kind there were. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { no_memory = 2 }; /* cudaErrorMemoryAllocation */
static atomic_int device_calls;
static atomic_int host_calls;
static _Thread_local int last_error;

/* True where this call of `kind` is the one to fail. */
static int refused(const char* kind, atomic_int* calls) {
  const int call = atomic_fetch_add(calls, 1) + 1;
  const char* text = getenv("STARHIST_CUDA_MEMORY");
  const size_t length = strlen(kind);
  if (text == NULL || strncmp(text, kind, length) != 0 || text[length] != ':') {
    return 0;
  }
  char* end;
  const long wanted = strtol(text + length + 1, &end, 10);
  const int fails = call == wanted || (*end == '+' && call > wanted);
  last_error = fails ? no_memory : last_error;
  return fails;
}

int cudaMalloc(void** memory, size_t bytes) {
  int (*next)(void**, size_t) =
      (int (*)(void**, size_t))dlsym(RTLD_NEXT, "cudaMalloc");
  return refused("device", &device_calls) ? no_memory : next(memory, bytes);
}

int cudaHostAlloc(void** memory, size_t bytes, unsigned flags) {
  int (*next)(void**, size_t, unsigned) =
      (int (*)(void**, size_t, unsigned))dlsym(RTLD_NEXT, "cudaHostAlloc");
  return refused("host", &host_calls) ? no_memory : next(memory, bytes, flags);
}

int cudaHostRegister(void* memory, size_t bytes, unsigned flags) {
  int (*next)(void*, size_t, unsigned) =
      (int (*)(void*, size_t, unsigned))dlsym(RTLD_NEXT, "cudaHostRegister");
  return refused("host", &host_calls) ? no_memory : next(memory, bytes, flags);
}

/* As CUDA does: the error of a refused call is reported once. */
int cudaGetLastError(void) {
  int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "cudaGetLastError");
  const int error = last_error;
  last_error = 0;
  return error != 0 ? error : next();
}

__attribute__((destructor)) static void write_calls(void) {
  const char* path = getenv("STARHIST_CUDA_CALLS");
  FILE* file = path == NULL ? NULL : fopen(path, "w");
  if (file != NULL) {
    fprintf(file, "%d %d\n", atomic_load(&device_calls), atomic_load(&host_calls));
    fclose(file);
  }
}
