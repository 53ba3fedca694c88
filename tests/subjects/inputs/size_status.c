// How large a file is depends on the input, and the program asks for that before it reads: with fstat, and with lseek.
// args: A
// names: A
// file A: abcd
// size: 5
// reaches: nothing, three, longer, seeks to 2
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct stat status;
  int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
  if (fd < 0)
    return 1;
  if (fstat(fd, &status) != 0)
    return 1;
  if (status.st_size == 0)
    puts("nothing");
  if (status.st_size == 3)
    puts("three");
  if (status.st_size == 5)
    puts("longer");
  if (lseek(fd, 0, SEEK_END) == 2)
    puts("seeks to 2");
  return 0;
}
