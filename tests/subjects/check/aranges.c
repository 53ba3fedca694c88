// The size of an entry, computed from two fields of a header, is used as a modulus before anybody asks whether it is zero.
//
// The size of an address becomes 0, and that of a segment is 0 already: one byte, and no branch has looked at it. Distance 0.
// Three branches come before: on a magic number of four bytes, compared at once, on the version, and on whether the table fits
// into the file.
//
// test: printf 'ARNG\002\000\004\000\020\000\000\000' >f && printf '\001\000\000\000\010\000\000\000\011\000\000\000\004\000\000\000' >>f && test "$(./subject f | wc -l)" = 2
// test: printf 'ARNG\003\000' >f && ! ./subject f
// breaks: printf 'ARNG\002\000\000\000\020\000\000\000' >f && printf '\001\000\000\000\010\000\000\000\011\000\000\000\004\000\000\000' >>f && ./subject f
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 12
#define MAX_SIZE 4096

struct header {
  unsigned version;
  uint8_t address_size, segment_size;
  uint32_t length;
};

static void fail(const char *message) {
  fprintf(stderr, "aranges: %s\n", message);
  exit(1);
}

static uint64_t number(const uint8_t *bytes, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

static struct header read_header(const uint8_t *data, size_t size) {
  struct header header;
  if (size < HEADER || memcmp(data, "ARNG", 4) != 0)
    fail("this is no table of ranges");
  header.version = number(data + 4, 2);
  if (header.version != 2)
    fail("the version is not known");
  header.address_size = data[6];
  header.segment_size = data[7];
  header.length = number(data + 8, 4);
  if (header.length > size - HEADER)
    fail("the table does not fit into its file");
  return header;
}

static void print_entries(const uint8_t *data, const struct header *header) {
  unsigned entry_size = 2 * header->address_size + header->segment_size;
  if (header->length % entry_size != 0) //~ integer-divide-by-zero, distance 0, depth 3, bytes 1
    fail("the table does not end with an entry");
  if (header->address_size > 8 || header->segment_size > 8)
    fail("addresses are too large");
  for (uint32_t at = 0; at < header->length; at += entry_size) {
    uint64_t segment = number(data + at, header->segment_size);
    uint64_t start = number(data + at + header->segment_size, header->address_size);
    uint64_t length = number(data + at + header->segment_size + header->address_size, header->address_size);
    printf("%llu:%#llx-%#llx\n", (unsigned long long)segment, (unsigned long long)start,
           (unsigned long long)(start + length));
  }
}

int main(int argc, char **argv) {
  static uint8_t data[MAX_SIZE];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    fail("usage: aranges FILE");
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  struct header header = read_header(data, size);
  print_entries(data + HEADER, &header);
  return 0;
}
