// The size of a table is computed in 32 bits: with enough entries it wraps around to something small.
//
// The number of entries is asked for at every turn of the loop. When the first entry is stored it is only known to be more than 0.
//
// test: printf '\002\000\000\000ab' | ./subject
// breaks: printf '\000\000\000\020ab' | ./subject
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
  uint32_t name, offset, size, next;
};

int main(void) {
  uint32_t count;
  if (fread(&count, sizeof count, 1, stdin) != 1)
    return 1;
  struct entry *entries = malloc((uint32_t)(count * sizeof *entries));
  if (!entries)
    return 1;
  uint32_t i;
  for (i = 0; i < count; i++) {
    int c = getchar();
    if (c == EOF)
      break;
    entries[i].name = c; //~ heap-buffer-overflow, distance 0, bytes 2
  }
  printf("%u entries\n", i);
  free(entries);
  return 0;
}
