// The C library decodes UTF-8 as it once was, with characters of up to six bytes and beyond the last one of Unicode. What starts
// such a character is not invalid, but may be incomplete.
// stdin: abcdef
// reaches: ASCII, two, three, four, beyond Unicode, five, six, invalid
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

int main(void) {
  static const char *const lengths[] = {"NUL", "ASCII", "two", "three", "four", "five", "six"};
  char text[6];
  wchar_t c = 0;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  if (!setlocale(LC_ALL, "C.UTF-8") || read(0, text, sizeof text) != sizeof text)
    return 1;
  size_t taken = mbrtowc(&c, text, sizeof text, &state);
  if (taken > 6) {
    puts("invalid");
    return 0;
  }
  puts(lengths[taken]);
  if (taken == 4 && c > 0x10ffff)
    puts("beyond Unicode");
  return 0;
}
