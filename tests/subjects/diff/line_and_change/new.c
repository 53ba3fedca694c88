// $ program 12
// $ program 6
// $ program 3
// difference: output unclassified
// positions: stdout
#include <stdio.h>
#include <stdlib.h>

#define SAY(text) printf("%d: %s\n", __LINE__, text)

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n > 10)
    SAY("big");
  else if (n > 5)
    SAY("small");
  printf("%d\n", n); //~ shown
  return 0;
}
