// Characters as bytes: wide characters from them, and back. Of UTF-8 and of ASCII; other encodings are lost, and so is
// a character whose first bytes were given to an earlier call.
#include "common.h"
#include <langinfo.h>
#include <wchar.h>

size_t __mbrlen(const char *, size_t, mbstate_t *);

enum encoding { ASCII, UTF_8, OTHER };

static enum encoding encoding(void) {
  const char *name = nl_langinfo(CODESET);
  return !strcmp(name, "UTF-8") ? UTF_8 : !strcmp(name, "ANSI_X3.4-1968") ? ASCII : OTHER;
}

#define INVALID SIZE_MAX
#define INCOMPLETE (SIZE_MAX - 1)

// The character in the first of n bytes: how many it has, or what is wrong with them. Each decision is a branch. The library
// takes characters of up to six bytes, as UTF-8 once had them.
static size_t decode(const byte *s, size_t n, enum encoding encoding, uint32_t *character) {
  if (n == 0)
    return INCOMPLETE;
  uint32_t c = s[0];
  *character = c;
  if (c < 0x80)
    return 1;
  if (encoding == ASCII || c < 0xc2 || c >= 0xfe)
    return INVALID;
  size_t length = 2;
  if (c < 0xe0)
    c &= 0x1f;
  else if (c < 0xf0)
    length = 3, c &= 0x0f;
  else if (c < 0xf8)
    length = 4, c &= 0x07;
  else if (c < 0xfc)
    length = 5, c &= 0x03;
  else
    length = 6, c &= 0x01;
  for (size_t i = 1; i < length; i++) {
    if (i == n)
      return INCOMPLETE;
    if ((s[i] & 0xc0) != 0x80)
      return INVALID;
    c = c << 6 | (s[i] & 0x3f);
  }
  *character = c;
  if (length == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000)))
    return INVALID;
  if ((length == 4 && c < 0x10000) || (length == 5 && c < 0x200000) || (length == 6 && c < 0x4000000))
    return INVALID;
  return length;
}

static void put_wide(wchar_t *to, uint32_t c) {
  for (size_t i = 0; i < sizeof c; i++)
    byway_put((byte *)to + i, c >> 8 * i);
}

// After the library decoded one character, which it stored at `to` unless that is NULL, and took so many bytes; lost if
// the state was not initial.
static size_t decoded(const char *name, wchar_t *to, const char *s, size_t n, size_t taken, _Bool initial) {
  _Bool valid = taken < INCOMPLETE;
  size_t seen = taken == INCOMPLETE ? n : taken == INVALID || taken == 0 ? 1 : taken;
  if (to && valid)
    byway_clear(to, sizeof *to);
  if (n == 0 || !byway_symbolic(s, seen))
    return taken;
  enum encoding charset = encoding();
  uint32_t character;
  if (!initial || charset == OTHER)
    byway_consumed(name, s, seen);
  else if (decode((const byte *)s, n, charset, &character) < INCOMPLETE && to && valid)
    put_wide(to, character);
  // A NUL is reported as no byte: another branch.
  if (valid && initial && s[0] == 0)
    return taken;
  return taken;
}

size_t byway_model_mbrtowc(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
  FIX(to), FIX(s), FIX(n), FIX(state);
  _Bool initial = mbsinit(state);
  size_t taken = mbrtowc(to, s, n, state);
  return s ? decoded("mbrtowc", to, s, n, taken, initial) : taken;
}

int byway_model_mbtowc(wchar_t *to, const char *s, size_t n) {
  FIX(to), FIX(s), FIX(n);
  int taken = mbtowc(to, s, n);
  return s ? (int)decoded("mbtowc", to, s, n, (size_t)(ssize_t)taken, 1) : taken;
}

int byway_model_mblen(const char *s, size_t n) {
  FIX(s), FIX(n);
  int taken = mblen(s, n);
  return s ? (int)decoded("mblen", NULL, s, n, (size_t)(ssize_t)taken, 1) : taken;
}

#define LENGTH(name)                                                                                                   \
  size_t byway_model_##name(const char *s, size_t n, mbstate_t *state) {                                               \
    FIX(s), FIX(n), FIX(state);                                                                                        \
    _Bool initial = mbsinit(state);                                                                                    \
    size_t taken = name(s, n, state);                                                                                  \
    return s ? decoded(#name, NULL, s, n, taken, initial) : taken;                                                     \
  }
LENGTH(mbrlen)
LENGTH(__mbrlen)

wint_t byway_model_btowc(int c) {
  wint_t real = btowc(c);
  if (!byway_labelled(c) || encoding() == OTHER)
    return real;
  return (unsigned)c < 0x80 ? (wint_t)byway_is(real, (unsigned)c) : real;
}

int byway_model_wctob(wint_t c) {
  int real = wctob(c);
  if (!byway_labelled(c) || encoding() == OTHER)
    return real;
  return c < 0x80 ? (int)byway_is(real, c) : real;
}

