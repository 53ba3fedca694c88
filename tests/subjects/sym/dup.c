// A file is the same under another descriptor.
// args: data
// file data: abc
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char c = 0;
  int file = dup(open(argv[1], O_RDONLY));
  if (read(file, &c, 1) == 1 && c == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
