// Variable arguments keep their meaning.
// args: abc
#include <stdio.h>
#include <stdarg.h>

static int sum(int n, ...) {
  va_list list;
  int total = 0;
  va_start(list, n);
  while (n-- > 0)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (sum(8, 1, 2, 3, 4, 5, 6, argv[1][0], argv[1][1]) == 200) //~ symbolic
    puts("200");
  else
    puts("other");
  return 0;
}
