// Objects of klee_make_symbolic are input, and what is assumed of them holds.
// reaches: sorted, magic, second, range 7
// never: small, out of range
// ends: assumption
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int number;
  unsigned char bytes[4];
  klee_make_symbolic(&number, sizeof number, "number");
  klee_assume(number > 100);
  if (number <= 100)
    puts("small");
  if (number == 0x12345678)
    puts("magic");
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  if (bytes[0] < bytes[1] && bytes[1] < bytes[2] && bytes[2] < bytes[3])
    puts("sorted");
  klee_make_symbolic(bytes, 2, "bytes");
  if (bytes[0] == 'o' && bytes[1] == 'k')
    puts("second");
  int small = klee_range(5, 10, "small");
  if (small < 5 || small >= 10)
    puts("out of range");
  if (small == 7)
    puts("range 7");
  return 0;
}
