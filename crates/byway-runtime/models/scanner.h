// What scanf took from text, parsed again as scanf parses it: branches decide, as they do in the library, and what was
// stored gets its meaning.
#ifndef BYWAY_SCANNER_H
#define BYWAY_SCANNER_H

#include "digits.h"
#include <wchar.h>

struct scanner {
  const char *name;         // of the function
  const byte *start, *at;   // the text, and what is next
  const byte *end;          // of the text
  int stored;               // how many conversions the library says it stored
};

// One conversion: % and what follows it.
struct wanted {
  _Bool ignored, allocated;
  size_t width;  // SIZE_MAX if there is none
  char length;   // h, H for hh, l, q for ll and all that is as long, L; 0
  char kind;
  const byte *set, *set_end;  // of %[
  _Bool inverted;
};

static inline void skip_space(struct scanner *s) {
  while (s->at < s->end && is_space(*s->at))
    s->at++;
}

// What is behind the % at *format; 0 if it is not known here.
static inline _Bool read_wanted(const char **format, struct wanted *w) {
  const byte *p = (const byte *)*format + 1;
  *w = (struct wanted){0, 0, SIZE_MAX, 0, 0, NULL, NULL, 0};
  if (*p == '*')
    w->ignored = 1, p++;
  size_t width = 0;
  for (; *p >= '0' && *p <= '9'; p++)
    width = width * 10 + *p - '0';
  if (*p == '$' || *p == '\'' || *p == 'I')
    return 0;
  if (width)
    w->width = width;
  if (*p == 'm')
    w->allocated = 1, p++;
  for (;; p++) {
    if (*p == 'h')
      w->length = w->length == 'h' ? 'H' : 'h';
    else if (*p == 'l')
      w->length = w->length == 'l' ? 'q' : 'l';
    else if (*p == 'L' || *p == 'q' || *p == 'j' || *p == 'z' || *p == 'Z' || *p == 't')
      w->length = *p == 'L' ? 'L' : 'q';
    else
      break;
  }
  w->kind = *p;
  if (*p == '[') {
    w->inverted = p[1] == '^';
    w->set = p += 1 + w->inverted;
    for (p += *p == ']'; *p && *p != ']'; p++)
      ;
    w->set_end = p;
  }
  *format = (const char *)p + (*p != 0);
  return *p != 0 && (w->kind == '[' || strchr("diouxXpcsn%fFeEgGaA", w->kind));
}

// The number that the library stored at p, in size bytes, means value.
static inline void put_number(void *p, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    byway_put((byte *)p + i, value >> 8 * i);
}

static inline size_t stored_size(const struct wanted *w) {
  return w->kind == 'p' ? 8 : w->length == 'H' ? 1 : w->length == 'h' ? 2 : w->length == 0 ? 4 : 8;
}

// Reads a number; returns whether there is one.
static inline _Bool scan_number(struct scanner *s, const struct wanted *w, uint64_t *value) {
  unsigned base = w->kind == 'i' ? 0 : w->kind == 'o' ? 8 : strchr("xXp", w->kind) ? 16 : 10;
  const byte *limit = w->width < (size_t)(s->end - s->at) ? s->at + w->width : s->end;
  _Bool negative = 0, zero = 0;
  if (s->at < limit) {
    if (*s->at == '-')
      negative = 1, s->at++;
    else if (*s->at == '+')
      s->at++;
  }
  if ((base == 0 || base == 16) && s->at < limit && *s->at == '0') {
    zero = 1;
    s->at++;
    if (s->at < limit && (*s->at | 32) == 'x')
      base = 16, s->at++;
    else if (base == 0)
      base = 8;
  }
  struct digits digits = read_digits(s->at, limit, base ? base : 10);
  s->at = digits.end;
  *value = number(digits, negative, w->kind == 'd' || w->kind == 'i');
  return zero || digits.count > 0;
}

// Whether c is in the set of %[, as an expression.
static inline _Bool in_brackets(byte c, const struct wanted *w) {
  _Bool in = 0;
  for (const byte *p = w->set; p < w->set_end; p++) {
    if (p + 2 < w->set_end && p[1] == '-' && p[0] <= p[2]) {
      in |= (byte)(c - p[0]) <= p[2] - p[0];
      p += 2;
    } else {
      in |= c == *p;
    }
  }
  return in != w->inverted;
}

