// Numbers: read from text, and the library's small arithmetic. Of a floating-point number it is known how it is written, not what it is.
#include "digits.h"
#include <arpa/inet.h>
#include <inttypes.h>
#include <strings.h>
#include <wchar.h>

#define NO_LIMIT ((const byte *)UINTPTR_MAX)

// What the text at s is as a number; real is what the library made of it. Each byte that it looks at is a branch.
static uint64_t parsed(const char *s, int base, _Bool is_signed, _Bool binary, uint64_t real, const char *end) {
  if (base < 0 || base == 1 || base > 36)
    return real;
  size_t n = end > s ? (size_t)(end - s) : 0;
  if (n == 0) {
    // The library found no digit, and does not say how far it looked: one byte for each step at most.
    while (is_space(byway_concrete(s[n])))
      n++;
    byte c = byway_concrete(s[n]);
    n += c == '-' || c == '+';
  }
  if (!byway_symbolic(s, n + 1))
    return real;
  if (n > LIMIT)
    return byway_too_long(), real;
  const byte *at = (const byte *)s;
  while (is_space(*at))
    at++;
  _Bool negative = 0;
  if (*at == '-')
    negative = 1, at++;
  else if (*at == '+')
    at++;
  if (base == 0 || base == 16 || (binary && base == 2)) {
    if (*at == '0') {
      if ((base == 0 || base == 16) && (at[1] | 32) == 'x')
        base = 16, at += 2;
      else if (binary && (base == 0 || base == 2) && (at[1] | 32) == 'b')
        base = 2, at += 2;
      else if (base == 0)
        base = 8;
    } else if (base == 0) {
      base = 10;
    }
  }
  size_t digits = n > (size_t)((const char *)at - s) ? n - (size_t)((const char *)at - s) : 0;
  MUST_END(at, digits + 1, SIZE_MAX, digit(at[i], base) >= (unsigned)base);
  return byway_is(real, number(read_digits(at, NO_LIMIT, base), negative, is_signed));
}

#define PARSE(type, name, is_signed, binary, parameters, arguments, attribute)                                         \
  attribute type name parameters;                                                                                      \
  type byway_model_##name parameters {                                                                                 \
    FIX(s), FIX(end), FIX(base);                                                                                       \
    char *stop = NULL;                                                                                                 \
    char **to = end ? end : &stop;                                                                                     \
    type real = name arguments;                                                                                        \
    byway_clear(to, sizeof *to);                                                                                       \
    return parsed(s, base, is_signed, binary, (uint64_t)real, *to);                                                    \
  }
#define PARSE_TEXT(type, name, is_signed, binary, attribute)                                                           \
  PARSE(type, name, is_signed, binary, (const char *s, char **end, int base), (s, to, base), attribute)
#define PARSE_LOCALE(type, name, is_signed)                                                                            \
  PARSE(type, name, is_signed, 0, (const char *s, char **end, int base, locale_t locale), (s, to, base, locale), )
PARSE_TEXT(long, strtol, 1, 0, )
PARSE_TEXT(long long, strtoll, 1, 0, )
PARSE_TEXT(long long, strtoq, 1, 0, )
PARSE_TEXT(intmax_t, strtoimax, 1, 0, )
PARSE_TEXT(unsigned long, strtoul, 0, 0, )
PARSE_TEXT(unsigned long long, strtoull, 0, 0, )
PARSE_TEXT(unsigned long long, strtouq, 0, 0, )
PARSE_TEXT(uintmax_t, strtoumax, 0, 0, )
PARSE_LOCALE(long, strtol_l, 1)
PARSE_LOCALE(long long, strtoll_l, 1)
PARSE_LOCALE(unsigned long, strtoul_l, 0)
PARSE_LOCALE(unsigned long long, strtoull_l, 0)
// Of newer libraries, for programs in newer C: these know binary numbers.
#define WEAK __attribute__((weak))
PARSE_TEXT(long, __isoc23_strtol, 1, 1, WEAK)
PARSE_TEXT(long long, __isoc23_strtoll, 1, 1, WEAK)
PARSE_TEXT(intmax_t, __isoc23_strtoimax, 1, 1, WEAK)
PARSE_TEXT(unsigned long, __isoc23_strtoul, 0, 1, WEAK)
PARSE_TEXT(unsigned long long, __isoc23_strtoull, 0, 1, WEAK)
PARSE_TEXT(uintmax_t, __isoc23_strtoumax, 0, 1, WEAK)

// These are strtol in base 10, but do not say where they ended.
#define PARSE_ALL(type, name)                                                                                          \
  type byway_model_##name(const char *s) {                                                                             \
    FIX(s);                                                                                                            \
    type real = name(s);                                                                                               \
    char *end;                                                                                                         \
    int error = errno;                                                                                                 \
    long number = strtol(s, &end, 10);                                                                                 \
    errno = error;                                                                                                     \
    type model = (type)parsed(s, 10, 1, 0, (uint64_t)number, end);                                                     \
    return (type)byway_is((uint64_t)real, (uint64_t)model);                                                            \
  }
PARSE_ALL(int, atoi)
PARSE_ALL(long, atol)
PARSE_ALL(long long, atoll)

