// The text that printf wrote to memory, made again from its arguments: which byte means what.
//
// The format is walked twice. The first walk only asks whether an argument is symbolic; mostly none is. The second one
// says what the digits of symbolic numbers, and the characters of symbolic strings, mean. How long the rest is, is
// asked from the library.
#ifndef BYWAY_FORMAT_H
#define BYWAY_FORMAT_H

#include "common.h"
#include <stdint.h>
#include <wchar.h>

struct arguments {
  va_list list;
  _Bool silent; // numbers are taken as they are, and nothing is said about the path
};

struct output {
  char *text;   // what was written; NULL in the first walk
  size_t room;  // how many characters of it there are, without the NUL
  size_t at;    // the next one, also beyond room
  _Bool found;  // a symbolic argument
};

// One conversion: % and what follows it.
struct conversion {
  char flags[8];
  int width, precision; // -1 if none
  char length;          // h, l, q for ll, L, H for hh; 0
  char kind;
};

static inline int format_number(const char **at, struct arguments *arguments) {
  int n = 0;
  if (**at == '*') {
    ++*at;
    n = va_arg(arguments->list, int);
    return arguments->silent ? (int)byway_concrete((unsigned)n) : FIX(n);
  }
  while (**at >= '0' && **at <= '9')
    n = n * 10 + *(*at)++ - '0';
  return n;
}

// The conversion behind the % at *at; 0 if it is not known here.
static inline _Bool read_conversion(const char **at, struct arguments *arguments, struct conversion *c) {
  size_t flags = 0;
  const char *p = *at + 1;
  *c = (struct conversion){{0}, -1, -1, 0, 0};
  for (; *p && strchr("-+ #0'", *p); p++)
    if (!strchr(c->flags, *p))
      c->flags[flags++] = *p;
  if (*p == '*' || (*p >= '1' && *p <= '9'))
    c->width = format_number(&p, arguments);
  if (c->width < -1 || (c->width == -1 && p[-1] == '*')) {
    if (!strchr(c->flags, '-'))
      c->flags[flags++] = '-';
    c->width = -c->width;
  }
  if (*p == '.') {
    p++;
    if (*p == '-')
      return 0;
    c->precision = format_number(&p, arguments);
    if (c->precision < 0)
      c->precision = -1;
  }
  for (;; p++) {
    if (*p == 'h')
      c->length = c->length == 'h' ? 'H' : 'h';
    else if (*p == 'l')
      c->length = c->length == 'l' ? 'q' : 'l';
    else if (*p == 'q' || *p == 'L')
      c->length = *p;
    else if (*p == 'z' || *p == 'Z' || *p == 'j' || *p == 't')
      c->length = 'q';
    else
      break;
  }
  c->kind = *p;
  *at = p + (*p != 0);
  return *p && strchr("diouxXbBcsCSpnm%fFeEgGaA", *p);
}

// The conversion as a format of its own, with another length and kind.
static inline void as_format(const struct conversion *c, const char *length, char kind, char *to, size_t room) {
  char width[16] = "", precision[16] = "";
  if (c->width >= 0)
    snprintf(width, sizeof width, "%d", c->width);
  if (c->precision >= 0)
    snprintf(precision, sizeof precision, ".%d", c->precision);
  snprintf(to, room, "%%%s%s%s%s%c", c->flags, width, precision, length, kind);
}

static inline void put(struct output *output, size_t at, char c) {
  if (at < output->room)
    byway_put(output->text + at, c);
}

// Says what the digits mean, of which the last one is before `end`. The path says how many there are: whether there are two, whether there
// are three, and so on, so that all runs meet the same branches.
#define PUT_DIGITS(type)                                                                                               \
  static inline void put_digits_##type(struct output *output, size_t end, type value, type base, char ten) {           \
    size_t count = 1;                                                                                                  \
    for (type power = base; value >= power; power *= base) {                                                           \
      count++;                                                                                                         \
      if (power > (type)-1 / base)                                                                                     \
        break;                                                                                                         \
    }                                                                                                                  \
    for (size_t i = 0; i < count; i++, value /= base) {                                                                \
      byte d = value % base;                                                                                           \
      put(output, end - 1 - i, base <= 10 ? d + '0' : (char)byway_ite(d < 10, d + '0', d - 10 + ten));                 \
    }                                                                                                                  \
  }
