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
  pair->first = argc;
  pair->second = argc;
  int one = pair->first;
  printf("%d\n", one);
  int other = pair->second;
  printf("%d\n", other);
  int sum = pair->first + pair->second;
  printf("%d\n", sum);
  return 0;
}
