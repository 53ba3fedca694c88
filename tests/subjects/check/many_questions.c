// A test with more questions than its first turn has time for: what can fail comes after all of them.
//
// Whether a sum of two products, modulo 200, stays within its table is up to SAT each time.
//
// test: printf 'abcdefghijklmnopqrst' >f && ./subject f
// breaks: printf 'abcdefghijklmnopqrs~' >f && ./subject f
#include <stdio.h>

#define SIZE 20

int main(int argc, char **argv) {
  static unsigned char data[SIZE], table[200], last[124];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file || fread(data, 1, SIZE, file) != SIZE)
    return 1;

  unsigned sum = 0;
  for (int i = 0; i + 3 < SIZE; i++)
    sum += table[(data[i] * 7 + data[i + 1] * data[i + 2] + data[i + 3]) % 200];
  sum += last[data[SIZE - 1]]; //~ bounds, distance 0, depth 0, bytes 1
  printf("%u\n", sum);
  return 0;
}
