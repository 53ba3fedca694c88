// Copying strings, and cutting them into tokens.
#include "common.h"

char *__strcpy_chk(char *, const char *, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
char *__stpcpy(char *, const char *);
char *__stpncpy(char *, const char *, size_t);
char *__strdup(const char *);
char *__strndup(const char *, size_t);
char *__strtok_r(char *, const char *, char **);
size_t strlcpy(char *, const char *, size_t) __attribute__((weak));
size_t strlcat(char *, const char *, size_t) __attribute__((weak));

// How long the string is becomes part of the path before it is copied: what has room for it has room for the copy.
#define COPY(name, parameters, arguments)                                                                              \
  char *byway_model_##name parameters {                                                                                \
    FIX(to), FIX(from);                                                                                                \
    terminated(from, strlen(from), SIZE_MAX);                                                                          \
    size_t length = ends(from, strlen(from));                                                                          \
    byway_copies(to, from, length + 1);                                                                                \
    char *end = name arguments;                                                                                        \
    byway_copy(to, from, length + 1);                                                                                  \
    return end;                                                                                                        \
  }
COPY(strcpy, (char *to, const char *from), (to, from))
COPY(stpcpy, (char *to, const char *from), (to, from))
COPY(__stpcpy, (char *to, const char *from), (to, from))
COPY(__strcpy_chk, (char *to, const char *from, size_t room), (to, from, room))
COPY(__stpcpy_chk, (char *to, const char *from, size_t room), (to, from, room))

// Before n bytes are written, of which those behind a NUL are not read.
static void pads(char *to, const char *from, size_t n) {
  size_t number = byway_concrete(n);
  if (strnlen(from, number) == number)
    byway_copies(to, from, n);
  else
    byway_writes(to, n);
}

// n bytes are written, those behind the NUL are NULs.
#define COPY_AND_PAD(name, parameters, arguments)                                                                      \
  char *byway_model_##name parameters {                                                                                \
    FIX(from);                                                                                                         \
    pads(to, from, n);                                                                                                 \
    FIX(to), FIX(n);                                                                                                   \
    char *end = name arguments;                                                                                        \
    size_t length = strnlen(from, n), copied = length + (length < n);                                                  \
    byway_copy(to, from, copied);                                                                                      \
    if (length < n) {                                                                                                  \
      terminated(from, length, n);                                                                                     \
      ends(from, length);                                                                                              \
    }                                                                                                                  \
    byway_clear(to + copied, n - copied);                                                                              \
    return end;                                                                                                        \
  }
COPY_AND_PAD(strncpy, (char *to, const char *from, size_t n), (to, from, n))
COPY_AND_PAD(stpncpy, (char *to, const char *from, size_t n), (to, from, n))
COPY_AND_PAD(__stpncpy, (char *to, const char *from, size_t n), (to, from, n))
COPY_AND_PAD(__strncpy_chk, (char *to, const char *from, size_t n, size_t room), (to, from, n, room))
COPY_AND_PAD(__stpncpy_chk, (char *to, const char *from, size_t n, size_t room), (to, from, n, room))

// Before at most n bytes of from, and a NUL, are written to to. Returns how many there are.
static size_t appended(char *to, const char *from, size_t n) {
  size_t length = strnlen(from, byway_concrete(n));
  // It is up to n, if no NUL came first.
  if (length == byway_concrete(n)) {
    byway_may_read(from, n);
    byway_may_write(to, n + 1);
  } else {
    terminated(from, length, byway_concrete(n));
    ends(from, length);
  }
  byway_copies(to, from, length);
  byway_writes(to + length, 1);
  return length;
}

// The NUL is the library's own, if n came first.
#define APPEND(name, parameters, arguments, bound)                                                                     \
  char *byway_model_##name parameters {                                                                                \
    FIX(to), FIX(from);                                                                                                \
    terminated(to, strlen(to), SIZE_MAX);                                                                              \
    size_t before = strlen(to), length = appended(to + before, from, bound), n = fixed(bound);                         \
    name arguments;                                                                                                    \
    byway_copy(to + before, from, length);                                                                             \
    if (length < n)                                                                                                    \
      byway_copy(to + before + length, from + length, 1);                                                              \
    else                                                                                                               \
      byway_clear(to + before + length, 1);                                                                            \
    return to;                                                                                                         \
  }
APPEND(strcat, (char *to, const char *from), (to, from), SIZE_MAX)
APPEND(strncat, (char *to, const char *from, size_t most), (to, from, n), most)
APPEND(__strcat_chk, (char *to, const char *from, size_t room), (to, from, room), SIZE_MAX)
APPEND(__strncat_chk, (char *to, const char *from, size_t most, size_t room), (to, from, n, room), most)

