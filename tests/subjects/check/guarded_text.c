// Texts that end early, with a quote, an escape or an open range at their ends: each end is asked for.
//
// test: test "$(./subject "'a" 'b\n' 3-5)" = "$(printf '97\nb\n-3\n')"
// test: test "$(./subject 12 'x' 7)" = "$(printf '12\nx-1')"
// test: ! ./subject "'a" b 5-3
// finds: nothing
// asks: bounds 50, overflow 2, shift 4
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int code(const char *text) {
  if (*text == '\'' || *text == '"')
    return text[1] ? (unsigned char)text[1] : -1;
  int number = 0;
  for (; isdigit((unsigned char)*text); text++) {
    int digit = *text - '0';
    if (number > (INT_MAX - digit) / 10)
      return -1;
    number = number * 10 + digit;
  }
  return number;
}

static char *unescape(const char *text) {
  char *copy = malloc(strlen(text) + 1), *out = copy;
  while (copy && *text) {
    if (*text == '\\' && text[1]) {
      text++;
      *out++ = *text == 'n' ? '\n' : *text;
    } else {
      *out++ = *text;
    }
    text++;
  }
  if (copy)
    *out = '\0';
  return copy;
}

// The number of places in a range; 0 if it makes no sense.
static unsigned marked(const char *text) {
  unsigned char bits[2] = {0};
  unsigned from = 0, to = 0, count = 0;
  if (isdigit((unsigned char)*text))
    from = to = *text++ - '0';
  if (*text == '-') {
    text++;
    to = isdigit((unsigned char)*text) ? (unsigned)(*text++ - '0') : 8 * sizeof bits - 1;
  }
  if (*text)
    return 0;
  for (unsigned i = from; i <= to; i++)
    bits[i / 8] |= 1 << i % 8;
  for (unsigned i = 0; i < 8 * sizeof bits; i++)
    count += bits[i / 8] >> i % 8 & 1;
  return count;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 1;
  printf("%d\n", code(argv[1]));
  char *text = unescape(argv[2]);
  if (!text)
    return 1;
  printf("%s", text);
  free(text);
  unsigned count = marked(argv[3]);
  printf("-%u\n", count);
  return count == 0;
}
