// umask returns what was set before, which may depend on the input.
// args: 0
// reaches: five
#include <stdio.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  umask(argv[1][0] & 7);
  if (umask(0) == 5)
    puts("five");
  return 0;
}