PUT_DIGITS(uint32_t)
PUT_DIGITS(uint64_t)

// How wide the digits, the sign and the prefix are together.
static inline size_t core_length(const struct conversion *c, uint64_t magnitude, _Bool negative, unsigned base) {
  struct conversion core = *c;
  char format[64];
  core.width = -1;
  if (c->kind == 'd' || c->kind == 'i') {
    as_format(&core, "l", 'd', format, sizeof format);
    return snprintf(NULL, 0, format, negative ? (long)-magnitude : (long)magnitude);
  }
  if (c->kind == 'p') {
    as_format(&core, "", 'p', format, sizeof format);
    return snprintf(NULL, 0, format, (void *)magnitude);
  }
  char kind = base == 2 ? 'b' : c->kind;
  as_format(&core, "l", kind, format, sizeof format);
  return snprintf(NULL, 0, format, magnitude);
}

static inline void walk_integer(struct output *output, const struct conversion *c, struct arguments *arguments) {
  _Bool is_signed = c->kind == 'd' || c->kind == 'i', narrow = c->length != 'l' && c->length != 'q' && c->length != 'L';
  uint64_t value;
  if (!narrow || c->kind == 'p')
    value = va_arg(arguments->list, uint64_t);
  else if (c->length == 'H')
    value = is_signed ? (uint64_t)(signed char)va_arg(arguments->list, int) : (byte)va_arg(arguments->list, int);
  else if (c->length == 'h')
    value = is_signed ? (uint64_t)(short)va_arg(arguments->list, int) : (unsigned short)va_arg(arguments->list, int);
  else
    value = is_signed ? (uint64_t)va_arg(arguments->list, int) : va_arg(arguments->list, unsigned);
  if (!output->text) {
    output->found |= byway_labelled(value);
    return;
  }
  unsigned base = c->kind == 'o' ? 8 : c->kind == 'b' || c->kind == 'B' ? 2 : strchr("xXp", c->kind) ? 16 : 10;
  _Bool negative = is_signed && (int64_t)byway_concrete(value) < 0;
  uint64_t number = byway_concrete(value), magnitude = negative ? -number : number;
  size_t core = core_length(c, magnitude, negative, base);
  size_t whole = c->width >= 0 && (size_t)c->width > core ? (size_t)c->width : core;
  size_t end = output->at + (strchr(c->flags, '-') ? core : whole);
  output->at += whole;
  if (!byway_labelled(value) || (c->precision == 0 && number == 0) || (c->kind == 'p' && number == 0))
    return;
  uint64_t symbolic = value;
  if (is_signed && (int64_t)value < 0)
    symbolic = -value;
  char ten = c->kind == 'X' ? 'A' : 'a';
  if (narrow && c->kind != 'p')
    put_digits_uint32_t(output, end, symbolic, base, ten);
  else
    put_digits_uint64_t(output, end, symbolic, base, ten);
}

static inline void walk_string(struct output *output, const struct conversion *c, struct arguments *arguments) {
  const char *s = va_arg(arguments->list, const char *);
  FIX(s);
  size_t length;
  if (!s)
    length = c->precision >= 0 && c->precision < 6 ? 0 : 6; // "(null)", if all of it fits
  else
    length = c->precision >= 0 ? strnlen(s, c->precision) : strlen(s);
  _Bool to_nul = s && (c->precision < 0 || length < (size_t)c->precision);
  if (!output->text) {
    output->found |= s && byway_symbolic(s, length + to_nul);
    return;
  }
  if (to_nul) {
    terminated(s, length, c->precision < 0 ? SIZE_MAX : (size_t)c->precision);
    ends(s, length);
  }
  size_t whole = c->width >= 0 && (size_t)c->width > length ? (size_t)c->width : length;
  size_t start = output->at + (strchr(c->flags, '-') ? 0 : whole - length);
  output->at += whole;
  if (s && start < output->room)
    byway_copy(output->text + start, s, smaller(length, output->room - start));
}

// A string that goes to a stream.
static inline void string_ends(const struct conversion *c, struct arguments *arguments) {
  const char *s = (const char *)byway_concrete((uintptr_t)va_arg(arguments->list, const char *));
  size_t most = c->precision < 0 ? SIZE_MAX : (size_t)c->precision, length = s ? strnlen(s, most) : most;
  if (length < most)
    terminated(s, length, most);
}

