#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...) {
  va_list list;
  int all = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    all += va_arg(list, int);
  va_end(list);
  return all;
}

int main(int argc, char **argv) {
  int a = argc;
  int b = argc;
  int plain = sum(1, 7);
  printf("%d\n", plain);
  int all = sum(2, a, b);
  printf("%d\n", all);
  return 0;
}
