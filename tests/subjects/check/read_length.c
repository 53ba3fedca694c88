// A length from the head of a file is how much is read from the rest of it. The file is longer than the room for it.
//
// test: printf '\006\000coffee------------------------------------' >f && test "$(./subject f)" = coffee
// breaks: printf '\046\000coffee------------------------------------' >f && ./subject f
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char name[32];

int main(int argc, char **argv) {
  unsigned char length[2];
  int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
  if (file < 0 || read(file, length, sizeof length) != sizeof length)
    return 1;
  ssize_t count = read(file, name, length[0] | length[1] << 8); //~ global-buffer-overflow, distance 0, bytes 1
  if (count < 0)
    return 1;
  printf("%.*s\n", (int)count, name);
  return 0;
}
