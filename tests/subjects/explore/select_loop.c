// A choice in a loop is a decision each time: two texts for each of three bytes.
// explore: --sym-stdin 3 --all-paths
// paths: 11
// exits: 1 3 6 9 12
#include <stdio.h>
#include <string.h>

int main(void) {
  char bytes[3];
  if (fread(bytes, 1, 3, stdin) != 3)
    return 1;
  int length = 0;
  for (int i = 0; i < 3; i++)
    length += strlen(bytes[i] & 1 ? "a" : "aaaa");
  return length;
}
