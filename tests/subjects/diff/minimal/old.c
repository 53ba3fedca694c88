#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[100] = "";
  fgets(line, sizeof line, stdin);
  if (line[7] == '#')
    puts("hash");
  puts("end");
  return 0;
}
