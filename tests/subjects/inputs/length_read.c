// What was read to its end is the same for each length that is more.
// args: 9
// stdin: ab
// reaches: nine, bound, letter
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char text[16] = "";
  size_t n = argv[1][0] & 15;
  ssize_t count = read(0, text, n);
  if (count < 2)
    return puts("bound") < 0;
  if (text[1] == 'q')
    puts("letter");
  puts(n == 9 ? "nine" : "another");
  return 0;
}
