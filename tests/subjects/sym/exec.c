// A program that becomes another ends its trace there; until then it is followed.
// args: x
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (argv[1][0] == 'y') //~ symbolic
    puts("y");
  fflush(stdout);
  char *list[] = {"echo", argv[1], NULL};
  execvp("echo", list);
  return 2;
}
