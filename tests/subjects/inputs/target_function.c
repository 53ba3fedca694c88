// A call through a pointer that is itself input. The functions of its type whose address is taken are the values that lead
// anywhere, and none is near another one: each has to be asked for. The first byte keeps the first run away from the call.
// stdin: -12345678
// reaches: one, two, three
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void one(void) { puts("one"); }
static void two(void) { puts("two"); }
static void three(void) { puts("three"); }

void (*volatile known[])(void) = {one, two, three};

int main(void) {
  char text[9];
  void (*function)(void) = known[0];
  if (read(0, text, 9) != 9)
    return 1;
  if (text[0] == 'c')
    memcpy(&function, text + 1, sizeof function);
  function();
  return 0;
}
