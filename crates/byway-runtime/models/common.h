// What all models share: how far they look, and how symbolic pointers and lengths become numbers.
//
// Two styles. Where a function compares or searches, its model is one expression, without branches: & and | and
// byway_ite, and loops whose bounds are numbers. Where it parses, its model is ordinary code: its branches are events.
#ifndef BYWAY_COMMON_H
#define BYWAY_COMMON_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
// The library's functions are wanted, not the copies of them that are in headers.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#ifndef __NO_CTYPE
#define __NO_CTYPE 1
#endif
#include "byway.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// How many bytes an expression is made of at most, and how many comparisons of bytes.
#define LIMIT 512
#define PRODUCT 4096
// How many bytes behind what was found are looked at: it might as well be found there.
#define BEHIND 16
// How many bytes behind a NUL that depends on the input: the string might as well be longer.
#define BEHIND_NUL 64
// The unit in which memory may be there or not.
#define PAGE 4096

typedef unsigned char byte;

// The number. If it is symbolic, it is taken for this number from here on: a concretization, whose other values are other paths. A branch
// would have another condition in each run.
static inline uint64_t fixed(uint64_t value) {
  byway_taken(value);
  return byway_concrete(value);
}

#define FIX(variable) ((variable) = (__typeof__(variable))fixed((uint64_t)(variable)))

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// How many bytes can be read at p if one can.
static inline size_t page_left(const void *p) { return PAGE - (uintptr_t)p % PAGE; }

static inline void *pointer_ite(_Bool condition, const void *then, const void *otherwise) {
  return (void *)(uintptr_t)byway_ite(condition, (uintptr_t)then, (uintptr_t)otherwise);
}

static inline void *pointer_is(const void *real, const void *model) {
  return (void *)(uintptr_t)byway_is((uintptr_t)real, (uintptr_t)model);
}

// Whether the string at p goes on behind this byte, now or if it were another: a NUL that depends on the input may be none.
static inline _Bool goes_on(const void *p) {
  byte c = *(const byte *)p;
  return byway_concrete(c) != 0 || (byway_labelled(c) && byway_left(p) > 1);
}

// How long the string at s could be, of which n bytes are known to be no NUL for sure: up to its first sure NUL, but only
// a little behind the NUL that is there.
static inline size_t longest(const void *s, size_t n) {
  size_t limit = smaller(LIMIT, n + BEHIND_NUL);
  while (n < limit && goes_on((const byte *)s + n))
    n++;
  return n;
}

// Asks whether a function that reads from s on goes behind the end of the object: if for no i `here` holds. To be said before the
// path says where it ends.
#define MUST_END(s, seen, most, here)                                                                                  \
  do {                                                                                                                 \
    size_t bytes = byway_unended(s, seen, most);                                                                       \
    for (size_t i = bytes; i-- > 0;)                                                                                   \
      byway_may_end(here);                                                                                             \
    if (bytes)                                                                                                         \
      byway_must_end();                                                                                                \
  } while (0)

// The same for a string of n bytes that is read up to its NUL, but no more than `most` bytes of it.
static inline void terminated(const char *s, size_t n, size_t most) { MUST_END(s, n + 1, most, s[i] == 0); }

// The string at s has n bytes, and is taken to have so many. Each byte that depends on the input is a branch, as in a loop that
// looks for the NUL: the string may be shorter, or longer if the NUL depends on the input too. It is one branch for all bytes,
// so that the one that becomes the NUL in another run meets the same there.
static inline size_t ends(const char *s, size_t n) {
  if (!byway_symbolic(s, n + 1))
    return n;
  for (size_t i = n > LIMIT ? n : 0;; i++)
    if (s[i] == 0)
      return i;
}

// A string in an object that is as long as its text: if it were longer there would be more bytes, of which nothing is here. So where it
// ends is part of the path, once somebody looks for that within its first bytes; and as far as that it is read.
static inline void settle(const char *s, size_t most) {
  if (!byway_grows(s))
    return;
  size_t n = strnlen(s, most);
  if (n < most)
    byway_reads(s, ends(s, n) + 1);
}

// Before at most n bytes of the string at s are read: if it has no end before, it is up to n how far.
static inline void up_to(const char *s, size_t n) {
  if (byway_labelled(n) && strnlen(s, byway_concrete(n)) == byway_concrete(n))
    byway_may_read(s, n);
}

// What strlen means, or strnlen.
static inline size_t length_of(const char *s, size_t real, size_t most) {
  if (!byway_anything())
    return real;
  settle(s, most);
  if (!byway_symbolic(s, real + (real < most)))
    return real;
  if (real < most)
    terminated(s, real, most);
  if (real >= LIMIT)
    return byway_too_long(), real;
  size_t model = real < most ? smaller(longest(s, real), most) : real;
  for (size_t i = model; i-- > 0;)
    model = byway_ite(s[i] == 0, i, model);
  return byway_is(real, model);
}

// Whether c is a white-space character, or one of the m bytes at set, as an expression.
static inline _Bool is_space(byte c) { return (c == ' ') | ((byte)(c - '\t') < 5); }

static inline _Bool in_set(byte c, const byte *set, size_t m) {
  _Bool in = 0;
  for (size_t j = 0; j < m; j++)
    in |= c == set[j];
  return in;
}

// c in lower case, as an expression; only letters of ASCII have another one.
static inline byte fold(byte c) { return c + (((byte)(c - 'A') < 26) << 5); }

#endif
