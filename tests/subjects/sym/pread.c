// Bytes read at an offset are those at that offset.
// args: data
// file data: abcdef
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char c = 0;
  int file = open(argv[1], O_RDONLY);
  if (pread(file, &c, 1, 4) == 1 && c == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
