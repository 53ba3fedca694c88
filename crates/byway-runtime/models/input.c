// Files as descriptors: opened, read, mapped, duplicated, closed. Streams are in stream.c.
#include "files.h"
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off_t, size_t);
int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);
int __fxstat(int, int, struct stat *) __attribute__((weak));
int __fxstat64(int, int, struct stat64 *) __attribute__((weak));

static int opened(int fd, int flags, _Bool created) {
  if (fd >= 0)
    byway_opened(fd, flags, created || (flags & O_TMPFILE) == O_TMPFILE);
  return fd;
}

#define OPEN(name, parameters, last, directory, arguments)                                                             \
  int byway_model_##name parameters {                                                                                  \
    mode_t mode = 0;                                                                                                   \
    va_list list;                                                                                                      \
    va_start(list, last);                                                                                              \
    FIX(flags), named(path);                                                                                           \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)                                                         \
      mode = va_arg(list, mode_t);                                                                                     \
    va_end(list);                                                                                                      \
    _Bool created = is_new(directory, path, flags);                                                                    \
    return opened(name arguments, flags, created);                                                                     \
  }
OPEN(open, (const char *path, int flags, ...), flags, AT_FDCWD, (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), flags, AT_FDCWD, (path, flags, mode))
OPEN(openat, (int directory, const char *path, int flags, ...), flags, directory, (directory, path, flags, mode))
OPEN(openat64, (int directory, const char *path, int flags, ...), flags, directory, (directory, path, flags, mode))

int byway_model___open_2(const char *path, int flags) { return opened(__open_2(named(path), flags), flags, 0); }
int byway_model___open64_2(const char *path, int flags) { return opened(__open64_2(named(path), flags), flags, 0); }
int byway_model___openat_2(int directory, const char *path, int flags) {
  return opened(__openat_2(directory, named(path), flags), flags, 0);
}
int byway_model___openat64_2(int directory, const char *path, int flags) {
  return opened(__openat64_2(directory, named(path), flags), flags, 0);
}

int byway_model_creat(const char *path, mode_t mode) {
  _Bool created = is_new(AT_FDCWD, named(path), O_CREAT);
  return opened(creat(path, mode), O_CREAT | O_WRONLY | O_TRUNC, created);
}

int byway_model_creat64(const char *path, mode_t mode) {
  _Bool created = is_new(AT_FDCWD, named(path), O_CREAT);
  return opened(creat64(path, mode), O_CREAT | O_WRONLY | O_TRUNC, created);
}

int byway_model_mkstemp(char *path) { return opened(mkstemp(path), O_CREAT | O_EXCL | O_RDWR, 1); }
int byway_model_mkstemp64(char *path) { return opened(mkstemp64(path), O_CREAT | O_EXCL | O_RDWR, 1); }

int byway_model_close(int fd) {
  byway_closed(FIX(fd));
  return close(fd);
}

static int duplicated(int from, int to) {
  if (to >= 0)
    byway_duplicated(from, to);
  return to;
}

int byway_model_dup(int fd) {
  FIX(fd);
  return duplicated(fd, dup(fd));
}

int byway_model_dup2(int fd, int to) {
  FIX(fd), FIX(to);
  return duplicated(fd, dup2(fd, to));
}

int byway_model_dup3(int fd, int to, int flags) {
  FIX(fd), FIX(to);
  return duplicated(fd, dup3(fd, to, flags));
}

// All commands of fcntl have one argument at most, of the size of a pointer.
#define FCNTL(name)                                                                                                    \
  int byway_model_##name(int fd, int command, ...) {                                                                   \
    va_list list;                                                                                                      \
    va_start(list, command);                                                                                           \
    void *argument = va_arg(list, void *);                                                                             \
    va_end(list);                                                                                                      \
    int result = name(FIX(fd), FIX(command), argument);                                                                \
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, result) : result;                         \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

#define READ(name, parameters, arguments)                                                                              \
  ssize_t byway_model_##name parameters {                                                                              \
    byway_may_write(buffer, n);                                                                                        \
    byway_taken(n);                                                                                                    \
    FIX(fd), FIX(buffer);                                                                                              \
    byway_reading(fd);                                                                                                 \
    ssize_t count = name arguments;                                                                                    \
    if (count > 0) {                                                                                                   \
      byway_writes(buffer, byway_concrete(count));                                                                     \
      byway_read(fd, buffer, count);                                                                                   \
    }                                                                                                                  \
    return count;                                                                                                      \
  }
READ(read, (int fd, void *buffer, size_t n), (fd, buffer, n))
READ(__read_chk, (int fd, void *buffer, size_t n, size_t room), (fd, buffer, n, room))

#define READ_AT(name, parameters, arguments)                                                                           \
  ssize_t byway_model_##name parameters {                                                                              \
    byway_may_write(buffer, n);                                                                                        \
    byway_taken(n);                                                                                                    \
    FIX(fd), FIX(buffer), FIX(offset);                                                                                 \
    byway_reading(fd);                                                                                                 \
    ssize_t count = name arguments;                                                                                    \
    if (count > 0) {                                                                                                   \
      byway_writes(buffer, byway_concrete(count));                                                                     \
      byway_read_at(fd, buffer, count, offset);                                                                        \
    }                                                                                                                  \
    return count;                                                                                                      \
  }
READ_AT(pread, (int fd, void *buffer, size_t n, off_t offset), (fd, buffer, n, offset))
READ_AT(pread64, (int fd, void *buffer, size_t n, off_t offset), (fd, buffer, n, offset))
READ_AT(__pread_chk, (int fd, void *buffer, size_t n, off_t offset, size_t room), (fd, buffer, n, offset, room))
READ_AT(__pread64_chk, (int fd, void *buffer, size_t n, off_t offset, size_t room), (fd, buffer, n, offset, room))

