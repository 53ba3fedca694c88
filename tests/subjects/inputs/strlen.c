// The length of an argument depends on where its zero byte is, in both directions.
// args: ab
// room: 6
// reaches: none, three, all
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  size_t n = strlen(argv[1]);
  puts(n == 0 ? "none" : n == 2 ? "two" : "other");
  if (n == 3)
    puts("three");
  if (n == 6)
    puts("all");
  return 0;
}
