// A number in a symbolic file that is found by its name, and files that are shorter.
// explore: --sym-arg 1 --sym-files 1 4
// covers: all
// exits: 1 2 3 4
#include <stdio.h>

int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  if (!file)
    return 1;
  unsigned magic;
  if (fread(&magic, sizeof magic, 1, file) != 1)
    return 2;
  if (magic == 0xcafebabe)
    return 3;
  return 4;
}
