// Wide characters and strings of them. How they become bytes, and bytes them, is in multibyte.c.
#include "common.h"
#include <wchar.h>
#include <wctype.h>

wchar_t *__wcscpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wmemcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemmove_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemset_chk(wchar_t *, wchar_t, size_t, size_t);

#define UNIT sizeof(wchar_t)
#define ASCII 128
// How many characters on each side are asked about beyond ASCII.
#define NEIGHBOURS 512

// A function of a character, as one expression over ASCII: runs of characters for which it returns the same, or for
// which it returns a character at the same distance. Beyond ASCII the path says in which run the character is.
#define FUNCTION(type, name, parameters, call, distance)                                                               \
  type byway_model_##name parameters {                                                                                 \
    wint_t symbolic = c;                                                                                               \
    type real = call;                                                                                                  \
    if (!byway_labelled(symbolic))                                                                                     \
      return real;                                                                                                     \
    if (symbolic >= ASCII) {                                                                                           \
      wint_t here = byway_concrete(symbolic), base = (wint_t)real - distance * here, first = here, last = here;        \
      for (wint_t at = here - 1; at >= ASCII && here - at <= NEIGHBOURS; first = at--) {                               \
        c = at;                                                                                                        \
        if ((wint_t)call - distance * at != base)                                                                      \
          break;                                                                                                       \
      }                                                                                                                \
      for (wint_t at = here + 1; at > here && at - here <= NEIGHBOURS; last = at++) {                                  \
        c = at;                                                                                                        \
        if ((wint_t)call - distance * at != base)                                                                      \
          break;                                                                                                       \
      }                                                                                                                \
      if (symbolic - first <= last - first)                                                                            \
        return (type)byway_is((uint64_t)real, (uint64_t)(type)(base + distance * symbolic));                           \
      return real;                                                                                                     \
    }                                                                                                                  \
    uint64_t model = 0;                                                                                                \
    for (wint_t start = 0, end; start < ASCII; start = end) {                                                          \
      c = start;                                                                                                       \
      wint_t base = (wint_t)call - distance * start;                                                                   \
      for (end = start + 1; end < ASCII; end++) {                                                                      \
        c = end;                                                                                                       \
        if ((wint_t)call - distance * end != base)                                                                     \
          break;                                                                                                       \
      }                                                                                                                \
      model = byway_ite(symbolic - start < end - start, (uint64_t)(type)(base + distance * symbolic), model);          \
    }                                                                                                                  \
    return (type)byway_is((uint64_t)real, model);                                                                      \
  }
