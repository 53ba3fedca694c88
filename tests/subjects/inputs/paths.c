// All functions with a path ask whether it is the name of a file.
// args: a a a a
// room: 2
// names: A
// file A: cat
// loses: unmodelled
// reaches: stat, access, unlink, rename
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct stat status;
  if (argc < 5)
    return 1;
  if (stat(argv[1], &status) == 0)
    puts("stat");
  if (access(argv[2], R_OK) == 0)
    puts("access");
  if (rename(argv[3], "C") == 0)
    puts("rename");
  else if (unlink(argv[4]) == 0)
    puts("unlink");
  return 0;
}
