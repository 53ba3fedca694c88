// Two constant texts without a branch between them: which one it is, is a path.
// explore: --sym-stdin 2
// paths: 4
// exits: 3 5
#include <stdio.h>
#include <string.h>

int main(void) {
  int first = getchar(), second = getchar();
  if (first == EOF || second == EOF)
    return 3;
  return strlen(first == 'a' ? "one" : "three");
}
