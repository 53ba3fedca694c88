// A string in what snprintf writes keeps its meaning.
// args: abc
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char text[32];
  snprintf(text, sizeof text, "[%6s]", argv[1]);
  if (text[1] == 'x') //~ not symbolic
    puts("never");
  if (strcmp(text, "[   xyz]") == 0) //~ symbolic
    puts("xyz");
  else
    puts("other");
  return 0;
}
