// A comparison of wide strings is one branch.
// args: abc
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  wchar_t text[16];
  if (mbstowcs(text, argv[1], 16) == (size_t)-1)
    return 1;
  if (wcscmp(text, L"xyz") == 0) //~ symbolic
    puts("xyz");
  else
    puts("other");
  return 0;
}
