// A number of four bytes is put together in an int: the highest of them is shifted into the sign.
//
// test: test "$(printf '\001\002\003\004' | ./subject)" = 16909060
// breaks: printf '\201\002\003\004' | ./subject
#include <stdio.h>

int main(void) {
  unsigned char b[4];
  if (fread(b, 1, 4, stdin) != 4)
    return 1;
  int number = b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3]; //~ shift-base, distance 0, bytes 1
  printf("%d\n", number);
  return 0;
}