// Libraries newer than some have these.
size_t byway_model_strlcpy(char *to, const char *from, size_t n) {
  byway_may_write(to, n);
  byway_taken(n);
  FIX(to), FIX(from), FIX(n);
  size_t length = strlcpy(to, from, n);
  terminated(from, length, SIZE_MAX);
  if (n) {
    size_t copied = smaller(length, n - 1);
    ends(from, length);
    byway_writes(to, copied + 1);
    byway_copy(to, from, copied);
    byway_clear(to + copied, 1);
  }
  return length;
}

size_t byway_model_strlcat(char *to, const char *from, size_t n) {
  byway_may_write(to, n);
  byway_taken(n);
  FIX(to), FIX(from), FIX(n);
  size_t before = strnlen(to, n), length = strlcat(to, from, n);
  if (before < n) {
    size_t copied = smaller(length - before, n - 1 - before);
    byway_writes(to + before, copied + 1);
    byway_copy(to + before, from, copied);
    byway_clear(to + before + copied, 1);
  }
  return length;
}

// How long a string is that is copied as a whole.
static size_t whole(const char *s) {
  size_t length = strlen(s);
  terminated(s, length, SIZE_MAX);
  return ends(s, length);
}

static char *duplicated(char *copy, const char *s, size_t length) {
  byway_allocated(copy, length + 1);
  if (copy)
    byway_copy(copy, s, length);
  return copy;
}

char *byway_model_strdup(const char *s) {
  FIX(s);
  return duplicated(strdup(s), s, whole(s));
}

char *byway_model___strdup(const char *s) {
  FIX(s);
  return duplicated(__strdup(s), s, whole(s));
}

static size_t bounded(const char *s, size_t n) {
  size_t length = strnlen(s, n);
  if (length == n)
    return length;
  terminated(s, length, n);
  return ends(s, length);
}

char *byway_model_strndup(const char *s, size_t n) {
  FIX(s);
  up_to(s, n);
  FIX(n);
  return duplicated(strndup(s, n), s, bounded(s, n));
}

char *byway_model___strndup(const char *s, size_t n) {
  FIX(s);
  up_to(s, n);
  FIX(n);
  return duplicated(__strndup(s, n), s, bounded(s, n));
}

// How many bytes of s come before the first that is in the set, or that is not; each is an event.
static size_t walk(const char *s, const char *set, _Bool in) {
  size_t i = 0, m = strlen(set);
  for (;; i++) {
    // The end is a branch of its own: what the caller does then is another path.
    if (s[i] == 0)
      return i;
    _Bool stop = in_set(s[i], (const byte *)set, m) != in;
    if (stop)
      return i;
  }
}

// The branches are taken before the library overwrites the separator. Of what comes before the token, and of the token.
static void cut(const char *s, const char *set, _Bool skips) {
  if (!s)
    return;
  size_t start = skips ? strspn(s, set) : 0, end = start + strcspn(s + start, set);
  if (!byway_symbolic(s, end + 1) && !byway_symbolic(set, strlen(set)))
    return;
  if (end > LIMIT) {
    byway_too_long();
    return;
  }
  if (skips)
    s += walk(s, set, 1);
  walk(s, set, 0);
}

// If a separator was overwritten, it is before the rest.
static void was_cut(const char *found, char **rest) {
  byway_clear(rest, sizeof *rest);
  if (found && *rest > found && byway_concrete((*rest)[-1]) == 0)
    byway_clear(*rest - 1, 1);
}

#define TOKENS(name)                                                                                                   \
  char *byway_model_##name(char *s, const char *set, char **rest) {                                                    \
    FIX(s), FIX(set), FIX(rest);                                                                                       \
    char *start = s ? s : *rest;                                                                                       \
    cut(FIX(start), set, 1);                                                                                           \
    char *found = name(s, set, rest);                                                                                  \
    was_cut(found, rest);                                                                                              \
    return found;                                                                                                      \
  }
TOKENS(strtok_r)
TOKENS(__strtok_r)

// The library's own rest cannot be seen, so it is kept here.
char *byway_model_strtok(char *s, const char *set) {
  static char *rest;
  return byway_model_strtok_r(s, set, &rest);
}

char *byway_model_strsep(char **rest, const char *set) {
  FIX(rest), FIX(set);
  char *start = *rest;
  cut(FIX(start), set, 0);
  char *found = strsep(rest, set);
  was_cut(found, rest);
  return found;
}
