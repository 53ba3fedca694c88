// An argument without a text has room for one, and a loop goes through it.
// args: \0
// room: 4
// reaches: option, four
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  if (argv[1][0] == '-' && argv[1][1] == 'x')
    puts("option");
  int n = 0;
  for (const char *p = argv[1]; *p; p++)
    n++;
  if (n == 4)
    puts("four");
  return 0;
}
