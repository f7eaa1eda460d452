/* malloc and its relatives, counted by the library of their caller. operator new counts
 * as a call of malloc by its caller, and throws as it does where malloc has returned
 * NULL. */
#define _GNU_SOURCE
#include "fail_calls.h"
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

/* The caller of operator new, until malloc has been called. */
static __thread const void* caller_of_new __attribute__((tls_model("initial-exec")));

static int refused(const char* call, const void* caller) {
  if (!counting()) {
    return 0;
  }
  caller = caller_of_new == NULL ? caller : caller_of_new;
  caller_of_new = NULL;
  return fails(kind_of_caller(caller), call, "");
}

#define CALLER __builtin_return_address(0)

void* malloc(size_t size) {
  return refused("malloc", CALLER) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return refused("calloc", CALLER) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  return refused("realloc", CALLER) ? NULL : __libc_realloc(old, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return refused("aligned_alloc", CALLER) ? NULL : __libc_memalign(alignment, size);
}

void* memalign(size_t alignment, size_t size) {
  return refused("memalign", CALLER) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  void* const memory =
      refused("posix_memalign", CALLER) ? NULL : __libc_memalign(alignment, size);
  if (memory == NULL) {
    return ENOMEM;
  }
  *result = memory;
  return 0;
}

/* operator new in its forms, by their names for the linker. */
#define OPERATOR_NEW(name, parameters, arguments)                              \
  void* name parameters {                                                      \
    static void* known;                                                        \
    void*(*next)parameters = (void*(*)parameters)next_function(&known, #name); \
    if (counting() && caller_of_new == NULL) {                                 \
      caller_of_new = CALLER;                                                  \
    }                                                                          \
    return next arguments;                                                     \
  }

OPERATOR_NEW(_Znwm, (size_t size), (size))
OPERATOR_NEW(_Znam, (size_t size), (size))
OPERATOR_NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment))
OPERATOR_NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment))
OPERATOR_NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void* tag), (size, tag))
OPERATOR_NEW(_ZnamRKSt9nothrow_t, (size_t size, const void* tag), (size, tag))
OPERATOR_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t,
             (size_t size, size_t alignment, const void* tag), (size, alignment, tag))
OPERATOR_NEW(_ZnamSt11align_val_tRKSt9nothrow_t,
             (size_t size, size_t alignment, const void* tag), (size, alignment, tag))
