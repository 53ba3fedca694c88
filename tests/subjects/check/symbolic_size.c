// A block is as large as the input says, and what is written to it is not: a record is at least as long as its header.
//
// The access itself has nothing symbolic about it. No branch comes before it: depth 0.
//
// test: printf '\020\000abcdefghijklmnop' >record && ./subject record
// breaks: printf '\002\000abcdefghijklmnop' >record && ./subject record
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct buffer {
  uint8_t *data;
  unsigned size;
};

static struct buffer new_buffer(unsigned size) {
  struct buffer buffer = {malloc(size), size};
  return buffer;
}

static void begin(struct buffer *buffer) {
  buffer->data[3] = buffer->size >> 8; //~ heap-buffer-overflow, distance 0, depth 0, bytes 1
  buffer->data[2] = buffer->size & 0xff;
  buffer->data[1] = 'C';
  buffer->data[0] = 'R';
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  uint8_t size[2];
  if (!file || fread(size, 1, 2, file) != 2)
    return 1;
  struct buffer buffer = new_buffer(size[0] | size[1] << 8);
  if (!buffer.data)
    return 1;
  begin(&buffer);
  for (unsigned i = 4; i < buffer.size; i++) {
    int c = getc(file);
    if (c == EOF)
      break;
    buffer.data[i] = c;
  }
  fwrite(buffer.data, 1, 4, stdout);
  free(buffer.data);
  fclose(file);
  return 0;
}
