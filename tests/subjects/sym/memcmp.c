// A comparison of memory is one branch.
// args: xxxx
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (memcmp(argv[1], "\x7f""ELF", 4) == 0) //~ symbolic
    puts("elf");
  else
    puts("other");
  return 0;
}
