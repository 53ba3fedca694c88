// What a function says of a wide character beyond ASCII depends on the character too: control characters are not printed, and some
// letters have others in upper case.
// stdin: \xc3\xa5bcde
// reaches: ASCII, not printed, printed, to E with acute
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  char text[6];
  wchar_t c = 0;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  if (!setlocale(LC_ALL, "C.UTF-8") || read(0, text, sizeof text) != sizeof text)
    return 1;
  if (mbrtowc(&c, text, sizeof text, &state) > sizeof text)
    return 0;
  if (c < 0x80) {
    puts("ASCII");
    return 0;
  }
  puts(iswprint((wint_t)c) ? "printed" : "not printed");
  wint_t upper = towupper((wint_t)c);
  if (upper == 0xc9 && c != 0xc9)
    puts("to E with acute");
  return 0;
}
