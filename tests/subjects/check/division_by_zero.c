// A divisor that is the difference of two numbers of the input.
//
// test: test "$(printf '\012\002\014' | ./subject)" = 1
// breaks: printf '\012\012\014' | ./subject
#include <stdio.h>

int main(void) {
  unsigned char numbers[3];
  if (fread(numbers, 1, sizeof numbers, stdin) != sizeof numbers)
    return 1;
  int high = numbers[0], low = numbers[1], value = numbers[2];
  printf("%d\n", value / (high - low)); //~ integer-divide-by-zero, distance 0, depth 0, bytes 1
  return 0;
}