// Reads characters; returns how many.
static inline size_t scan_characters(struct scanner *s, const struct wanted *w) {
  const byte *start = s->at, *limit = w->width < (size_t)(s->end - s->at) ? s->at + w->width : s->end;
  if (w->kind == 'c' && w->width == SIZE_MAX)
    limit = s->at < s->end ? s->at + 1 : s->end;
  while (s->at < limit) {
    if (w->kind == 's' && is_space(*s->at))
      break;
    if (w->kind == '[' && !in_brackets(*s->at, w))
      break;
    s->at++;
  }
  return s->at - start;
}

static inline void put_characters(const struct wanted *w, void *to, const byte *from, size_t n) {
  byway_copy(w->allocated ? *(void **)to : to, from, n);
}

// A floating-point number: where it ends is the library's word, and its meaning is lost.
static inline _Bool scan_floating(struct scanner *s, const struct wanted *w) {
  char text[64], *end;
  size_t n = smaller(smaller(w->width, s->end - s->at), sizeof text - 1);
  memcpy(text, s->at, n);
  text[n] = 0;
  strtold(text, &end);
  byway_consumed(s->name, s->at, end - text);
  s->at += end - text;
  return end > text;
}

// One conversion that the library stored at `to`, or ignored if that is NULL. Returns whether it worked.
static inline _Bool scan_one(struct scanner *s, const struct wanted *w, void *to) {
  if (strchr("fFeEgGaA", w->kind))
    return scan_floating(s, w);
  if (strchr("cs[", w->kind)) {
    const byte *from = s->at;
    size_t n = scan_characters(s, w);
    if (n == 0)
      return 0;
    if (to && w->length != 'l')
      put_characters(w, to, from, n);
    else if (to)
      byway_consumed(s->name, from, n);
    return 1;
  }
  uint64_t value;
  if (!scan_number(s, w, &value))
    return 0;
  if (to)
    put_number(to, value, stored_size(w));
  return 1;
}

// What one conversion stored at `to` means nothing.
static inline void forget_one(const struct wanted *w, void *to) {
  size_t unit = w->length == 'l' ? sizeof(wchar_t) : 1, n = w->width == SIZE_MAX ? 1 : w->width;
  if (strchr("fFeEgGaA", w->kind)) {
    byway_clear(to, w->length == 'L' || w->length == 'q' ? sizeof(long double) : w->length == 'l' ? 8 : 4);
    return;
  }
  if (!strchr("cs[", w->kind)) {
    byway_clear(to, stored_size(w));
    return;
  }
  if (w->allocated) {
    byway_clear(to, sizeof(void *));
    to = *(void **)to;
  }
  if (w->kind != 'c')
    n = (w->length == 'l' ? wcslen(to) : strlen(to)) + 1;
  if (w->allocated)
    byway_allocated(to, n * unit);
  else
    byway_clear(to, n * unit);
}

// What the library stored means nothing, until it is said what.
static inline void forget(const char *format, int stored, va_list list) {
  while (*format) {
    struct wanted w;
    if (*format != '%') {
      format++;
      continue;
    }
    if (!read_wanted(&format, &w))
      return;
    if (w.ignored || w.kind == '%')
      continue;
    if (w.kind != 'n' && stored-- <= 0)
      return;
    forget_one(&w, va_arg(list, void *));
  }
}

// Walks the format along the text, and stops where the library did.
static inline void scan(struct scanner *s, const char *format, va_list list) {
  int stored = 0;
  while (*format) {
    struct wanted w;
    if (is_space(*format)) {
      skip_space(s), format++;
    } else if (*format != '%') {
      if (s->at >= s->end || *s->at != (byte)*format)
        return;
      s->at++, format++;
    } else if (!read_wanted(&format, &w)) {
      byway_consumed(s->name, s->at, s->end - s->at);
      return;
    } else if (w.kind == 'n') {
      if (!w.ignored)
        (void)va_arg(list, void *);
    } else if (w.kind == '%') {
      skip_space(s);
      if (s->at >= s->end || *s->at != '%')
        return;
      s->at++;
    } else {
      if (w.kind != 'c' && w.kind != '[')
        skip_space(s);
      void *to = w.ignored || stored == s->stored ? NULL : va_arg(list, void *);
      if (!scan_one(s, &w, to) || (!to && !w.ignored))
        return;
      stored += !w.ignored;
    }
  }
}

#endif
