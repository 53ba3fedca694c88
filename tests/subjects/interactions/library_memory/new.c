// What a library function allocates and hands out through a pointer is memory like any other: what it writes there is read from there.
// start -> number
#define _GNU_SOURCE
#include <stdio.h>

int main(int argc, char **argv) {
  char *line;
  int number = argc * 20; //~ number: change -> first, output
  if (asprintf(&line, "%d", number) < 0)
    return 1;
  line[0] = 'a' + argc; //~ first: change -> both
  int both = line[0] + line[1]; //~ both: interaction -> output
  printf("%d\n", both);
  return 0;
}
