// $ program
// $ program name=value
// $ program x
// difference: crash regression
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char *text = argc > 1 ? strchr(argv[1], '=') : "=";
  if (text && !text[1]) //~ shown
    return 0;
  puts(text + 1);
  return *text == '=' ? 0 : 1;
}
