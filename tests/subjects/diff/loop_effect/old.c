#include <stdio.h>

int main(void) {
  int c, sum = 0;
  while ((c = getchar()) != EOF)
    sum += c & 15;
  puts(sum > 150 ? "much" : "little");
  return 0;
}
