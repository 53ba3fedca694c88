// A wide character means the bytes that it was decoded from.
// args: xyz
#include <stdio.h>
#include <locale.h>
#include <string.h>
#include <wchar.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  wchar_t c = 0;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  setlocale(LC_ALL, "C.UTF-8");
  mbrtowc(&c, argv[1], strlen(argv[1]), &state);
  if (c == L'q') //~ symbolic
    puts("q");
  else
    puts("other");
  return 0;
}
