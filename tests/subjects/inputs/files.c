// An argument becomes the name of a file that is there.
// args: a b
// room: 4
// names: A B
// file A: cat
// file B: dog
// reaches: opened A, opened B, dog found
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char content[8] = "";
  if (argc < 3)
    return 1;
  int file = open(argv[1], O_RDONLY);
  if (file >= 0) {
    ssize_t n = read(file, content, 3);
    printf("opened %s\n", argv[1]);
    if (n == 3 && content[1] == 'x')
      puts("changed");
    close(file);
  }
  FILE *stream = fopen(argv[2], "r");
  if (stream && fgets(content, sizeof content, stream) && !strcmp(content, "dog"))
    puts("dog found");
  return 0;
}
