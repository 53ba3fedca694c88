// How a floating-point number is written is decided by branches: where it ends, infinity, what is no number.
// args: x
// room: 6
// reaches: none, infinite, not a number, whole, fraction
// loses: unmodelled
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char *end;
  double number = strtod(argv[1], &end);
  if (end == argv[1])
    puts("none");
  else if (__builtin_isinf(number))
    puts("infinite");
  else if (__builtin_isnan(number))
    puts("not a number");
  else
    puts(memchr(argv[1], '.', end - argv[1]) ? "fraction" : "whole");
  return 0;
}
