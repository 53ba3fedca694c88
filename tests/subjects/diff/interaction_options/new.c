// The options of a formatter, and what is said of wrong ones at the end. A value that is no number was -1 and is 0 now, and options
// are changed to that; what takes the place of a first number that is wrong still looks for -1. Nobody sees that, since a wrong number ends
// in an error, unless `-c` forgives it. So only: a wrong first number, then `-c`, and lines that are numbered.
// $ printf '%s' '-w9 -n4 -t2 -r -w3 -q text\n..' | program
// $ printf '%s' '-nx -a -w5 -r -p2 -i3 -x hi.' | program
// $ printf '%s' '-tx -c -N -q -iq -w5 hello..' | program
// diff: --first --time 600 --ignore sanitizers --search interactions
// difference: output unclassified
// marks: any
#include <stdio.h>
#include <string.h>

struct options {
  int width, tabs, indent, first;
  int numbered, quiet, all;
};

static const struct options defaults = {.width = 8, .tabs = 4, .first = 1};

enum error { FINE, BAD_WIDTH, BAD_TABS, BAD_FIRST, UNKNOWN };

static struct options options;
static enum error error;
static int pages = 1;

static int is_separator(char letter) {
  return letter == ' ' || letter == '\n' || letter == 0;
}

// A number of one digit but 0, which must be the whole word. 0 if it is none.
static int number(const char *text) {
  if (*text < '1' || *text > '9')
    return 0;
  return is_separator(text[1]) ? *text - '0' : 0;
}

static void wrong(enum error what) {
  if (error == FINE)
    error = what;
}

// An option. How many letters it has.
static int option(const char *text) {
  int value = number(text + 1);
  switch (*text) {
  case 'w':
    if (value < 2)
      wrong(BAD_WIDTH);
    else
      options.width = value;
    return 2;
  case 't':
    if (value == 0)
      wrong(BAD_TABS);
    else
      options.tabs = value;
    return 2;
  case 'n':
    if (value == 0)
      wrong(BAD_FIRST);
    options.first = value;
    return 2;
  case 'N':
    options.numbered = 1;
    return 1;
  case 'i':
    options.indent += value == 0 ? 2 : value;
    return value == 0 ? 1 : 2;
  case 'p':
    if (value != 0)
      pages = value;
    return 2;
  case 'q':
    options.quiet = 1;
    return 1;
  case 'r':
    options = defaults;
    return 1;
  case 'c':
    error = FINE;
    return 1;
  case 'a':
    options.all = 1;
    return 1;
  }
  wrong(UNKNOWN);
  return 1;
}

int main(void) {
  char in[29] = "";
  if (fread(in, 1, 28, stdin) != 28)
    return 2;
  options = defaults;
  const char *at = in;
  while (*at == '-') {
    at++;
    if (is_separator(*at))
      break;
    at += option(at);
    while (*at && is_separator(*at))
      at++;
  }
  if (error != FINE) {
    printf("error %d\n", error);
    return 1;
  }
  int line = options.first < 0 ? 1 : options.first;
  for (int page = 0; page < pages; page++) {
    if (options.numbered)
      printf("%d", line++);
    printf("%*s%.*s|", options.indent + options.tabs, "", options.width, options.quiet ? "" : at);
  }
  puts(options.all ? " all" : "");
  return 0;
}
