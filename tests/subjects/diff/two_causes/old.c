#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc == 1)
    puts("one");
  else if (argc == 2)
    puts("two");
  else
    puts("many");
  return 0;
}
