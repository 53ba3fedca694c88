// A header says where in its file a record is, and the record which entry of a table is meant: nobody looks whether there is one.
//
// Where the record is depends on the input, and what is there is input too: any byte of the file could be the record. Near the test it is
// the one that the test reads, and one byte of it is enough.
//
// test: { printf 'REC\002\001'; head -c 600 /dev/zero | tr '\0' '\001'; } >f && ./subject f
// test: { printf 'REC\011\002'; head -c 700 /dev/zero | tr '\0' '\003'; } >f && ./subject f
// breaks: { printf 'REC\002\001'; head -c 600 /dev/zero | tr '\0' '\377'; } >f && ./subject f
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *read_file(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  unsigned char *data = malloc(1024);
  if (file == NULL || data == NULL)
    exit(1);
  *size = fread(data, 1, 1024, file);
  fclose(file);
  return data;
}

int main(int argc, char **argv) {
  static const int table[4] = {10, 20, 30, 40};
  size_t size;
  if (argc != 2)
    return 1;
  unsigned char *data = read_file(argv[1], &size);
  if (size < 5 || memcmp(data, "REC", 3) != 0)
    return 2;
  size_t at = data[3] + 256u * data[4];
  if (at >= size)
    return 3;
  int copy[4];
  memcpy(copy, table, sizeof copy);
  printf("%d\n", copy[data[at]]); //~ bounds, distance 0, depth 3, bytes 1
  free(data);
  return 0;
}