// Whether a word begins at `at`, in any case, as one expression; 0 if it cannot.
static _Bool is_word(const byte *at, const char *word) {
  size_t n = strlen(word);
  if (longest(at, strlen((const char *)at)) < n)
    return 0;
  _Bool same = 1;
  for (size_t i = 0; i < n; i++)
    same &= fold(at[i]) == (byte)word[i];
  return same;
}

static const byte *after_digits(const byte *at, unsigned base) {
  while (digit(*at, base) < base)
    at++;
  return at;
}

static void exponent(const byte *at, byte letter) {
  if (fold(*at) != letter)
    return;
  at++;
  if (*at == '-' || *at == '+')
    at++;
  after_digits(at, 10);
}

// How the number at s is written: each byte that the library looks at is a branch. Whether it has digits, on which its value depends.
static _Bool has_digits(const byte *at) {
  while (is_space(*at))
    at++;
  if (*at == '-' || *at == '+')
    at++;
  if (is_word(at, "inf") || is_word(at, "nan"))
    return 0;
  _Bool hexadecimal = *at == '0' && fold(at[1]) == 'x';
  unsigned base = hexadecimal ? 16 : 10;
  const byte *first = at + 2 * hexadecimal, *end = after_digits(first, base);
  size_t digits = end - first;
  if (*end == '.') {
    const byte *fraction = end + 1;
    end = after_digits(fraction, base);
    digits += end - fraction;
  }
  if (digits > 0)
    exponent(end, hexadecimal ? 'p' : 'e');
  return digits > 0;
}

// The library read a floating-point number from s up to end. Its value is no expression: what it depends on is lost.
static void floating(const char *function, const char *s, const char *end) {
  size_t n = end - s;
  if (!byway_symbolic(s, n + 1))
    return;
  if (n > LIMIT)
    return byway_too_long();
  if (has_digits((const byte *)s))
    byway_consumed(function, s, n + 1);
}

#define FLOATING(type, name)                                                                                           \
  type byway_model_##name(const char *s, char **end) {                                                                 \
    FIX(s), FIX(end);                                                                                                  \
    char *stop = NULL;                                                                                                 \
    char **to = end ? end : &stop;                                                                                     \
    type real = name(s, to);                                                                                           \
    byway_clear(to, sizeof *to);                                                                                       \
    floating(#name, s, *to);                                                                                           \
    return real;                                                                                                       \
  }
FLOATING(float, strtof)
FLOATING(double, strtod)
FLOATING(long double, strtold)

double byway_model_atof(const char *s) {
  FIX(s);
  char *end;
  int error = errno;
  strtod(s, &end);
  errno = error;
  floating("atof", s, end);
  return atof(s);
}

#define WIDE(type, name)                                                                                               \
  type byway_model_##name(const wchar_t *s, wchar_t **end, int base) {                                                 \
    FIX(s), FIX(end), FIX(base);                                                                                       \
    wchar_t *stop = NULL;                                                                                              \
    wchar_t **to = end ? end : &stop;                                                                                  \
    type real = name(s, to, base);                                                                                     \
    byway_clear(to, sizeof *to);                                                                                       \
    byway_consumed(#name, s, (*to - s + 1) * sizeof *s);                                                               \
    return real;                                                                                                       \
  }
WIDE(long, wcstol)
WIDE(long long, wcstoll)
WIDE(unsigned long, wcstoul)
WIDE(unsigned long long, wcstoull)

// Arithmetic, done here as the library does it.
#define ABSOLUTE(type, unsigned_type, name)                                                                            \
  type byway_model_##name(type x) { return (type)byway_ite(x < 0, -(unsigned_type)x, (unsigned_type)x); }
ABSOLUTE(int, unsigned, abs)
ABSOLUTE(long, unsigned long, labs)
ABSOLUTE(long long, unsigned long long, llabs)
ABSOLUTE(intmax_t, uintmax_t, imaxabs)

#define DIVIDE(result, type, name)                                                                                     \
  result byway_model_##name(type x, type by) {                                                                         \
    result both = {x / by, x % by};                                                                                    \
    return both;                                                                                                       \
  }
DIVIDE(div_t, int, div)
DIVIDE(ldiv_t, long, ldiv)
DIVIDE(lldiv_t, long long, lldiv)
DIVIDE(imaxdiv_t, intmax_t, imaxdiv)

#define FIRST_BIT(type, name)                                                                                          \
  int byway_model_##name(type x) {                                                                                     \
    uint64_t first = 0;                                                                                                \
    for (int i = sizeof x * CHAR_BIT; i-- > 0;)                                                                        \
      first = byway_ite((x >> i) & 1, i + 1, first);                                                                   \
    return first;                                                                                                      \
  }
FIRST_BIT(int, ffs)
FIRST_BIT(long, ffsl)
FIRST_BIT(long long, ffsll)

static uint16_t swapped16(uint16_t x) { return x >> 8 | x << 8; }
static uint32_t swapped32(uint32_t x) { return x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24; }
#undef htons
#undef ntohs
#undef htonl
#undef ntohl
uint16_t byway_model_htons(uint16_t x) { return swapped16(x); }
uint16_t byway_model_ntohs(uint16_t x) { return swapped16(x); }
uint32_t byway_model_htonl(uint32_t x) { return swapped32(x); }
uint32_t byway_model_ntohl(uint32_t x) { return swapped32(x); }
