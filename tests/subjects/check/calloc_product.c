// The number of entries times their size is more than there can be, and nobody asks what calloc said.
//
// test: printf '\002\000\000\000\000\000\000\000\007' >list && test "$(./subject list)" = 7
// test: printf '\002\000' >list && ! ./subject list
// breaks: printf '\002\000\000\000\000\000\000\200\007' >list && ./subject list
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
  uint32_t key, next;
};

int main(int argc, char **argv) {
  uint64_t count;
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file || fread(&count, sizeof count, 1, file) != 1 || count == 0)
    return 1;
  struct entry *first = calloc(count, sizeof *first);
  first->key = getc(file); //~ null, distance 0, depth 1, bytes 1
  printf("%u\n", first->key);
  free(first);
  fclose(file);
  return 0;
}
