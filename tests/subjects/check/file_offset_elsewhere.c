// A header says where in its file a record is. The record of the test is looked at before, all others are not.
//
// At the position of the test nothing can be wrong: another one has to be tried. It is a value that the path took for what it is.
//
// test: { printf 'REC\002\001'; head -c 600 /dev/zero | tr '\0' '\001'; } >f && ./subject f
// breaks: { printf 'REC\000\000'; head -c 600 /dev/zero | tr '\0' '\001'; } >f && ./subject f
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  unsigned char *data = malloc(1024);
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL || data == NULL)
    return 1;
  size_t size = fread(data, 1, 1024, file);
  fclose(file);
  if (size < 605 || memcmp(data, "REC", 3) != 0 || data[258] != 1)
    return 2;
  size_t at = data[3] + 256u * data[4];
  if (at >= size)
    return 3;
  int copy[4] = {10, 20, 30, 40};
  printf("%d\n", copy[data[at]]); //~ bounds, distance 1, depth 5, bytes 1
  free(data);
  return 0;
}
