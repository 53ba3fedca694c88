// Whether a directory can be made depends on where the components of its path end: a slash in it needs a directory before it.
// args: ab
// room: 3
// reaches: made, nowhere, made within itself
// loses: unmodelled
// What mkdir does with the path beyond that is not known.
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  if (mkdir(argv[1], 0700) == 0) {
    puts(argv[1][1] == '/' ? "made within itself" : "made");
    rmdir(argv[1]);
  } else if (errno == ENOENT) {
    puts("nowhere");
  }
  return 0;
}
