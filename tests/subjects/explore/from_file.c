// From a run that reads a file of its directory: in tests its bytes change, on disk they do not.
// args: settings
// file settings: on
// exits: 0 2 3 4
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char word[8] = "";
  FILE *file = fopen(argv[1], "r");
  if (!file)
    return 1;
  if (fread(word, 1, 2, file) != 2)
    return 9;
  if (strcmp(word, "on") == 0)
    return 0;
  if (word[0] == '#')
    return 2;
  if (word[0] == word[1])
    return 3;
  return 4;
}