// After the library wrote the n bytes of c. The path says how many there are.
static void encoded(const char *name, char *to, uint32_t c, size_t n) {
  if (n == 0 || n > MB_LEN_MAX)
    return;
  byway_clear(to, n);
  if (!byway_labelled(c))
    return;
  if (encoding() == OTHER)
    byway_lost(name);
  else if (c < 0x80)
    byway_put(to, c);
  else if (c < 0x800)
    byway_put(to, 0xc0 | c >> 6), byway_put(to + 1, 0x80 | (c & 0x3f));
  else if (c < 0x10000)
    byway_put(to, 0xe0 | c >> 12), byway_put(to + 1, 0x80 | (c >> 6 & 0x3f)), byway_put(to + 2, 0x80 | (c & 0x3f));
  else if (c >= 0x200000)
    byway_lost(name);
  else
    byway_put(to, 0xf0 | c >> 18), byway_put(to + 1, 0x80 | (c >> 12 & 0x3f)),
        byway_put(to + 2, 0x80 | (c >> 6 & 0x3f)), byway_put(to + 3, 0x80 | (c & 0x3f));
}

size_t byway_model_wcrtomb(char *to, wchar_t c, mbstate_t *state) {
  FIX(to), FIX(state);
  size_t n = wcrtomb(to, c, state);
  if (to)
    encoded("wcrtomb", to, c, n);
  return n;
}

int byway_model_wctomb(char *to, wchar_t c) {
  FIX(to);
  int n = wctomb(to, c);
  if (to)
    encoded("wctomb", to, c, (size_t)(ssize_t)n);
  return n;
}

// After the library decoded a string to n characters, and a NUL if there was room for it; to may be NULL.
static size_t decoded_string(const char *name, wchar_t *to, const char *s, size_t room, size_t n, _Bool initial) {
  if (n >= INCOMPLETE)
    return n;
  size_t bytes = 0;
  enum encoding charset = encoding();
  if (to)
    byway_clear(to, (n + (n < room)) * sizeof *to);
  // Where the characters end is known to the library alone, but each has a byte that is not a continuation.
  for (size_t i = 0; i < n; bytes++)
    i += charset != UTF_8 || (byway_concrete((byte)s[bytes + 1]) & 0xc0) != 0x80;
  if (!byway_symbolic(s, bytes))
    return n;
  if (!initial || charset == OTHER || n > LIMIT) {
    if (n > LIMIT)
      byway_too_long();
    byway_consumed(name, s, bytes);
    return n;
  }
  for (size_t i = 0, at = 0; i < n; i++) {
    uint32_t character;
    size_t taken = decode((const byte *)s + at, bytes - at, charset, &character);
    if (taken >= INCOMPLETE || character == 0)
      return n;
    at += taken;
    if (to)
      put_wide(to + i, character);
  }
  return n;
}

size_t byway_model_mbstowcs(wchar_t *to, const char *s, size_t room) {
  FIX(to), FIX(s), FIX(room);
  return decoded_string("mbstowcs", to, s, room, mbstowcs(to, s, room), 1);
}

size_t byway_model_mbsrtowcs(wchar_t *to, const char **s, size_t room, mbstate_t *state) {
  FIX(to), FIX(s), FIX(room), FIX(state);
  const char *start = *s;
  FIX(start);
  _Bool initial = mbsinit(state);
  size_t n = mbsrtowcs(to, s, room, state);
  if (to)
    byway_clear(s, sizeof *s);
  return decoded_string("mbsrtowcs", to, start, room, n, initial);
}

// After the library encoded a string to n bytes, and a NUL if there was room for it; to may be NULL.
static size_t encoded_string(const char *name, char *to, const wchar_t *s, size_t room, size_t n) {
  if (n == SIZE_MAX || !to)
    return n;
  byway_clear(to, n + (n < room));
  for (size_t at = 0, i = 0; at < n; i++) {
    uint32_t c = byway_concrete((uint32_t)s[i]);
    size_t length = c < 0x80 || encoding() != UTF_8 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : c < 0x200000 ? 4 : c < 0x4000000 ? 5 : 6;
    encoded(name, to + at, s[i], length);
    at += length;
  }
  return n;
}

size_t byway_model_wcstombs(char *to, const wchar_t *s, size_t room) {
  FIX(to), FIX(s), FIX(room);
  return encoded_string("wcstombs", to, s, room, wcstombs(to, s, room));
}

size_t byway_model_wcsrtombs(char *to, const wchar_t **s, size_t room, mbstate_t *state) {
  FIX(to), FIX(s), FIX(room), FIX(state);
  const wchar_t *start = *s;
  FIX(start);
  size_t n = wcsrtombs(to, s, room, state);
  if (to)
    byway_clear(s, sizeof *s);
  return encoded_string("wcsrtombs", to, start, room, n);
}
