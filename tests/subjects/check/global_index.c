// An index into a global table: a table that is one entry shorter than the values of two digits that lead to it.
//
// test: test "$(./subject 03)" = March
// test: ! ./subject 00
// test: ! ./subject x1
// breaks: ./subject 13
#include <stdio.h>

static const char *const months[13] = {"",     "January", "February",  "March",   "April",    "May",     "June",
                                       "July", "August",  "September", "October", "November", "December"};

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : -1; }

int main(int argc, char **argv) {
  if (argc != 2 || digit(argv[1][0]) < 0 || digit(argv[1][1]) < 0 || argv[1][2])
    return 1;
  int month = digit(argv[1][0]) * 10 + digit(argv[1][1]);
  if (month == 0)
    return 1;
  puts(months[month]); //~ bounds, distance 0, bytes 1
  return 0;
}
