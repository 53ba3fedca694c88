// Comparing strings and memory: one expression over all bytes that could decide, not only up to the first difference.
#include "common.h"
#include <locale.h>

int __memcmpeq(const void *, const void *, size_t) __attribute__((weak));
int __strcasecmp(const char *, const char *);
int __strcasecmp_l(const char *, const char *, locale_t);
int __strncasecmp_l(const char *, const char *, size_t, locale_t);

// How many bytes of both decide if one ends after so many: more, if its NUL depends on the input.
static size_t with_end(const byte *a, const byte *b, size_t length, size_t n) {
  n = smaller(n, length + BEHIND_NUL);
  while (length + 1 < n && goes_on(a + length) && goes_on(b + length))
    length++;
  return length + 1;
}

// How many bytes of both can be looked at: up to the end of the shorter string and with its NUL, but not beyond n; what
// lies behind the first difference only as far as it is sure to be there.
static size_t common_length(const byte *a, const byte *b, size_t n, _Bool strings, _Bool folded) {
  size_t length = 0;
  n = smaller(n, LIMIT + 1);
  while (length < n) {
    size_t step = smaller(page_left(a + length), page_left(b + length));
    step = smaller(step, n - length);
    const char *x = (const char *)a + length, *y = (const char *)b + length;
    if (strings) {
      size_t shorter = smaller(strnlen(x, step), strnlen(y, step));
      if (shorter < step)
        return with_end(a, b, length + shorter, n);
    }
    length += step;
    if (folded ? strncasecmp(x, y, step) : memcmp(x, y, step))
      break;
  }
  return length;
}

static _Bool known_letter(const byte *p) { return !byway_symbolic(p, 1) && *p != 0; }

// What comes of bytes that no expression is made of, if it is up to them.
static int rest(const char *a, const char *b, size_t n, _Bool strings, _Bool folded) {
  return folded ? strncasecmp(a, b, n) : strings ? strncmp(a, b, n) : memcmp(a, b, n);
}

// The difference of the first two bytes that differ; if none of them do, that of others.
static int difference(const byte *a, const byte *b, size_t n, _Bool strings, _Bool folded, int model) {
  for (size_t i = n; i-- > 0;) {
    int x = folded ? fold(a[i]) : a[i], y = folded ? fold(b[i]) : b[i];
    if (strings && !known_letter(a + i) && !known_letter(b + i))
      model = byway_ite(x == 0, 0, model);
    model = byway_ite(x == y, model, x - y);
  }
  return model;
}

// What the library returned, if it is not the difference but has its sign.
static int with_sign(int real, int model) {
  uint64_t less = real < 0 ? real : -1, greater = real > 0 ? real : 1;
  return byway_ite(model == 0, 0, byway_ite(model < 0, less, greater));
}

// What the library returned, if it says only whether there is a difference.
static int with_equality(int real, int model) { return byway_ite(model == 0, 0, real ? real : 1); }

// If both sides are symbolic: how far behind the first difference is looked.
#define AHEAD 1

// Where the first difference is; the library looks for it, so that nothing is said about the path.
static size_t agreement(const char *a, const char *b, size_t n, _Bool folded) {
  size_t same = 0;
  while (same < n) {
    size_t half = (n - same + 1) / 2;
    if (!(folded ? strncasecmp(a + same, b + same, half) : memcmp(a + same, b + same, half)))
      same += half;
    else if (half == 1)
      break;
    else
      n = same + half;
  }
  return same;
}

// How many bytes of both there are before one of them is at the end of its object; 0 if one has a NUL for sure before that, or
// if nobody knows the objects.
static size_t unended(const byte *a, const byte *b, size_t n) {
  size_t left = smaller(byway_left(a), byway_left(b));
  if (left == 0 || left >= n || byway_sure_nul(a, smaller(left, LIMIT)) < left || byway_sure_nul(b, left) < left)
    return 0;
  return left;
}

// Asks whether two strings can be the same up to the end of an object, without an end.
static void differ(const byte *a, const byte *b, size_t n, _Bool folded) {
  size_t left = unended(a, b, n), same = 0;
  while (same < left && byway_concrete(a[same]) && !(folded ? strncasecmp((const char *)a + same, (const char *)b + same, 1) : memcmp(a + same, b + same, 1)))
    same++;
  if (same == left || !(byway_symbolic(a + same, 1) || byway_symbolic(b + same, 1)))
    return;
  if (left > LIMIT) {
    byway_too_long();
    return;
  }
  for (size_t i = left; i-- > 0;)
    byway_may_end((a[i] == 0) | (folded ? fold(a[i]) != fold(b[i]) : a[i] != b[i]));
  byway_must_end();
}

