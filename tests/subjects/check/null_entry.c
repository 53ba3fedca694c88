// A table of texts has a hole: one of the codes has no name.
//
// The code is checked against the length of the table. What is read from the table is an address, and at 3 it is NULL.
//
// test: test "$(printf '\002' | ./subject)" = W
// test: ! printf '\012' | ./subject
// breaks: printf '\003' | ./subject
#include <stdio.h>

static const char *const colours[] = {"black", "red", "white", NULL, "green"};

static char initial(unsigned code) {
  const char *name = colours[code];
  return *name - 'a' + 'A'; //~ null, distance 0, depth 1, bytes 1
}

int main(void) {
  int code = getchar();
  if (code == EOF || (unsigned)code >= sizeof colours / sizeof *colours)
    return 1;
  printf("%c\n", initial(code));
  return 0;
}
