// A quote as an argument means the code of the character behind it, and nobody asks whether there is one: `printf %d \'`.
//
// The test prints a character. Where its conversion is chosen, the argument is read next, so that branch is at distance 1 from a
// sensitive operation; with `d` the way leads to the quote within the two branches that distance 1 allows. Eight branches come
// before, one for each decision about a character of the format.
//
// test: test "$(./subject 'a %c b' x)" = 'a x b'
// test: test "$(./subject '%s%%' yes)" = yes%
// breaks: ./subject 'a %d b' \"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int status;

static void complain(const char *what, const char *text) {
  fprintf(stderr, "printf: %s: %s\n", text, what);
  status = 1;
}

static long to_number(const char *text) {
  if (*text == '"' || *text == '\'') {
    long code = (unsigned char)*++text;
    if (*++text != '\0') //~ heap-buffer-overflow, distance 1, depth 10, bytes 2
      complain("characters behind the first are ignored", text);
    return code;
  }
  char *end;
  errno = 0;
  long number = strtol(text, &end, 0);
  if (errno || end == text || *end)
    complain("not a number", text);
  return number;
}

static void convert(char conversion, const char *argument) {
  switch (conversion) {
  case 'c':
    putchar(*argument);
    break;
  case 's':
    fputs(argument, stdout);
    break;
  case 'd':
  case 'i':
    printf("%ld", to_number(argument));
    break;
  case 'u':
    printf("%lu", (unsigned long)to_number(argument));
    break;
  case 'x':
    printf("%lx", (unsigned long)to_number(argument));
    break;
  default:
    complain("no such conversion", argument);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: printf FORMAT [ARGUMENT]...\n");
    return 1;
  }
  int next = 2;
  for (const char *p = argv[1]; *p; p++) {
    if (*p != '%') {
      putchar(*p);
    } else if (*++p == '%') {
      putchar('%');
    } else if (*p == '\0') {
      complain("the format ends within a conversion", argv[1]);
      break;
    } else {
      convert(*p, next < argc ? argv[next] : "");
      next++;
    }
  }
  return status;
}
