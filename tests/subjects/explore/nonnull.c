// A null pointer where a function says that it takes or returns none: each has the name that clang's option has.
// explore: --sym-stdin 1
// finds: nonnull-attribute returns-nonnull-attribute
// exits: 0 1
#include <stddef.h>
#include <unistd.h>

static char text[2] = "x";

__attribute__((nonnull)) static int is_text(const char *pointer) { return pointer == text; }
__attribute__((returns_nonnull)) static char *given(char *pointer) {
  return pointer; //~ returns-nonnull-attribute
}

int main(void) {
  char c = 0;
  if (read(0, &c, 1) != 1)
    return 0;
  char *first = text, *second = text;
  if (c == 'a')
    first = NULL;
  if (c == 'b')
    second = NULL;
  return is_text(first) + (given(second) == text) == 2; //~ nonnull-attribute
}