#define CLASS(name)                                                                                                    \
  FUNCTION(int, name, (wint_t c), name(c), 0)                                                                          \
  FUNCTION(int, name##_l, (wint_t c, locale_t locale), name##_l(c, locale), 0)                                         \
  int __##name##_l(wint_t, locale_t);                                                                                  \
  int byway_model___##name##_l(wint_t c, locale_t locale) { return byway_model_##name##_l(c, locale); }
CLASS(iswalnum)
CLASS(iswalpha)
CLASS(iswblank)
CLASS(iswcntrl)
CLASS(iswdigit)
CLASS(iswgraph)
CLASS(iswlower)
CLASS(iswprint)
CLASS(iswpunct)
CLASS(iswspace)
CLASS(iswupper)
CLASS(iswxdigit)
FUNCTION(int, iswctype, (wint_t c, wctype_t class), iswctype(c, class), 0)
FUNCTION(int, iswctype_l, (wint_t c, wctype_t class, locale_t locale), iswctype_l(c, class, locale), 0)
FUNCTION(wint_t, towlower, (wint_t c), towlower(c), 1)
FUNCTION(wint_t, towupper, (wint_t c), towupper(c), 1)
FUNCTION(wint_t, towlower_l, (wint_t c, locale_t locale), towlower_l(c, locale), 1)
FUNCTION(wint_t, towupper_l, (wint_t c, locale_t locale), towupper_l(c, locale), 1)
FUNCTION(wint_t, towctrans, (wint_t c, wctrans_t map), towctrans(c, map), 1)
FUNCTION(int, wcwidth, (wchar_t c), wcwidth(c), 0)

size_t byway_model_wcslen(const wchar_t *s) {
  FIX(s);
  size_t real = wcslen(s), model = real;
  if (!byway_symbolic(s, (real + 1) * UNIT))
    return real;
  if (real >= LIMIT)
    return byway_too_long(), real;
  for (size_t i = real; i-- > 0;)
    model = byway_ite(s[i] == 0, i, model);
  return byway_is(real, model);
}

size_t byway_model_wcsnlen(const wchar_t *s, size_t n) {
  FIX(s), FIX(n);
  size_t real = wcsnlen(s, n), model = real;
  if (!byway_symbolic(s, (real + (real < n)) * UNIT))
    return real;
  if (real >= LIMIT)
    return byway_too_long(), real;
  for (size_t i = real; i-- > 0;)
    model = byway_ite(s[i] == 0, i, model);
  return byway_is(real, model);
}

// The sign is what counts. There are n characters of both; strings end at a NUL.
static int compared(const wchar_t *a, const wchar_t *b, size_t n, _Bool strings, int real) {
  if (!byway_symbolic(a, n * UNIT) && !byway_symbolic(b, n * UNIT))
    return real;
  if (n > LIMIT)
    return byway_too_long(), real;
  int model = 0, less = real < 0 ? real : -1, greater = real > 0 ? real : 1;
  for (size_t i = n; i-- > 0;) {
    if (strings)
      model = byway_ite(a[i] == 0, 0, model);
    model = byway_ite(a[i] == b[i], model, byway_ite(a[i] < b[i], less, greater));
  }
  return byway_is(real, model);
}

int byway_model_wcscmp(const wchar_t *a, const wchar_t *b) {
  FIX(a), FIX(b);
  return compared(a, b, smaller(wcslen(a), wcslen(b)) + 1, 1, wcscmp(a, b));
}

int byway_model_wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  FIX(a), FIX(b), FIX(n);
  size_t shorter = smaller(wcsnlen(a, n), wcsnlen(b, n));
  return compared(a, b, smaller(n, shorter + 1), 1, wcsncmp(a, b, n));
}

int byway_model_wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  byway_compares(a, b, n * UNIT);
  FIX(a), FIX(b), FIX(n);
  return compared(a, b, n, 0, wmemcmp(a, b, n));
}

// The first of n characters that is c, or the last one; a NUL before it ends a string.
static wchar_t *find(const wchar_t *s, wchar_t c, size_t n, _Bool string, _Bool last, const wchar_t *real) {
  if (!byway_symbolic(s, n * UNIT) && !byway_labelled(c))
    return (wchar_t *)real;
  if (n > LIMIT)
    return byway_too_long(), (wchar_t *)real;
  const wchar_t *model = NULL;
  _Bool open = 1;
  for (size_t i = 0; i < n; i++) {
    model = pointer_ite(open & (s[i] == c), s + i, model);
    open &= (string ? s[i] != 0 : 1) & (last ? 1 : s[i] != c);
  }
  return pointer_is(real, model);
}

wchar_t *byway_model_wcschr(const wchar_t *s, wchar_t c) {
  FIX(s);
  return find(s, c, wcslen(s) + 1, 1, 0, wcschr(s, c));
}

wchar_t *byway_model_wcsrchr(const wchar_t *s, wchar_t c) {
  FIX(s);
  return find(s, c, wcslen(s) + 1, 1, 1, wcsrchr(s, c));
}

wchar_t *byway_model_wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  byway_may_read(s, n * UNIT);
  FIX(s), FIX(n);
  const wchar_t *real = wmemchr(s, c, n);
  return find(s, c, real ? (size_t)(real - s) + 1 : n, 0, 0, real);
}

