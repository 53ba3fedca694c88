// A length from a message is compared with how much of the message there is, but not with the room for the copy.
//
// test: printf '\005hello------------------------' | ./subject | grep -q '^hello$'
// test: ! printf '\377hello' | ./subject
// breaks: printf '\021hello------------------------' | ./subject
#include <stdio.h>
#include <string.h>

struct message {
  unsigned char length;
  char text[16];
};

static int decode(const unsigned char *data, size_t size, struct message *message) {
  if (size < 1 || data[0] > size - 1)
    return 0;
  message->length = data[0];
  memcpy(message->text, data + 1, message->length); //~ stack-buffer-overflow, distance 0, depth 1, bytes 1
  return 1;
}

int main(void) {
  unsigned char data[64];
  struct message message;
  size_t size = fread(data, 1, sizeof data, stdin);
  if (!decode(data, size, &message))
    return 1;
  fwrite(message.text, 1, message.length, stdout);
  putchar('\n');
  return 0;
}
