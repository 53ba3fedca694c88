#define _GNU_SOURCE
#include <stdio.h>

int main(int argc, char **argv) {
  char *line;
  int number = argc * 10;
  if (asprintf(&line, "%d", number) < 0)
    return 1;
  line[0] = 'a';
  int both = line[0] + line[1];
  printf("%d\n", both);
  return 0;
}
