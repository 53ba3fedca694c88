// Meanings in memory outlive a jump.
// args: a
#include <stdio.h>
#include <setjmp.h>

static jmp_buf back;

static void leave(int c) {
  if (c != 'z') //~ symbolic
    longjmp(back, 1);
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  volatile char c = argv[1][0];
  if (setjmp(back) == 0) //~ not symbolic
    leave(c);
  if (c == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
