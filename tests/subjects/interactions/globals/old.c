#include <stdio.h>
#include <stdlib.h>

int limit = 1;
int size = 1;

static void set(int value) {
  limit = value;
}

static int room(void) {
  return limit - size;
}

int main(int argc, char **argv) {
  set(argc);
  size = argc;
  int before = room();
  printf("%d\n", before);
  limit = 7;
  int after = room();
  printf("%d\n", after);
  return 0;
}
