// Changes meet through global variables where both are read. Behind an assignment that is not changed, only one of them is left.
// start -> value
#include <stdio.h>
#include <stdlib.h>

int limit = 1;
int size = 1;

static void set(int value) {
  limit = value + 1; //~ value: change -> size
}

static int room(void) {
  return limit - size; //~ room: interaction -> room, output
}

int main(int argc, char **argv) {
  set(argc);
  size = argc * 2; //~ size: change -> room
  int before = room();
  printf("%d\n", before);
  limit = 7;
  int after = room();
  printf("%d\n", after);
  return 0;
}
