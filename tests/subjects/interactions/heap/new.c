// Members of a structure on the heap are told apart: only the sum uses both.
// start -> first
#include <stdio.h>
#include <stdlib.h>

struct pair {
  int first;
  int second;
};

static struct pair *make(int a, int b) {
  struct pair *pair = malloc(sizeof *pair);
  pair->first = a;
  pair->second = b;
  return pair;
}

int main(int argc, char **argv) {
  struct pair *pair = make(argc, 2);
  pair->first = argc + 1; //~ first: change -> second
  pair->second = argc + 2; //~ second: change -> sum, output
  int one = pair->first;
  printf("%d\n", one);
  int other = pair->second;
  printf("%d\n", other);
  int sum = pair->first + pair->second; //~ sum: interaction -> output
  printf("%d\n", sum);
  return 0;
}