// What was read to several buffers came from one place after the other. byway_read wants the position before the read,
// which is where the descriptor is now, less what was read; a pipe has none.
static ssize_t scattered(int fd, const struct iovec *parts, int n, off_t offset, ssize_t count) {
  size_t left = count > 0 ? (size_t)count : 0;
  for (int i = 0; i < n && left > 0; i++) {
    size_t taken = smaller(left, parts[i].iov_len);
    byway_writes(parts[i].iov_base, byway_concrete(taken));
    if (offset >= 0) {
      byway_read_at(fd, parts[i].iov_base, taken, offset);
      offset += taken;
    } else {
      byway_read(fd, parts[i].iov_base, taken);
    }
    left -= taken;
  }
  return count;
}

// Before it: how much may be read to each.
static void may_scatter(const struct iovec *parts, int n) {
  for (int i = 0; i < n; i++) {
    byway_may_write(parts[i].iov_base, parts[i].iov_len);
    byway_taken(parts[i].iov_len);
  }
}

static off_t place(int fd) {
  int error = errno;
  off_t offset = lseek(fd, 0, SEEK_CUR);
  errno = error;
  return offset;
}

ssize_t byway_model_readv(int fd, const struct iovec *parts, int n) {
  FIX(fd), FIX(parts), FIX(n);
  may_scatter(parts, n);
  byway_reading(fd);
  off_t before = place(fd);
  return scattered(fd, parts, n, before, readv(fd, parts, n));
}

ssize_t byway_model_preadv(int fd, const struct iovec *parts, int n, off_t offset) {
  FIX(fd), FIX(parts), FIX(n), FIX(offset);
  may_scatter(parts, n);
  return scattered(fd, parts, n, offset, preadv(fd, parts, n, offset));
}

ssize_t byway_model_preadv64(int fd, const struct iovec *parts, int n, off_t offset) {
  FIX(fd), FIX(parts), FIX(n), FIX(offset);
  may_scatter(parts, n);
  return scattered(fd, parts, n, offset, preadv64(fd, parts, n, offset));
}

ssize_t byway_model_recv(int fd, void *buffer, size_t n, int flags) {
  byway_may_write(buffer, n);
  byway_taken(n);
  FIX(buffer);
  ssize_t count = recv(fd, buffer, n, flags);
  if (count > 0)
    byway_clear(buffer, count < (ssize_t)byway_concrete(n) ? (size_t)count : byway_concrete(n));
  return count;
}

// A place in a file that depends on the input is taken as it is. How far the end is may depend on it.
#define SEEK(name)                                                                                                     \
  off_t byway_model_##name(int fd, off_t offset, int whence) {                                                         \
    FIX(fd), FIX(offset), FIX(whence);                                                                                 \
    if (whence == SEEK_END)                                                                                            \
      byway_reading(fd);                                                                                               \
    return name(fd, offset, whence);                                                                                   \
  }
SEEK(lseek)
SEEK(lseek64)

// The size of a file that is input is asked for on the path, before somebody is told.
#define STATUS(name, parameters, arguments)                                                                            \
  int byway_model_##name parameters {                                                                                  \
    FIX(fd), FIX(status);                                                                                              \
    byway_reading(fd);                                                                                                 \
    int failed = name arguments;                                                                                       \
    if (!failed)                                                                                                       \
      byway_clear(status, sizeof *status);                                                                             \
    return failed;                                                                                                     \
  }
STATUS(fstat, (int fd, struct stat *status), (fd, status))
STATUS(fstat64, (int fd, struct stat64 *status), (fd, status))
STATUS(__fxstat, (int version, int fd, struct stat *status), (version, fd, status))
STATUS(__fxstat64, (int version, int fd, struct stat64 *status), (version, fd, status))

static void *mapped(void *p, size_t n, int flags, int fd, off_t offset) {
  if (p == MAP_FAILED)
    return p;
  if (!(flags & MAP_ANONYMOUS))
    byway_mapped(p, n, fd, offset);
  else if (flags & MAP_FIXED)
    byway_unmapped(p, n);
  return p;
}

void *byway_model_mmap(void *p, size_t n, int protection, int flags, int fd, off_t offset) {
  FIX(p), FIX(n), FIX(flags), FIX(fd), FIX(offset);
  return mapped(mmap(p, n, protection, flags, fd, offset), n, flags, fd, offset);
}

void *byway_model_mmap64(void *p, size_t n, int protection, int flags, int fd, off_t offset) {
  FIX(p), FIX(n), FIX(flags), FIX(fd), FIX(offset);
  return mapped(mmap64(p, n, protection, flags, fd, offset), n, flags, fd, offset);
}

int byway_model_munmap(void *p, size_t n) {
  byway_unmapped(FIX(p), FIX(n));
  return munmap(p, n);
}

void *byway_model_mremap(void *old, size_t n, size_t size, int flags, ...) {
  va_list list;
  va_start(list, flags);
  FIX(old), FIX(n), FIX(size), FIX(flags);
  void *wanted = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
  va_end(list);
  void *p = mremap(old, n, size, flags, wanted);
  if (p == MAP_FAILED)
    return p;
  if (p != old) {
    byway_copy(p, old, smaller(n, size));
    byway_unmapped(old, n);
  } else if (size < n) {
    byway_unmapped((char *)p + size, n - size);
  }
  return p;
}
