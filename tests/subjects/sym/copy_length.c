// A symbolic length of a copy is an event.
// args: 4
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  char from[16] = "0123456789", to[16] = "";
  size_t n = argv[1][0] - '0';
  if (n < 10) //~ symbolic
    memcpy(to, from, n); //~ length
  puts(to);
  return 0;
}
