// What a program may try to do to the machine. Its arguments: a directory of files that matter, a port where somebody listens,
// and a letter that says what it does. It ends with 3 if it was kept from it, with 4 if not.
// explore: --sym-arg 1 --run-timeout 1.5 --run-memory 512 --jobs 1
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static char *volatile block;

static int kept(int failed) { return failed ? 3 : 4; }

static int connects(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address);
}

static int fills_the_disk(void) {
  static char zeros[1 << 16];
  for (int number = 0; number < 1 << 20; number++) {
    char name[32];
    snprintf(name, sizeof name, "file%d", number);
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    if (file < 0 || write(file, zeros, sizeof zeros) != sizeof zeros)
      return -1;
    close(file);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (chdir(argv[1]) == 0 && argv[3][0] == 'c')
    return kept(chmod("file", 0777));
  switch (argv[3][0]) {
  case 'r':
    return kept(unlink("file"));
  case 't':
    return kept(truncate("file", 0));
  case 'n':
    return kept(open("new", O_WRONLY | O_CREAT, 0600) < 0);
  case 'm':
    return kept(rename("file", "moved"));
  case 's':
    return kept(connects(atoi(argv[2])));
  case 'k':
    return kept(kill(getppid(), 9) || kill(-1, 9));
  case 'f':
    for (;;)
      fork();
  case 'd':
    return chdir("/tmp") || fills_the_disk() ? 5 : 4;
  case 'a':
    for (;;)
      if ((block = malloc(1 << 26)))
        memset(block, 1, 1 << 26);
  default:
    return 0;
  }
}
