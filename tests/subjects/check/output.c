// As grep does, it looks whether anybody reads what it writes, and computes nothing if nobody does.
//
// test: test "$(./subject 3)" = 9
// breaks: ./subject a
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static int squares[] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};

static int is_read(void) {
  struct stat out, null;
  if (fstat(1, &out) || stat("/dev/null", &null))
    return 1;
  return out.st_dev != null.st_dev || out.st_ino != null.st_ino;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  if (!is_read())
    return 0;
  int number = argv[1][0] - '0';
  printf("%d\n", squares[number]); //~ bounds, distance 0, bytes 1
}
