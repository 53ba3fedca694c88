// Bytes read to several buffers are symbolic in each.
// args: data
// file data: abcd
#include <stdio.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  char one[2], two[2];
  struct iovec parts[2] = {{one, 2}, {two, 2}};
  int file = open(argv[1], O_RDONLY);
  if (readv(file, parts, 2) == 4 && one[1] == 'x' - 1) //~ symbolic
    puts("one");
  if (two[1] == 'x') //~ symbolic
    puts("two");
  puts("end");
  return 0;
}
