// What models of functions with a path share.
#ifndef BYWAY_FILES_H
#define BYWAY_FILES_H

#include "common.h"
#include <fcntl.h>
#include <unistd.h>

// Whether the path is this name, as one expression; 0 if it cannot become that long.
static inline _Bool is_named(const char *path, const char *name) {
  size_t n = strlen(name);
  if (longest(path, strlen(path)) < n)
    return 0;
  _Bool same = 1;
  for (size_t i = 0; i <= n; i++)
    same &= path[i] == name[i];
  return same;
}

// Whether the path is the name of a file that is there, or of a directory: a branch for each, before anybody looks at it. A directory can
// be opened like a file, but not be read.
static inline const char *named(const char *path) {
  FIX(path);
  if (!path || !byway_symbolic(path, strlen(path) + 1))
    return path;
  const char *name;
  for (size_t i = 0; (name = byway_file_name(i)); i++)
    if (is_named(path, name))
      return path;
  if (byway_file_name(0) && is_named(path, "."))
    return path;
  return path;
}

// Whether open with these flags makes the file.
static inline _Bool is_new(int directory, const char *path, int flags) {
  if (!(flags & O_CREAT) || !path)
    return 0;
  int error = errno;
  _Bool missing = faccessat(directory, path, F_OK, AT_EACCESS) != 0 && errno == ENOENT;
  errno = error;
  return missing;
}

#endif
