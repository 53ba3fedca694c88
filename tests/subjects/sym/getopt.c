// The letter of an option is a byte of its argument.
// args: -a
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int option = getopt(argc, argv, "abc:");
  if (option == 'b') //~ symbolic
    puts("b");
  else
    puts("other");
  return 0;
}
