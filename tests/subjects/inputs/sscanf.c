// A number that sscanf reads gets more digits, and there may be more to read.
// args: 1
// room: 6
// reaches: 321, two, word
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int a = 0, b = 0;
  char word[8] = "";
  if (argc < 2)
    return 1;
  if (sscanf(argv[1], "%d-%d", &a, &b) == 2 && b == 4)
    puts("two");
  if (a == 321)
    puts("321");
  if (sscanf(argv[1], "x%7s", word) == 1 && !strcmp(word, "yz"))
    puts("word");
  return 0;
}
