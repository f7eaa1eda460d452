/* Calls that are counted by kind, and the one that fails. */
#pragma once

/* The functions of each kind are in fail_files.c and fail_memory.c. Of files, the first
 * ten kinds are calls on files of the run, the next ten the same on all other paths and
 * pipes. */
enum Kind {
  kind_open,
  kind_read,
  kind_write,
  kind_resize,
  kind_sync,
  kind_rename,
  kind_unlink,
  kind_lock,
  kind_close,
  kind_stat,
  kind_others, /* added to the kinds above */
  kind_thread = 2 * kind_others,
  kind_process,
  kind_malloc_own,
  kind_malloc_stdcxx,
  kind_malloc_hdf5,
  kind_malloc_starpu,
  kind_malloc_others,
  kinds
};

/* Counts the call. True if it has to fail: errno is then as STARHIST_FAULT_ERROR says.
 */
int fails(enum Kind kind, const char* call, const char* about);

/* Whether calls are counted: only in the program that is tested, and not within
 * fails(). */
int counting(void);

/* The kind malloc_* of a call that returns to that address. */
enum Kind kind_of_caller(const void* address);

/* The function of that name in the library after this one. */
void* next_function(void** known, const char* name);
