// The rows behind nothing are given to a function that adds them up: one finding, where the address is computed.
//
// test: test "$(printf 'a' | ./subject)" = 6
#include <stdio.h>

static const int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};

__attribute__((noinline)) static int sum(const int *row) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += row[i];
  return sum;
}

int main(void) {
  int at = getchar() & 3;
  const int(*table)[3] = at == 1 ? rows : NULL;
  int sums[4] = {0};
  sums[at] = sum(table[0]); //~ pointer-overflow, then pointer-overflow, then null, then SEGV, distance 1, bytes 1
  printf("%d\n", sums[at]);
  return 0;
}
