// A child does not disturb its parent.
// args: a
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int status = 0;
  pid_t child = fork();
  if (child == 0) //~ not symbolic
    _exit(argv[1][0] == 'q');
  waitpid(child, &status, 0);
  if (argv[1][0] == 'x') //~ symbolic
    puts("x");
  else
    puts("other");
  return WEXITSTATUS(status);
}
