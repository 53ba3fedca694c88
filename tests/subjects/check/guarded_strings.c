// Strings that always end: a NUL that the program wrote, one that was there before, one that was looked for, arguments, lines.
//
// finds: nothing
// test: printf 'abcd\nefgh\000\000\000\000ijk\000mnop' | ./subject word
// asks: bounds 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void get(char *to, size_t n) {
  if (read(0, to, n) != (ssize_t)n)
    exit(1);
}

int main(int argc, char **argv) {
  char line[8] = "", *written = malloc(5), *cleared = calloc(8, 1), *looked = malloc(4), fixed[4];
  size_t sum = 0;
  get(line, 5);
  line[strcspn(line, "\n")] = 0;
  get(written, 4);
  written[4] = 0;
  get(cleared, 4);
  get(looked, 4);
  if (memchr(looked, 0, 4))
    sum += strlen(looked);
  get(fixed, 4);
  fixed[3] = 0;
  sum += strlen(line) + strlen(written) + strlen(cleared) + strlen(fixed);
  sum += argc > 1 ? strlen(argv[1]) : 0;
  sum += strcmp(written, "abcd") == 0;
  sum += strchr(cleared, 'x') != NULL;
  sum += (size_t)atoi(written);
  char *copy = strdup(fixed);
  printf("%s %s %zu\n", copy, line, sum);
  free(copy), free(written), free(cleared), free(looked);
  return 0;
}
