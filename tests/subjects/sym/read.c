// Bytes read from a file are symbolic.
// args: data
// file data: abc
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char buffer[8];
  int file = open(argv[1], O_RDONLY);
  if (read(file, buffer, sizeof buffer) == 3 && buffer[1] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
