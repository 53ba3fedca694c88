// The lanes of a vector keep their meaning through a call and around a loop.
// args: abcd
#include <stdio.h>
#include <string.h>

typedef int lanes __attribute__((vector_size(16)));

__attribute__((noinline)) static lanes doubled(lanes x) { return x + x; }

int main(int argc, char **argv) {
  if (argc < 2 || strlen(argv[1]) < 4)
    return 1;

  lanes x = {argv[1][0], argv[1][1], argv[1][2], argv[1][3]};
  for (int i = 0; i < argc; i++)
    x = doubled(x);
  if (x[2] == 4 * 'q') //~ symbolic
    puts("q");
  else
    puts("other");
  return 0;
}
