// Whether open with these flags makes the file: what input.c and stream.c share.
#ifndef BYWAY_FILES_H
#define BYWAY_FILES_H

#include "common.h"
#include <fcntl.h>
#include <unistd.h>

static inline _Bool is_new(int directory, const char *path, int flags) {
  if (!(flags & O_CREAT) || !path)
    return 0;
  int error = errno;
  _Bool missing = faccessat(directory, path, F_OK, AT_EACCESS) != 0 && errno == ENOENT;
  errno = error;
  return missing;
}

#endif
