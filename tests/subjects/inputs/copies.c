// What was copied from an argument ends where the argument ends.
// args: ab
// room: 6
// reaches: empty, longer, printed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char copy[8], *other = strdup(argv[1]), text[20];
  strcpy(copy, argv[1]);
  if (copy[0] == 0)
    puts("empty");
  if (strlen(other) == 4)
    puts("longer");
  snprintf(text, sizeof text, "<%s>", argv[1]);
  if (strcmp(text, "<abc>") == 0)
    puts("printed");
  free(other);
  return 0;
}
