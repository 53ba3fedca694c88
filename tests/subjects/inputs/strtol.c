// A number gets more digits, or fewer.
// args: 12
// room: 5
// reaches: 4711, seven, all read, -3
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char *end;
  long number = strtol(argv[1], &end, 10);
  if (number == 4711)
    puts("4711");
  if (number == 7)
    puts("seven");
  if (atoi(argv[1]) == -3)
    puts("-3");
  if (number > 99 && *end == 0)
    puts("all read");
  return 0;
}
