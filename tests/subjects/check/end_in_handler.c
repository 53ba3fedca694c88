// What runs at exit belongs to the run: its branch is the last one, and the end of the program is behind it.
//
// test: printf '\001a' | ./subject
// breaks: printf '\000x' | ./subject
#include <stdio.h>
#include <stdlib.h>

static int divisor, kind;

static void at_end(void) {
  if (kind == 'x')
    printf("%d\n", 100 / divisor); //~ integer-divide-by-zero, distance 1, bytes 2
}

int main(void) {
  atexit(at_end);
  divisor = getchar();
  kind = getchar();
  exit(divisor == EOF);
}
