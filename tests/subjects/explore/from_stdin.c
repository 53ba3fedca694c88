// From a run with standard input: bytes change, as few as are needed, and the length stays.
// args: 7
// stdin: count=5;x
// covers: lines
// exits: 0 1 2 3 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char line[64] = "";
  if (!fgets(line, sizeof line, stdin) || strncmp(line, "count=", 6) != 0)
    return 1;
  int count = line[6] - '0';
  if (count == argv[1][0] - '0')
    return 2;
  if (line[7] != ';')
    return 3;
  if (count > 20 && line[8] == '\n')
    return 4;
  return 0;
}
