// A format is scanned for its one conversion, and the scan goes past the end of the text: `seq -f %9`.
//
// A conversion is one of the letters `efg`, and strchr finds the zero at the end among them, too. The test has `%f`. The last
// branch of those that ask for flags asks for a space, and behind it the format is read again: distance 1. With a space for `f`
// there is a flag and then nothing, the zero is taken for a conversion, and the scan goes on behind it. A digit does as well.
//
// test: test "$(./subject -f %f 2)" = "$(printf '1.000000\n2.000000')"
// test: test "$(./subject -f 'no %g' 1)" = 'no 1'
// test: ! ./subject -f %d 2
// breaks: ./subject -f '% ' 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(const char *message, const char *text) {
  fprintf(stderr, "seq: %s: %s\n", text, message);
  exit(1);
}

static int is_flag(char c) { return c == '-' || c == '+' || c == '#' || c == '0' || c == ' '; }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

// Ends the program unless the format has exactly one conversion, and that for a double.
static void check_format(const char *format) {
  const char *p = format;
  for (; *p != '%' || p[1] == '%'; p += *p == '%' ? 2 : 1)
    if (*p == '\0')
      fail("the format has no conversion", format);
  p++;
  while (is_flag(*p))
    p++;
  while (is_digit(*p))
    p++;
  if (*p == '.')
    for (p++; is_digit(*p); p++)
      ;
  if (!strchr("efg", *p))
    fail("the format is for something else than a number", format);
  for (p++; *p; p += *p == '%' ? 2 : 1) //~ heap-buffer-overflow, distance 1, bytes 1
    if (*p == '%' && p[1] != '%')
      fail("the format has more than one conversion", format);
}

int main(int argc, char **argv) {
  const char *format = "%g";
  for (int option; (option = getopt(argc, argv, "f:")) != -1;) {
    if (option != 'f')
      return 1;
    format = optarg;
  }
  if (optind + 1 != argc)
    fail("usage: seq [-f FORMAT] LAST", "arguments");
  check_format(format);
  char *end;
  long last = strtol(argv[optind], &end, 10);
  if (end == argv[optind] || *end || last > 1000)
    fail("not a number up to 1000", argv[optind]);
  for (long i = 1; i <= last; i++) {
    printf(format, (double)i);
    putchar('\n');
  }
  return 0;
}
