// Accesses that are aligned whatever the input is: elements of arrays, members of structures in tables, copies, bytes.
//
// finds: nothing
// test: printf '\001\002\003\004abcdefgh' | ./subject
// asks: bounds 5
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct pair {
  uint16_t a;
  uint32_t b;
};

static const struct pair pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
static const struct pair *const chosen[4] = {&pairs[3], &pairs[1], &pairs[0], &pairs[2]};

struct __attribute__((packed)) packed {
  char kind;
  uint32_t number;
};

int main(void) {
  static uint64_t words[256];
  unsigned char b[12];
  uint32_t copy;
  if (fread(b, 1, sizeof b, stdin) != sizeof b)
    return 1;
  words[b[0]] = b[1];
  memcpy(&copy, b + (b[1] & 7), sizeof copy);
  const struct packed *packed = (const struct packed *)(b + (b[2] & 7));
  unsigned sum = pairs[b[2] & 3].b + chosen[b[3] & 3]->b + (unsigned)words[b[1]] + copy + packed->number;
  printf("%u\n", sum);
  return 0;
}
