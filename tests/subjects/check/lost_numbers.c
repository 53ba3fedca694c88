// A value that becomes a floating-point number is lost: that operations cannot fail holds only as long as it stays as it is.
//
// test: ./subject 3
// finds: nothing
// asks: bounds 1
// leaves: lost
#include <stdio.h>
#include <stdlib.h>

int table[16];

int main(int count, char **words) {
  double number = words[1][0] - '0';
  int index = (int)(number / 2);
  if (words[1][0] >= '0' && words[1][0] <= '9')
    table[index & 15] = 1;
  return table[words[1][0] & 15] > 1;
}
