// Numbers as text: what strtol and scanf have in common. Each digit is one branch, that it is one.
#ifndef BYWAY_DIGITS_H
#define BYWAY_DIGITS_H

#include "common.h"

// What c is worth as a digit, as an expression; 36 or more if it is none.
static inline unsigned digit(byte c, unsigned base) {
  byte d = c - '0';
  if (base <= 10)
    return d;
  byte letter = (byte)((c | 32) - 'a');
  return byway_ite(d < 10, d, byway_ite(letter < 26, letter + 10, 255));
}

struct digits {
  const byte *end;
  uint64_t value;
  size_t count;
  // Whether the count alone says that 63 bits are enough.
  _Bool few;
  _Bool overflow;
};

// The digits from at on, which end before limit.
static inline struct digits read_digits(const byte *at, const byte *limit, unsigned base) {
  struct digits digits = {at, 0, 0, 1, 0};
  size_t safe = 0;
  for (uint64_t left = UINT64_MAX; left >= base; left /= base)
    safe++;
  for (; digits.end < limit; digits.end++) {
    unsigned d = digit(*digits.end, base);
    if (d >= base)
      break;
    if (++digits.count > safe && !digits.overflow) {
      uint64_t most = UINT64_MAX / base;
      if ((digits.value > most) | ((digits.value == most) & (d > UINT64_MAX % base)))
        digits.overflow = 1;
    }
    digits.value = digits.value * base + d;
  }
  digits.few = digits.count < safe;
  return digits;
}

// What strtol, or strtoul, makes of them.
static inline uint64_t number(struct digits digits, _Bool negative, _Bool is_signed) {
  if (!is_signed)
    return digits.overflow ? UINT64_MAX : negative ? -digits.value : digits.value;
  uint64_t most = (uint64_t)INT64_MAX + negative;
  if (!digits.few && (digits.overflow || digits.value > most))
    return negative ? (uint64_t)INT64_MIN : (uint64_t)INT64_MAX;
  return negative ? -digits.value : digits.value;
}

#endif