// An argument that is no string.
static inline void skip(const struct conversion *c, struct arguments *arguments) {
  if (c->kind == '%' || c->kind == 'm')
    return;
  if (!strchr("fFeEgGaA", c->kind))
    (void)va_arg(arguments->list, uint64_t);
  else if (c->length == 'L' || c->length == 'q')
    (void)va_arg(arguments->list, long double);
  else
    (void)va_arg(arguments->list, double);
}

static inline void walk_character(struct output *output, const struct conversion *c, struct arguments *arguments) {
  int character = va_arg(arguments->list, int);
  size_t whole = c->width > 1 ? (size_t)c->width : 1;
  if (!output->text) {
    output->found |= byway_labelled(character);
    return;
  }
  put(output, output->at + (strchr(c->flags, '-') ? 0 : whole - 1), character);
  output->at += whole;
}

// Text that does not depend on the input, as far as anybody says.
static inline void walk_other(struct output *output, const struct conversion *c, struct arguments *arguments) {
  char format[64];
  int n = 0;
  as_format(c, c->length == 'l' ? "l" : c->length == 'L' ? "L" : "", c->kind, format, sizeof format);
  if (strchr("fFeEgGaA", c->kind)) {
    if (c->length == 'L' || c->length == 'q')
      n = snprintf(NULL, 0, format, va_arg(arguments->list, long double));
    else
      n = snprintf(NULL, 0, format, va_arg(arguments->list, double));
  } else if (c->kind == 'm' || c->kind == '%') {
    n = snprintf(NULL, 0, format, 0);
  } else if (c->kind == 'n') {
    size_t size = c->length == 'H' ? 1 : c->length == 'h' ? 2 : c->length == 0 ? 4 : 8;
    byway_clear(va_arg(arguments->list, void *), size);
  } else if (c->kind == 'C' || c->kind == 'c') {
    n = snprintf(NULL, 0, format, va_arg(arguments->list, wint_t));
  } else {
    n = snprintf(NULL, 0, format, va_arg(arguments->list, wchar_t *));
  }
  output->at += n > 0 ? n : 0;
}

// Walks the format once. Ends early at what it does not know; then nothing behind it means anything.
static inline void walk(struct output *output, const char *format, struct arguments *arguments) {
  while (*format && !(output->text ? output->at >= output->room : output->found)) {
    struct conversion c;
    if (*format != '%') {
      format++, output->at++;
      continue;
    }
    if (!read_conversion(&format, arguments, &c))
      return;
    if (strchr("diouxXbBp", c.kind))
      walk_integer(output, &c, arguments);
    else if (c.kind == 's' && c.length != 'l')
      walk_string(output, &c, arguments);
    else if (c.kind == 'c' && c.length != 'l')
      walk_character(output, &c, arguments);
    else
      walk_other(output, &c, arguments);
  }
}

// Before a text goes to a stream: asks of its strings whether they end.
static inline void strings_end(const char *format, va_list list) {
  format = (const char *)byway_concrete((uintptr_t)format);
  if (!byway_nuls() || !strchr(format, 's') || byway_symbolic(format, strlen(format)))
    return;
  int error = errno;
  struct arguments arguments = {.silent = 1};
  va_copy(arguments.list, list);
  while (*format) {
    struct conversion c;
    if (*format != '%') {
      format++;
      continue;
    }
    if (!read_conversion(&format, &arguments, &c))
      break;
    if (c.kind == 's' && c.length != 'l')
      string_ends(&c, &arguments);
    else
      skip(&c, &arguments);
  }
  va_end(arguments.list);
  errno = error;
}

// n characters and a NUL were written to text, of which there is room for some; the library returned n.
static inline void formatted(char *text, size_t room, int n, const char *format, va_list list) {
  int error = errno;
  if (n >= 0 && room > 0) {
    size_t length = smaller(n, room - 1);
    struct output first = {NULL, 0, 0, 0}, second = {text, length, 0, 0};
    struct arguments arguments = {.silent = 0};
    byway_clear(text, length + 1);
    va_copy(arguments.list, list);
    walk(&first, format, &arguments);
    va_end(arguments.list);
    if (first.found) {
      va_copy(arguments.list, list);
      walk(&second, format, &arguments);
      va_end(arguments.list);
    }
    // How long the strings are is part of the path by now: what has room for them has room for this.
    byway_writes(text, length + 1);
  }
  errno = error;
}

#endif
