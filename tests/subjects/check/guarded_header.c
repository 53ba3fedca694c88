// A binary format whose reader asks for everything before it uses it: sizes, divisors, offsets, indices, lengths.
//
// The sums of offset and length are taken where they cannot wrap around.
//
// test: printf 'TBL1\002\003\014\004\000\000\000\000abcdefghijkl' >f && ./subject f
// test: printf 'TBL1\002\003\014\004\001\002\000\003abcdefghijkl' >f && ./subject f
// test: printf 'TBL2' >f && ! ./subject f
// test: printf 'TBL1\000\000\014\004\000\000\000\000abcdefghijkl' >f && ! ./subject f
// finds: nothing
// asks: allocation 1, bounds 100, division 2
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 12
#define MAX_NAME 8

struct table {
  const uint8_t *cells;
  unsigned rows, cell_size, length, columns;
};

static int parse(const uint8_t *data, size_t size, struct table *table) {
  if (size < HEADER || memcmp(data, "TBL1", 4) != 0)
    return 0;
  table->rows = data[4];
  table->cell_size = data[5];
  table->length = data[6];
  table->columns = data[7];
  if (table->rows == 0 || table->cell_size == 0 || table->length > size - HEADER)
    return 0;
  if (table->length % table->cell_size != 0)
    return 0;
  table->cells = data + HEADER;
  return table->length / table->cell_size / table->rows <= table->columns;
}

// Copies one cell's text; returns its length, or -1 if there is no such cell.
static int cell(const struct table *table, unsigned row, unsigned column, char *text) {
  if (row >= table->rows || column >= table->columns)
    return -1;
  unsigned place = row * table->columns + column;
  if (place >= table->length / table->cell_size)
    return -1;
  unsigned length = table->cell_size < MAX_NAME ? table->cell_size : MAX_NAME - 1;
  memcpy(text, table->cells + place * table->cell_size, length);
  text[length] = '\0';
  return (int)length;
}

int main(int argc, char **argv) {
  uint8_t data[64];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 1;
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  struct table table;
  if (!parse(data, size, &table))
    return 1;
  char text[MAX_NAME];
  for (int i = 8; i < HEADER; i += 2)
    puts(cell(&table, data[i], data[i + 1], text) < 0 ? "-" : text);
  unsigned char *seen = calloc(table.length ? table.length : 1, 1);
  for (unsigned i = 0; seen && i < table.length; i++)
    seen[i] = table.cells[i];
  free(seen);
  return 0;
}
