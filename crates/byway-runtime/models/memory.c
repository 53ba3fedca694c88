// Memory of a given length: copied, filled, searched. Comparing it is in compare.c.
#include "common.h"
#include <unistd.h>

void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t);
void *__mempcpy(void *, const void *, size_t);
void *__rawmemchr(const void *, int);

// The lengths are an event before the library acts on them: it may not return.
#define COPY(name, parameters, arguments, result)                                                                      \
  void *byway_model_##name parameters {                                                                                \
    byway_copies(to, from, n);                                                                                         \
    void *end = name arguments;                                                                                        \
    byway_copied(to, from, n);                                                                                         \
    return pointer_is(end, result);                                                                                    \
  }
COPY(memcpy, (void *to, const void *from, size_t n), (to, from, n), to)
COPY(memmove, (void *to, const void *from, size_t n), (to, from, n), to)
COPY(mempcpy, (void *to, const void *from, size_t n), (to, from, n), (char *)to + n)
COPY(__mempcpy, (void *to, const void *from, size_t n), (to, from, n), (char *)to + n)
COPY(__memcpy_chk, (void *to, const void *from, size_t n, size_t room), (to, from, n, room), to)
COPY(__memmove_chk, (void *to, const void *from, size_t n, size_t room), (to, from, n, room), to)
COPY(__mempcpy_chk, (void *to, const void *from, size_t n, size_t room), (to, from, n, room), (char *)to + n)

void byway_model_bcopy(const void *from, void *to, size_t n) { byway_model_memmove(to, from, n); }

void byway_model_swab(const void *from, void *to, ssize_t n) {
  if ((ssize_t)byway_concrete(n) > 0) {
    byway_may_read(from, n);
    byway_may_write(to, n);
  }
  byway_taken(n);
  FIX(from), FIX(to), FIX(n);
  swab(from, to, n);
  for (ssize_t i = 0; i + 1 < n; i += 2) {
    byway_copy((char *)to + i, (const char *)from + i + 1, 1);
    byway_copy((char *)to + i + 1, (const char *)from + i, 1);
  }
}

void *byway_model_memccpy(void *to, const void *from, int c, size_t n) {
  byway_may_write(to, n);
  byway_may_read(from, n);
  byway_taken(n);
  FIX(to), FIX(from), FIX(n);
  const byte *bytes = from;
  char *end = memccpy(to, from, c, n);
  size_t copied = end ? (size_t)(end - (char *)to) : n;
  byway_reads(from, copied);
  byway_writes(to, copied);
  byway_copy(to, from, copied);
  if (!byway_symbolic(from, copied) && !byway_labelled(c))
    return end;
  if (copied > LIMIT)
    return byway_too_long(), end;
  void *model = NULL;
  for (size_t i = copied; i-- > 0;)
    model = pointer_ite(bytes[i] == (byte)c, (char *)to + i + 1, model);
  return pointer_is(end, model);
}

#define FILL(type, name, parameters, c, arguments, result)                                                             \
  type byway_model_##name parameters {                                                                                 \
    byway_fills(p, c, n);                                                                                              \
    name arguments;                                                                                                    \
    byway_filled(p, c, n);                                                                                             \
    return result;                                                                                                     \
  }
FILL(void *, memset, (void *p, int c, size_t n), c, (p, c, n), p)
FILL(void *, __memset_chk, (void *p, int c, size_t n, size_t room), c, (p, c, n, room), p)
FILL(void, bzero, (void *p, size_t n), 0, (p, n), )
FILL(void, explicit_bzero, (void *p, size_t n), 0, (p, n), )
FILL(void, __explicit_bzero_chk, (void *p, size_t n, size_t room), 0, (p, n, room), )

// The first place of c among n bytes, of which the library has seen those up to the one found: bytes behind it are
// looked at only if they are sure to be there.
static void *first(const byte *p, int c, size_t n, const byte *found) {
  size_t seen = found ? (size_t)(found - p) + 1 : n;
  size_t there = found ? smaller(n, larger(byway_left(p), seen - 1 + page_left(found))) : n;
  if (found)
    n = smaller(smaller(n - seen, BEHIND), page_left(p + seen - 1) - 1) + seen;
  if (seen > LIMIT) {
    if (byway_symbolic(p, seen) || byway_labelled(c))
      byway_too_long();
    return (void *)found;
  }
  n = smaller(n, LIMIT);
  if (!byway_symbolic(p, n) && !byway_labelled(c))
    return (void *)found;
  // If it is none of those that an expression is made of, it is the next one.
  void *model = memchr(p + n, (int)byway_concrete(c), there - n);
  for (size_t i = n; i-- > 0;)
    model = pointer_ite(p[i] == (byte)c, p + i, model);
  return pointer_is(found, model);
}

void *byway_model_memchr(const void *p, int c, size_t n) {
  byway_may_read(p, n);
  byway_taken(n);
  FIX(p), FIX(n);
  const byte *bytes = p, *found = memchr(p, c, n);
  byway_reads(p, found ? (size_t)(found - bytes) + 1 : n);
  return first(p, c, n, found);
}

// Nobody says how long that memory is, but one is there: if there is no other behind it, it stays where it is.
static void *sure(const byte *p, int c, const byte *found) {
  size_t seen = (size_t)(found - p) + 1, there = larger(byway_left(p), seen - 1 + page_left(found));
  byte last = *found;
  if (!memchr(found + 1, (int)byway_concrete(c), there - seen))
    FIX(last);
  return first(p, c, there, found);
}

void *byway_model_rawmemchr(const void *p, int c) {
  FIX(p);
  return sure(p, c, rawmemchr(p, c));
}

void *byway_model___rawmemchr(const void *p, int c) {
  FIX(p);
  return sure(p, c, __rawmemchr(p, c));
}

void *byway_model_memrchr(const void *p, int c, size_t n) {
  byway_reads(p, n);
  FIX(p), FIX(n);
  const byte *bytes = p, *found = memrchr(p, c, n);
  if (!byway_symbolic(p, n) && !byway_labelled(c))
    return (void *)found;
  // The bytes at the end are those that are looked at first.
  size_t start = n > LIMIT ? n - LIMIT : 0;
  if (start && (!found || (size_t)(found - bytes) < start))
    return byway_too_long(), (void *)found;
  void *model = NULL;
  for (size_t i = start; i < n; i++)
    model = pointer_ite(bytes[i] == (byte)c, bytes + i, model);
  return pointer_is(found, model);
}

void *byway_model_memmem(const void *p, size_t n, const void *what, size_t m) {
  byway_may_read(p, n);
  byway_may_read(what, m);
  byway_reads(p, n);
  byway_reads(what, m);
  FIX(p), FIX(n), FIX(what), FIX(m);
  const byte *bytes = p, *sought = what;
  void *found = memmem(p, n, what, m);
  if (m == 0 || m > n || (!byway_symbolic(p, n) && !byway_symbolic(what, m)))
    return found;
  if (n - m + 1 > PRODUCT / m)
    return byway_too_long(), found;
  void *model = NULL;
  for (size_t i = n - m + 1; i-- > 0;) {
    _Bool here = 1;
    for (size_t j = 0; j < m; j++)
      here &= bytes[i + j] == sought[j];
    model = pointer_ite(here, bytes + i, model);
  }
  return pointer_is(found, model);
}
