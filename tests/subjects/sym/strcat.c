// An appended string means what the string does.
// args: abc
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char path[64] = "dir/";
  strncat(path, argv[1], 20);
  if (path[2] == 'x') //~ not symbolic
    puts("never");
  if (strcmp(path, "dir/xyz") == 0) //~ symbolic
    puts("xyz");
  else
    puts("other");
  return 0;
}
