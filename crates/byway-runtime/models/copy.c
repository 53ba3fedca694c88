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

// How many bytes a string has, its NUL included.
static size_t size_of(const char *s) { return length_of(s, strlen(s), SIZE_MAX) + 1; }

// A string is copied as so many bytes, its NUL included; what they do not reach stays.
#define COPY(name, parameters, arguments, result)                                                                      \
  char *byway_model_##name parameters {                                                                                \
    FIX(from);                                                                                                         \
    size_t n = size_of(from);                                                                                          \
    byway_copies(to, from, n);                                                                                         \
    char *end = name arguments;                                                                                        \
    byway_copied(to, from, n);                                                                                         \
    return pointer_is(end, result);                                                                                    \
  }
COPY(strcpy, (char *to, const char *from), (to, from), to)
COPY(stpcpy, (char *to, const char *from), (to, from), to + n - 1)
COPY(__stpcpy, (char *to, const char *from), (to, from), to + n - 1)
COPY(__strcpy_chk, (char *to, const char *from, size_t room), (to, from, room), to)
COPY(__stpcpy_chk, (char *to, const char *from, size_t room), (to, from, room), to + n - 1)

// n bytes were written whose number, as that of those before the NUL, is part of the path.
static void was_copied_and_padded(char *to, const char *from, size_t n) {
  size_t length = strnlen(from, n), copied = length + (length < n);
  byway_copy(to, from, copied);
  byway_clear(to + copied, n - copied);
}

// What n bytes at to are before a function writes them, of which as many as a model looks at.
struct padded {
  byte before[LIMIT];
  size_t end;
};

// Before n bytes are written, of which those behind a NUL are not read. Whether it is all one expression; if not, n is taken as it is.
static _Bool pads(struct padded *padded, char *to, const char *from, size_t n) {
  size_t number = byway_concrete(n), length = strnlen(from, number);
  byway_may_write(to, n);
  if (length == number)
    byway_may_read(from, n);
  else
    terminated(from, length, number);
  padded->end = byway_labelled(n) ? smaller(byway_left(to), LIMIT) : number;
  if (number > padded->end || padded->end > LIMIT || (byway_labelled(n) && !byway_left(from)))
    return byway_taken(n), ends(from, length), 0;
  if (padded->end == LIMIT)
    byway_taken(n <= LIMIT);
  for (size_t i = 0; i < padded->end; i++)
    padded->before[i] = (byte)to[i];
  return 1;
}

// What was written then: the string, NULs behind it, and what was there behind those.
static void was_padded(const struct padded *padded, char *to, const char *from, size_t n) {
  size_t number = byway_concrete(n), there = strnlen(from, number);
  // Behind a NUL that may be none, and behind the bound, there is more if the object has more.
  if (there < padded->end && there < byway_left(from))
    there = smaller(smaller(longest(from, there), byway_left(from)), padded->end);
  _Bool inside = 1, is_cut = there < padded->end && there < byway_left(from) && goes_on(from + there);
  for (size_t i = 0; i < padded->end; i++) {
    if (i == there && is_cut)
      byway_taken(inside);
    byte c = i < there ? (byte)byway_ite(inside, (byte)from[i], 0) : 0;
    byway_put(to + i, (byte)byway_ite(i < n, c, padded->before[i]));
    inside &= c != 0;
  }
}

// Whether nothing depends on the input.
static _Bool is_concrete(char *to, const char *from, size_t n) {
  if (byway_labelled(n))
    return 0;
  size_t length = strnlen(from, n);
  byway_reads(from, length);
  byway_writes(to, n);
  return !byway_symbolic(from, length + (length < n)) && !byway_symbolic(to, n);
}

// n bytes are written, those behind the NUL are NULs.
#define COPY_AND_PAD(name, parameters, arguments)                                                                      \
  char *byway_model_##name parameters {                                                                                \
    FIX(to), FIX(from);                                                                                                \
    struct padded padded;                                                                                              \
    if (is_concrete(to, from, n))                                                                                      \
      return name arguments;                                                                                           \
    _Bool is_whole = pads(&padded, to, from, n);                                                                       \
    name arguments;                                                                                                    \
    if (is_whole)                                                                                                      \
      was_padded(&padded, to, from, n);                                                                                \
    else                                                                                                               \
      was_copied_and_padded(to, from, byway_concrete(n));                                                              \
    return to;                                                                                                         \
  }
COPY_AND_PAD(strncpy, (char *to, const char *from, size_t n), (to, from, n))
COPY_AND_PAD(__strncpy_chk, (char *to, const char *from, size_t n, size_t room), (to, from, n, room))

// Where the string ends is what is returned: it is part of the path.
#define COPY_AND_PAD_TO_END(name, parameters, arguments)                                                               \
  char *byway_model_##name parameters {                                                                                \
    byway_may_write(to, n);                                                                                            \
    if (strnlen(from, byway_concrete(n)) == byway_concrete(n))                                                         \
      byway_may_read(from, n);                                                                                         \
    byway_taken(n);                                                                                                    \
    FIX(to), FIX(from), FIX(n);                                                                                        \
    char *end = name arguments;                                                                                        \
    size_t length = strnlen(from, n);                                                                                  \
    if (length < n) {                                                                                                  \
      terminated(from, length, n);                                                                                     \
      ends(from, length);                                                                                              \
    }                                                                                                                  \
    was_copied_and_padded(to, from, n);                                                                                \
    return end;                                                                                                        \
  }
COPY_AND_PAD_TO_END(stpncpy, (char *to, const char *from, size_t n), (to, from, n))
COPY_AND_PAD_TO_END(__stpncpy, (char *to, const char *from, size_t n), (to, from, n))
COPY_AND_PAD_TO_END(__stpncpy_chk, (char *to, const char *from, size_t n, size_t room), (to, from, n, room))

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
  byway_taken(n);
  byway_reads(from, length);
  byway_writes(to, length + 1);
  return length;
}

// The NUL is the library's own, if n came first.
#define APPEND(name, parameters, arguments, bound)                                                                     \
  char *byway_model_##name parameters {                                                                                \
    FIX(to), FIX(from);                                                                                                \
    terminated(to, strlen(to), SIZE_MAX);                                                                              \
    size_t before = ends(to, strlen(to)), length = appended(to + before, from, bound), n = fixed(bound);               \
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

// A copy of a string, of n bytes at most: an object as long as the string is.
static char *duplicated(char *copy, const char *s, size_t length, size_t n) {
  byway_allocated(copy, length + 1);
  size_t number = byway_concrete(length);
  if (copy)
    byway_copy(copy, s, number + (number < n));
  return copy;
}

#define DUPLICATE(name)                                                                                                \
  char *byway_model_##name(const char *s) {                                                                            \
    FIX(s);                                                                                                            \
    return duplicated(name(s), s, length_of(s, strlen(s), SIZE_MAX), SIZE_MAX);                                        \
  }
DUPLICATE(strdup)
DUPLICATE(__strdup)

#define DUPLICATE_PART(name)                                                                                           \
  char *byway_model_##name(const char *s, size_t n) {                                                                  \
    FIX(s);                                                                                                            \
    up_to(s, n);                                                                                                       \
    FIX(n);                                                                                                            \
    return duplicated(name(s, n), s, length_of(s, strnlen(s, n), n), n);                                               \
  }
DUPLICATE_PART(strndup)
DUPLICATE_PART(__strndup)

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
