// A file mapped to memory is symbolic.
// args: data
// file data: abcdef
#include <stdio.h>
#include <fcntl.h>
#include <sys/mman.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  int file = open(argv[1], O_RDONLY);
  const char *bytes = mmap(NULL, 6, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED)
    return 1;
  if (bytes[3] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
