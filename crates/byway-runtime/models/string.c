// Searching strings: lengths, and places of characters and other strings.
#include "common.h"

#define BYTES(s) ((const byte *)(s))

// How long the string is or could be, whose first `seen` bytes the library has read: as far as more are sure to be there.
static size_t reach(const char *s, size_t seen) {
  if (seen && byway_concrete(s[seen - 1]) == 0)
    return longest(s, seen - 1);
  size_t there = seen ? smaller(page_left(s + seen - 1) - 1, BEHIND) : 0, more = strnlen(s + seen, there);
  return more < there ? longest(s, seen + more) : seen + more;
}

size_t byway_model_strlen(const char *s) {
  FIX(s);
  return length_of(s, strlen(s), SIZE_MAX);
}

size_t byway_model_strnlen(const char *s, size_t n) {
  FIX(s);
  up_to(s, n);
  FIX(n);
  return length_of(s, strnlen(s, n), n);
}

// What strchr finds, or strchrnul.
static char *find(const char *s, int c, const char *real, _Bool end) {
  if (!byway_anything())
    return (char *)real;
  settle(s, SIZE_MAX);
  size_t seen = real ? (size_t)(real - s) + 1 : strlen(s) + 1, length = smaller(reach(s, seen), LIMIT);
  if (!byway_symbolic(s, length + 1) && !byway_labelled(c))
    return (char *)real;
  MUST_END(s, seen, SIZE_MAX, (s[i] == 0) | (s[i] == (char)c));
  if (seen > LIMIT)
    return byway_too_long(), (char *)real;
  const char *model = end ? s + length : pointer_ite((byte)c == 0, s + length, NULL);
  for (size_t i = length; i-- > 0;) {
    model = pointer_ite(s[i] == 0, end ? s + i : NULL, model);
    model = pointer_ite(s[i] == (char)c, s + i, model);
  }
  return pointer_is(real, model);
}

char *byway_model_strchr(const char *s, int c) {
  FIX(s);
  return find(s, c, strchr(s, c), 0);
}

char *byway_model_index(const char *s, int c) {
  FIX(s);
  return find(s, c, index(s, c), 0);
}

char *byway_model_strchrnul(const char *s, int c) {
  FIX(s);
  return find(s, c, strchrnul(s, c), 1);
}

char *byway_model_strrchr(const char *s, int c) {
  FIX(s);
  char *real = strrchr(s, c), *model = NULL;
  if (!byway_anything())
    return real;
  settle(s, SIZE_MAX);
  size_t n = longest(s, strlen(s)) + 1;
  if (!byway_symbolic(s, n) && !byway_labelled(c))
    return real;
  terminated(s, strlen(s), SIZE_MAX);
  if (n > LIMIT)
    return byway_too_long(), real;
  _Bool inside = 1;
  for (size_t i = 0; i < n; i++) {
    model = pointer_ite(inside & (s[i] == (char)c), s + i, model);
    inside &= s[i] != 0;
  }
  return pointer_is(real, model);
}

char *byway_model_rindex(const char *s, int c) { return byway_model_strrchr(s, c); }

// What strstr finds, or strcasestr.
static char *find_string(const char *s, const char *what, const char *real, _Bool folded) {
  if (!byway_anything())
    return (char *)real;
  settle(s, SIZE_MAX);
  terminated(what, strlen(what), SIZE_MAX);
  size_t m = ends(what, strlen(what)), seen = real ? (size_t)(real - s) + m : strlen(s) + 1;
  if (m == 0)
    return (char *)real;
  size_t n = smaller(reach(s, seen), LIMIT);
  if (!byway_symbolic(s, n + 1) && !byway_symbolic(what, m + 1))
    return (char *)real;
  // What has no first byte of the other string does not contain it.
  MUST_END(s, real ? (size_t)(real - s) + 1 : seen, SIZE_MAX, (s[i] == 0) | (s[i] == what[0]));
  size_t places = n < m ? 0 : smaller(n - m + 1, PRODUCT / m);
  if (real ? (size_t)(real - s) >= places : places != (n < m ? 0 : n - m + 1) || seen > LIMIT)
    return byway_too_long(), (char *)real;
  const char *model = NULL;
  for (size_t i = places; i-- > 0;) {
    _Bool here = 1;
    for (size_t j = 0; j < m; j++) {
      if (folded)
        here &= fold(BYTES(s)[i + j]) == fold(BYTES(what)[j]);
      else
        here &= s[i + j] == what[j];
    }
    model = pointer_ite(s[i] == 0, NULL, pointer_ite(here, s + i, model));
  }
  return pointer_is(real, model);
}

char *byway_model_strstr(const char *s, const char *what) {
  FIX(s), FIX(what);
  return find_string(s, what, strstr(s, what), 0);
}

char *byway_model_strcasestr(const char *s, const char *what) {
  FIX(s), FIX(what);
  return find_string(s, what, strcasestr(s, what), 1);
}

// Where the first byte of s is that is not in the set, or that is, as a distance from start; or, if a NUL comes before
// it, at_nul (or that place too, if at_nul is negative).
static uint64_t span(const char *s, const char *set, size_t place, _Bool in, uint64_t start, int64_t at_nul) {
  uint64_t real = byway_concrete(s[place]) == 0 && at_nul >= 0 ? (uint64_t)at_nul : start + place;
  if (!byway_anything())
    return real;
  settle(s, SIZE_MAX);
  terminated(set, strlen(set), SIZE_MAX);
  size_t m = ends(set, strlen(set)), length = smaller(reach(s, place + 1), LIMIT);
  if (!byway_symbolic(s, length + 1) && !byway_symbolic(set, m))
    return real;
  MUST_END(s, place + 1, SIZE_MAX, (s[i] == 0) | (in_set(s[i], BYTES(set), m) != in));
  if (m)
    length = smaller(length, PRODUCT / m);
  if (place > length)
    return byway_too_long(), real;
  uint64_t model = place == length ? real : start + length;
  for (size_t i = length; i-- > 0;) {
    model = byway_ite(in_set(s[i], BYTES(set), m) == in, model, start + i);
    model = byway_ite(s[i] == 0, at_nul < 0 ? start + i : (uint64_t)at_nul, model);
  }
  return byway_is(real, model);
}

size_t byway_model_strspn(const char *s, const char *set) {
  FIX(s), FIX(set);
  return span(s, set, strspn(s, set), 1, 0, -1);
}

size_t byway_model_strcspn(const char *s, const char *set) {
  FIX(s), FIX(set);
  return span(s, set, strcspn(s, set), 0, 0, -1);
}

char *byway_model_strpbrk(const char *s, const char *set) {
  FIX(s), FIX(set);
  const char *found = strpbrk(s, set);
  return (char *)(uintptr_t)span(s, set, found ? (size_t)(found - s) : strlen(s), 0, (uintptr_t)s, 0);
}