#define COPY(name, parameters, arguments, n)                                                                           \
  wchar_t *byway_model_##name parameters {                                                                             \
    FIX(to), FIX(from);                                                                                                \
    wchar_t *end = name arguments;                                                                                     \
    byway_copy(to, from, (n) * UNIT);                                                                                  \
    return end;                                                                                                        \
  }
COPY(wcscpy, (wchar_t *to, const wchar_t *from), (to, from), wcslen(from) + 1)
COPY(wcpcpy, (wchar_t *to, const wchar_t *from), (to, from), wcslen(from) + 1)
COPY(__wcscpy_chk, (wchar_t *to, const wchar_t *from, size_t room), (to, from, room), wcslen(from) + 1)

#define COPY_MEMORY(name, parameters, arguments, result)                                                               \
  wchar_t *byway_model_##name parameters {                                                                             \
    byway_copies(to, from, n * UNIT);                                                                                  \
    wchar_t *end = name arguments;                                                                                     \
    byway_copied(to, from, n * UNIT);                                                                                  \
    return pointer_is(end, result);                                                                                    \
  }
COPY_MEMORY(wmemcpy, (wchar_t *to, const wchar_t *from, size_t n), (to, from, n), to)
COPY_MEMORY(wmemmove, (wchar_t *to, const wchar_t *from, size_t n), (to, from, n), to)
COPY_MEMORY(wmempcpy, (wchar_t *to, const wchar_t *from, size_t n), (to, from, n), to + n)
COPY_MEMORY(__wmemcpy_chk, (wchar_t *to, const wchar_t *from, size_t n, size_t room), (to, from, n, room), to)
COPY_MEMORY(__wmemmove_chk, (wchar_t *to, const wchar_t *from, size_t n, size_t room), (to, from, n, room), to)

wchar_t *byway_model_wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
  byway_writes(to, n * UNIT);
  FIX(to), FIX(from), FIX(n);
  wcsncpy(to, from, n);
  size_t length = wcsnlen(from, n), copied = length + (length < n);
  byway_copy(to, from, copied * UNIT);
  byway_clear(to + copied, (n - copied) * UNIT);
  return to;
}

wchar_t *byway_model_wcscat(wchar_t *to, const wchar_t *from) {
  FIX(to), FIX(from);
  size_t before = wcslen(to);
  wcscat(to, from);
  byway_copy(to + before, from, (wcslen(from) + 1) * UNIT);
  return to;
}

wchar_t *byway_model_wcsncat(wchar_t *to, const wchar_t *from, size_t n) {
  FIX(to), FIX(from), FIX(n);
  size_t before = wcslen(to), length = wcsnlen(from, n);
  wcsncat(to, from, n);
  byway_copy(to + before, from, length * UNIT);
  byway_clear(to + before + length, UNIT);
  return to;
}

wchar_t *byway_model_wcsdup(const wchar_t *s) {
  FIX(s);
  wchar_t *copy = wcsdup(s);
  size_t n = (wcslen(s) + 1) * UNIT;
  byway_allocated(copy, n);
  if (copy)
    byway_copy(copy, s, n);
  return copy;
}

static wchar_t *filled(wchar_t *p, wchar_t c, size_t n) {
  for (size_t i = 0; i < UNIT; i++)
    if (byway_labelled(c))
      for (size_t j = 0; j < n; j++)
        byway_put((byte *)(p + j) + i, (unsigned)c >> 8 * i);
  if (!byway_labelled(c))
    byway_clear(p, n * UNIT);
  return p;
}

wchar_t *byway_model_wmemset(wchar_t *p, wchar_t c, size_t n) {
  byway_writes(p, n * UNIT);
  FIX(p), FIX(n);
  return filled(wmemset(p, c, n), c, n);
}

wchar_t *byway_model___wmemset_chk(wchar_t *p, wchar_t c, size_t n, size_t room) {
  byway_writes(p, n * UNIT);
  FIX(p), FIX(n);
  return filled(__wmemset_chk(p, c, n, room), c, n);
}
