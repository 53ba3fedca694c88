// What is looked for is an argument, and may be longer or empty.
// args: x
// room: 4
// reaches: key, empty, both letters
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  const char *found = strstr("a key is here", argv[1]);
  if (found && found[0] == 'k' && strlen(argv[1]) == 3)
    puts("key");
  if (argv[1][0] == 0)
    puts("empty");
  if (strspn("abba, she said", argv[1]) == 4)
    puts("both letters");
  return 0;
}
