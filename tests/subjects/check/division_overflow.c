// The one quotient of integers that does not fit: the smallest number by -1.
//
// A calculator with a stack. Division by zero is refused. The test's numbers are one byte each away from the two that matter.
//
// test: test "$(printf 'n\000\000\000\100n\376\377\377\377/p' | ./subject)" = -536870912
// test: ! printf 'n\000\000\000\001n\000\000\000\000/p' | ./subject
// breaks: printf 'n\000\000\000\200n\377\377\377\377/p' | ./subject
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROOM 8

static int32_t stack[ROOM];
static int height;

static int divide(void) {
  if (height < 2 || stack[height - 1] == 0)
    return 0;
  height--;
  stack[height - 1] /= stack[height]; //~ signed-integer-overflow, distance 0, bytes 2
  return 1;
}

int main(void) {
  for (int c; (c = getchar()) != EOF;) {
    if (c == 'n') {
      if (height == ROOM || fread(&stack[height], sizeof *stack, 1, stdin) != 1)
        return 1;
      height++;
    } else if (c == '/') {
      if (!divide())
        return 1;
    } else if (c == 'p') {
      if (height == 0)
        return 1;
      printf("%d\n", stack[height - 1]);
    } else {
      return 1;
    }
  }
  return 0;
}
