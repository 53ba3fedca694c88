// Whether a wide character is a letter is an expression.
// args: 1
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  wint_t c = btowc((unsigned char)argv[1][0]);
  if (iswalpha(c)) //~ symbolic
    puts("letter");
  else
    puts("no letter");
  return 0;
}
