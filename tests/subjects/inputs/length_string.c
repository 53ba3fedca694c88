// A string that is copied over another: behind its end is what was there.
// args: ab
// room: 5
// reaches: longer, behind, joined
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char to[16] = "0123456789";
  strcpy(to, argv[1]);
  if (to[3] == 'd')
    puts("longer");
  if (to[2] == '2')
    puts("behind");
  char *end = stpcpy(to, argv[1]);
  strcpy(end, "-end");
  if (strcmp(to, "xyz-end") == 0)
    puts("joined");
  return 0;
}
