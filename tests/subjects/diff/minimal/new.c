// $ echo 'a long line of which one byte matters, 0123456789' | program
// diff: --time 60
// difference: output unclassified
// changed: stdin, offset 0x7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[100] = "";
  fgets(line, sizeof line, stdin);
  if (line[7] == '#')
    puts("sharp"); //~ shown
  puts("end");
  return 0;
}
