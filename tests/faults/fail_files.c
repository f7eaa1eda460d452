/* Calls on files, pipes, threads and processes, counted by kind and by whether the file
 * is one of the run. */
#define _GNU_SOURCE
#include "fail_calls.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_of_run(const char* path) {
  const char* const files = getenv("STARHIST_FAULT_FILES");
  return files != NULL && strncmp(path, files, strlen(files)) == 0;
}

static int fails_at(enum Kind kind, const char* call, const char* path) {
  return counting() && fails(is_of_run(path) ? kind : kind_others + kind, call, path);
}

/* Messages to standard error are left alone: without them no run could say why it ends.
 */
static int fails_on(enum Kind kind, const char* call, int file) {
  if (!counting() || file == STDERR_FILENO) {
    return 0;
  }
  char link[40], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const long size = syscall(SYS_readlink, link, path, sizeof path - 1);
  path[size < 0 ? 0 : size] = '\0';
  return fails_at(kind, call, path);
}

static int fails_stream(enum Kind kind, const char* call, FILE* stream) {
  return fails_on(kind, call, fileno(stream));
}

/* CALL(type of the result, name, parameters, arguments, whether it fails, result if it
 * does) */
#define CALL(type, name, parameters, arguments, failing, failed)               \
  type name parameters {                                                       \
    static void* known;                                                        \
    type(*next) parameters = (type(*) parameters)next_function(&known, #name); \
    return failing ? failed : next arguments;                                  \
  }

#define OPEN(name)                                                                  \
  int name(const char* path, int flags, ...) {                                      \
    static void* known;                                                             \
    int (*next)(const char*, int, ...) =                                            \
        (int (*)(const char*, int, ...))next_function(&known, #name);               \
    va_list list;                                                                   \
    va_start(list, flags);                                                          \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
    va_end(list);                                                                   \
    return fails_at(kind_open, #name, path) ? -1 : next(path, flags, mode);         \
  }
#define OPENAT(name)                                                                \
  int name(int folder, const char* path, int flags, ...) {                          \
    static void* known;                                                             \
    int (*next)(int, const char*, int, ...) =                                       \
        (int (*)(int, const char*, int, ...))next_function(&known, #name);          \
    va_list list;                                                                   \
    va_start(list, flags);                                                          \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
    va_end(list);                                                                   \
    return fails_at(kind_open, #name, path) ? -1 : next(folder, path, flags, mode); \
  }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
/* What open() is called in programs that are compiled with _FORTIFY_SOURCE. */
#undef __open_2
#undef __open64_2
CALL(int, __openat_2, (int folder, const char* path, int flags), (folder, path, flags),
     fails_at(kind_open, "openat", path), -1)
CALL(int, __openat64_2, (int folder, const char* path, int flags),
     (folder, path, flags), fails_at(kind_open, "openat", path), -1)
CALL(int, __open_2, (const char* path, int flags), (path, flags),
     fails_at(kind_open, "open", path), -1)
CALL(int, __open64_2, (const char* path, int flags), (path, flags),
     fails_at(kind_open, "open", path), -1)
CALL(FILE*, fopen, (const char* path, const char* mode), (path, mode),
     fails_at(kind_open, "fopen", path), NULL)
CALL(FILE*, fopen64, (const char* path, const char* mode), (path, mode),
     fails_at(kind_open, "fopen", path), NULL)
CALL(char*, mkdtemp, (char* path), (path), fails_at(kind_open, "mkdtemp", path), NULL)
CALL(int, mkstemp, (char* path), (path), fails_at(kind_open, "mkstemp", path), -1)
CALL(int, mkstemp64, (char* path), (path), fails_at(kind_open, "mkstemp", path), -1)
CALL(int, mkdir, (const char* path, mode_t mode), (path, mode),
     fails_at(kind_open, "mkdir", path), -1)
CALL(int, memfd_create, (const char* name, unsigned flags), (name, flags),
     fails_at(kind_open, "memfd_create", name), -1)

CALL(ssize_t, read, (int file, void* data, size_t size), (file, data, size),
     fails_on(kind_read, "read", file), -1)
CALL(ssize_t, readv, (int file, const struct iovec* parts, int count),
     (file, parts, count), fails_on(kind_read, "readv", file), -1)
CALL(ssize_t, pread, (int file, void* data, size_t size, off_t offset),
     (file, data, size, offset), fails_on(kind_read, "pread", file), -1)
CALL(ssize_t, pread64, (int file, void* data, size_t size, off64_t offset),
     (file, data, size, offset), fails_on(kind_read, "pread", file), -1)
/* What read() and the like are called in programs that are compiled with
 * _FORTIFY_SOURCE. */
CALL(ssize_t, __read_chk, (int file, void* data, size_t size, size_t room),
     (file, data, size, room), fails_on(kind_read, "read", file), -1)
CALL(ssize_t, __pread_chk,
     (int file, void* data, size_t size, off_t offset, size_t room),
     (file, data, size, offset, room), fails_on(kind_read, "pread", file), -1)
CALL(ssize_t, __pread64_chk,
     (int file, void* data, size_t size, off64_t offset, size_t room),
     (file, data, size, offset, room), fails_on(kind_read, "pread", file), -1)
CALL(size_t, __fread_chk,
     (void* data, size_t room, size_t size, size_t count, FILE* stream),
     (data, room, size, count, stream), fails_stream(kind_read, "fread", stream), 0)
CALL(char*, __fgets_chk, (char* text, size_t room, int size, FILE* stream),
     (text, room, size, stream), fails_stream(kind_read, "fgets", stream), NULL)
CALL(size_t, fread, (void* data, size_t size, size_t count, FILE* stream),
     (data, size, count, stream), fails_stream(kind_read, "fread", stream), 0)
CALL(char*, fgets, (char* text, int size, FILE* stream), (text, size, stream),
     fails_stream(kind_read, "fgets", stream), NULL)

CALL(ssize_t, write, (int file, const void* data, size_t size), (file, data, size),
     fails_on(kind_write, "write", file), -1)
CALL(ssize_t, writev, (int file, const struct iovec* parts, int count),
     (file, parts, count), fails_on(kind_write, "writev", file), -1)
CALL(ssize_t, pwrite, (int file, const void* data, size_t size, off_t offset),
     (file, data, size, offset), fails_on(kind_write, "pwrite", file), -1)
CALL(ssize_t, pwrite64, (int file, const void* data, size_t size, off64_t offset),
     (file, data, size, offset), fails_on(kind_write, "pwrite", file), -1)
CALL(size_t, fwrite, (const void* data, size_t size, size_t count, FILE* stream),
     (data, size, count, stream), fails_stream(kind_write, "fwrite", stream), 0)

CALL(int, ftruncate, (int file, off_t size), (file, size),
     fails_on(kind_resize, "ftruncate", file), -1)
CALL(int, ftruncate64, (int file, off64_t size), (file, size),
     fails_on(kind_resize, "ftruncate", file), -1)
CALL(int, fallocate, (int file, int mode, off_t offset, off_t size),
     (file, mode, offset, size), fails_on(kind_resize, "fallocate", file), -1)
CALL(int, fallocate64, (int file, int mode, off64_t offset, off64_t size),
     (file, mode, offset, size), fails_on(kind_resize, "fallocate", file), -1)

CALL(int, fsync, (int file), (file), fails_on(kind_sync, "fsync", file), -1)
CALL(int, fdatasync, (int file), (file), fails_on(kind_sync, "fdatasync", file), -1)

CALL(int, rename, (const char* from, const char* to), (from, to),
     fails_at(kind_rename, "rename", to), -1)
CALL(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
     (a, from, b, to, flags), fails_at(kind_rename, "renameat2", to), -1)
CALL(int, link, (const char* from, const char* to), (from, to),
     fails_at(kind_rename, "link", to), -1)

CALL(int, unlink, (const char* path), (path), fails_at(kind_unlink, "unlink", path), -1)
CALL(int, unlinkat, (int folder, const char* path, int flags), (folder, path, flags),
     fails_at(kind_unlink, "unlinkat", path), -1)
CALL(int, remove, (const char* path), (path), fails_at(kind_unlink, "remove", path), -1)

CALL(int, flock, (int file, int operation), (file, operation),
     fails_on(kind_lock, "flock", file), -1)

static int is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_GETLK ||
         command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}
#define FCNTL(name)                                                                    \
  int name(int file, int command, ...) {                                               \
    static void* known;                                                                \
    int (*next)(int, int, ...) = (int (*)(int, int, ...))next_function(&known, #name); \
    va_list list;                                                                      \
    va_start(list, command);                                                           \
    void* const argument = va_arg(list, void*);                                        \
    va_end(list);                                                                      \
    return is_lock(command) && fails_on(kind_lock, "fcntl", file)                      \
               ? -1                                                                    \
               : next(file, command, argument);                                        \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

/* The file is closed nevertheless, as Linux does. */
int close(int file) {
  static void* known;
  int (*next)(int) = (int (*)(int))next_function(&known, "close");
  if (fails_on(kind_close, "close", file)) {
    const int error = errno;
    next(file);
    errno = error;
    return -1;
  }
  return next(file);
}

CALL(int, stat, (const char* path, struct stat* found), (path, found),
     fails_at(kind_stat, "stat", path), -1)
CALL(int, lstat, (const char* path, struct stat* found), (path, found),
     fails_at(kind_stat, "lstat", path), -1)
CALL(int, stat64, (const char* path, struct stat64* found), (path, found),
     fails_at(kind_stat, "stat", path), -1)
CALL(int, lstat64, (const char* path, struct stat64* found), (path, found),
     fails_at(kind_stat, "lstat", path), -1)
CALL(int, fstatat, (int folder, const char* path, struct stat* found, int flags),
     (folder, path, found, flags), fails_at(kind_stat, "fstatat", path), -1)
CALL(int, fstatat64, (int folder, const char* path, struct stat64* found, int flags),
     (folder, path, found, flags), fails_at(kind_stat, "fstatat", path), -1)
CALL(int, fstat, (int file, struct stat* found), (file, found),
     fails_on(kind_stat, "fstat", file), -1)
CALL(int, fstat64, (int file, struct stat64* found), (file, found),
     fails_on(kind_stat, "fstat", file), -1)
CALL(off_t, lseek, (int file, off_t offset, int from), (file, offset, from),
     fails_on(kind_stat, "lseek", file), -1)
CALL(off64_t, lseek64, (int file, off64_t offset, int from), (file, offset, from),
     fails_on(kind_stat, "lseek", file), -1)

CALL(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t* attributes, void* (*start)(void*),
      void* argument),
     (thread, attributes, start, argument),
     counting() && fails(kind_thread, "pthread_create", ""), errno)
CALL(int, posix_spawn,
     (pid_t * process, const char* path, const posix_spawn_file_actions_t* actions,
      const posix_spawnattr_t* attributes, char* const* words,
      char* const* environment),
     (process, path, actions, attributes, words, environment),
     counting() && fails(kind_process, "posix_spawn", path), errno)
CALL(int, pipe2, (int ends[2], int flags), (ends, flags),
     counting() && fails(kind_process, "pipe2", ""), -1)
CALL(int, eventfd, (unsigned value, int flags), (value, flags),
     counting() && fails(kind_process, "eventfd", ""), -1)
