// How much is written does not make it the only length there is.
// stdin: 4
// reaches: all, nothing
#include <stdio.h>
#include <unistd.h>

int main(void) {
  unsigned char s[1];
  if (read(0, s, sizeof s) != sizeof s)
    return 1;
  static const char text[] = "0123456789\n";
  size_t n = s[0] - '0';
  if (n > 10)
    return 1;
  if (write(2, text, n) != (ssize_t)n || fwrite(text, 1, n, stderr) != n)
    return 1;
  if (n == 10)
    puts("all");
  if (n == 0)
    puts("nothing");
  return 0;
}
