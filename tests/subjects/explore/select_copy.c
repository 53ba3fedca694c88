// What memcpy copies is one of two objects, of which one is symbolic: its label comes along with the choice.
// explore: --sym-stdin 2
// covers: all
// exits: 0 1 2 3
#include <stdio.h>
#include <string.h>

int main(void) {
  char input[2], constant[2] = {'x', 'y'}, copy[2];
  if (fread(input, 1, 2, stdin) != 2)
    return 1;
  memcpy(copy, input[0] == '!' ? input : constant, 2);
  if (copy[0] == 'x')
    return 2;
  if (copy[1] == '?')
    return 3;
  return 0;
}
