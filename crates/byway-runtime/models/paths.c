// Files by their paths: whether a path that depends on the input is the name of a file that is there. Beyond that it is taken
// as it is, and what the functions say of it means nothing.
#include "files.h"
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

int __xstat(int, const char *, struct stat *) __attribute__((weak));
int __lxstat(int, const char *, struct stat *) __attribute__((weak));
int __xstat64(int, const char *, struct stat64 *) __attribute__((weak));
int __lxstat64(int, const char *, struct stat64 *) __attribute__((weak));
int __fxstatat(int, int, const char *, struct stat *, int) __attribute__((weak));
int __fxstatat64(int, int, const char *, struct stat64 *, int) __attribute__((weak));

static const char *taken(const char *function, const char *path) {
  if (named(path))
    byway_consumed(function, path, strlen(path) + 1);
  return path;
}

// Whether a file can be made depends on which directories its path goes through: where its components end, and whether they are
// `.` or `..`. Each byte is a branch, so that an input for which it is otherwise is none for the same path.
static const char *taken_apart(const char *function, const char *path) {
  taken(function, path);
  if (!path || !byway_symbolic(path, strlen(path) + 1))
    return path;
  size_t n = ends(path, strlen(path)), slashes = 0;
  for (size_t i = 0; i < n && n <= LIMIT; i++)
    if (path[i] == '/')
      slashes++;
  for (size_t i = 0; i < n && slashes && n <= LIMIT; i++)
    if (path[i] == '.')
      slashes++;
  return path;
}

// The parameters come with parentheses, `path` is one of them.
#define PATH(type, name, parameters, arguments)                                                                        \
  type byway_model_##name parameters {                                                                                 \
    taken(#name, path);                                                                                                \
    return name arguments;                                                                                             \
  }
#define NEW_PATH(name, parameters, arguments)                                                                          \
  int byway_model_##name parameters {                                                                                  \
    taken_apart(#name, path);                                                                                          \
    return name arguments;                                                                                             \
  }
#define TWO_PATHS(name, parameters, arguments)                                                                         \
  int byway_model_##name parameters {                                                                                  \
    taken(#name, path);                                                                                                \
    taken(#name, other);                                                                                               \
    return name arguments;                                                                                             \
  }
// What the function says of the file is at `status`.
#define STATUS(name, parameters, arguments)                                                                            \
  int byway_model_##name parameters {                                                                                  \
    taken(#name, path);                                                                                                \
    FIX(status);                                                                                                       \
    int failed = name arguments;                                                                                       \
    if (!failed)                                                                                                       \
      byway_clear(status, sizeof *status);                                                                             \
    return failed;                                                                                                     \
  }
STATUS(stat, (const char *path, struct stat *status), (path, status))
STATUS(lstat, (const char *path, struct stat *status), (path, status))
STATUS(stat64, (const char *path, struct stat64 *status), (path, status))
STATUS(lstat64, (const char *path, struct stat64 *status), (path, status))
STATUS(fstatat, (int directory, const char *path, struct stat *status, int flags), (directory, path, status, flags))
STATUS(fstatat64, (int directory, const char *path, struct stat64 *status, int flags), (directory, path, status, flags))
STATUS(statx, (int directory, const char *path, int flags, unsigned mask, struct statx *status),
       (directory, path, flags, mask, status))
STATUS(__xstat, (int version, const char *path, struct stat *status), (version, path, status))
STATUS(__lxstat, (int version, const char *path, struct stat *status), (version, path, status))
STATUS(__xstat64, (int version, const char *path, struct stat64 *status), (version, path, status))
STATUS(__lxstat64, (int version, const char *path, struct stat64 *status), (version, path, status))
STATUS(__fxstatat, (int version, int directory, const char *path, struct stat *status, int flags),
       (version, directory, path, status, flags))
STATUS(__fxstatat64, (int version, int directory, const char *path, struct stat64 *status, int flags),
       (version, directory, path, status, flags))

PATH(int, access, (const char *path, int mode), (path, mode))
PATH(int, faccessat, (int directory, const char *path, int mode, int flags), (directory, path, mode, flags))
PATH(int, euidaccess, (const char *path, int mode), (path, mode))
PATH(int, eaccess, (const char *path, int mode), (path, mode))
PATH(DIR *, opendir, (const char *path), (path))
PATH(int, chdir, (const char *path), (path))
PATH(int, unlink, (const char *path), (path))
PATH(int, unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
PATH(int, remove, (const char *path), (path))
PATH(int, rmdir, (const char *path), (path))
NEW_PATH(mkdir, (const char *path, mode_t mode), (path, mode))
NEW_PATH(mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode))
NEW_PATH(mkfifo, (const char *path, mode_t mode), (path, mode))
PATH(int, chmod, (const char *path, mode_t mode), (path, mode))
PATH(int, fchmodat, (int directory, const char *path, mode_t mode, int flags), (directory, path, mode, flags))
PATH(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group))
PATH(int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group))
PATH(int, truncate, (const char *path, off_t size), (path, size))
PATH(int, truncate64, (const char *path, off_t size), (path, size))
TWO_PATHS(rename, (const char *path, const char *other), (path, other))
TWO_PATHS(renameat, (int from, const char *path, int to, const char *other), (from, path, to, other))
TWO_PATHS(link, (const char *path, const char *other), (path, other))
TWO_PATHS(symlink, (const char *path, const char *other), (path, other))

// Both write text that means nothing; the room is what the caller says.
ssize_t byway_model_readlink(const char *path, char *text, size_t n) {
  taken("readlink", path);
  byway_may_write(text, n);
  byway_taken(n);
  FIX(text);
  ssize_t count = readlink(path, text, n);
  if (count > 0)
    byway_clear(text, count);
  return count;
}

char *byway_model_realpath(const char *path, char *text) {
  taken("realpath", path);
  FIX(text);
  char *found = realpath(path, text);
  if (found && text)
    byway_clear(text, strlen(text) + 1);
  else if (found)
    byway_allocated(found, strlen(found) + 1);
  return found;
}

// What was set last is what is returned next.
mode_t byway_model_umask(mode_t mask) {
  static mode_t set;
  static _Bool is_set;
  mode_t real = umask(mask), before = is_set ? (mode_t)byway_is(real, set) : real;
  set = mask & 0777;
  is_set = 1;
  return before;
}