static int compared(const void *a, const void *b, size_t n, _Bool strings, _Bool folded, int real) {
  if (!byway_anything())
    return real;
  if (strings)
    settle(a, n), settle(b, n);
  size_t length = common_length(a, b, n, strings, folded);
  _Bool left = byway_symbolic(a, length), right = byway_symbolic(b, length);
  if (!left && !right)
    return real;
  if (strings)
    differ(a, b, n, folded);
  size_t there = length;
  if (left && right)
    length = smaller(length, agreement(a, b, length, folded) + AHEAD);
  if (length > LIMIT) {
    length = LIMIT;
    if (!(folded ? strncasecmp(a, b, LIMIT) : memcmp(a, b, LIMIT)))
      return byway_too_long(), real;
  }
  int behind = rest((const char *)a + length, (const char *)b + length, there - length, strings, folded);
  int model = difference(a, b, length, strings, folded, behind);
  if ((int)byway_concrete(model) != real) {
    _Bool same_sign = (int)byway_concrete(model) < 0 == real < 0;
    model = same_sign ? with_sign(real, model) : with_equality(real, model);
  }
  return byway_is(real, model);
}

int byway_model_memcmp(const void *a, const void *b, size_t n) {
  byway_compares(a, b, n);
  FIX(a), FIX(b), FIX(n);
  return compared(a, b, n, 0, 0, memcmp(a, b, n));
}

int byway_model_bcmp(const void *a, const void *b, size_t n) {
  byway_compares(a, b, n);
  FIX(a), FIX(b), FIX(n);
  return compared(a, b, n, 0, 0, bcmp(a, b, n));
}

int byway_model___memcmpeq(const void *a, const void *b, size_t n) {
  byway_compares(a, b, n);
  FIX(a), FIX(b), FIX(n);
  return compared(a, b, n, 0, 0, __memcmpeq(a, b, n));
}

// Before strings of at most n bytes are compared: if neither ends and they do not differ, it is up to n how far is read.
static void both_up_to(const char *a, const char *b, size_t n) {
  size_t number = byway_concrete(n);
  if (byway_labelled(n) && strnlen(a, number) == number && !memcmp(a, b, number)) {
    byway_may_read(a, n);
    byway_may_read(b, n);
  }
}

int byway_model_strcmp(const char *a, const char *b) {
  FIX(a), FIX(b);
  return compared(a, b, SIZE_MAX, 1, 0, strcmp(a, b));
}

int byway_model_strncmp(const char *a, const char *b, size_t n) {
  FIX(a), FIX(b);
  both_up_to(a, b, n);
  FIX(n);
  return compared(a, b, n, 1, 0, strncmp(a, b, n));
}

int byway_model_strcasecmp(const char *a, const char *b) {
  FIX(a), FIX(b);
  return compared(a, b, SIZE_MAX, 1, 1, strcasecmp(a, b));
}

int byway_model___strcasecmp(const char *a, const char *b) {
  FIX(a), FIX(b);
  return compared(a, b, SIZE_MAX, 1, 1, __strcasecmp(a, b));
}

int byway_model_strncasecmp(const char *a, const char *b, size_t n) {
  FIX(a), FIX(b);
  both_up_to(a, b, n);
  FIX(n);
  return compared(a, b, n, 1, 1, strncasecmp(a, b, n));
}

int byway_model_strcasecmp_l(const char *a, const char *b, locale_t locale) {
  FIX(a), FIX(b);
  return compared(a, b, SIZE_MAX, 1, 1, strcasecmp_l(a, b, locale));
}

int byway_model___strcasecmp_l(const char *a, const char *b, locale_t locale) {
  FIX(a), FIX(b);
  return compared(a, b, SIZE_MAX, 1, 1, __strcasecmp_l(a, b, locale));
}

int byway_model_strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale) {
  FIX(a), FIX(b);
  both_up_to(a, b, n);
  FIX(n);
  return compared(a, b, n, 1, 1, strncasecmp_l(a, b, n, locale));
}

int byway_model___strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale) {
  FIX(a), FIX(b);
  both_up_to(a, b, n);
  FIX(n);
  return compared(a, b, n, 1, 1, __strncasecmp_l(a, b, n, locale));
}

// Whether strings are collated by their bytes.
static _Bool plain_order(void) {
  const char *name = setlocale(LC_COLLATE, NULL);
  return !strcmp(name, "C") || !strcmp(name, "POSIX") || !strncmp(name, "C.", 2);
}

int byway_model_strcoll(const char *a, const char *b) {
  FIX(a), FIX(b);
  int real = strcoll(a, b);
  if (!byway_anything())
    return real;
  if (plain_order())
    return compared(a, b, SIZE_MAX, 1, 0, real);
  byway_consumed("strcoll", a, strlen(a) + 1);
  byway_consumed("strcoll", b, strlen(b) + 1);
  return real;
}

size_t byway_model_strxfrm(char *to, const char *from, size_t n) {
  byway_may_write(to, n);
  FIX(to), FIX(from), FIX(n);
  size_t real = strxfrm(to, from, n), length = strlen(from) + 1;
  if (plain_order()) {
    byway_copy(to, from, smaller(n, length));
  } else {
    byway_clear(to, smaller(n, real + 1));
    byway_consumed("strxfrm", from, length);
  }
  return real;
}

int byway_model_strverscmp(const char *a, const char *b) {
  FIX(a), FIX(b);
  byway_consumed("strverscmp", a, strlen(a) + 1);
  byway_consumed("strverscmp", b, strlen(b) + 1);
  return strverscmp(a, b);
}
