// A byte of an argument is looked at without those before it: an argument that has it has something before it.
// explore: --sym-arg 4
// paths: 3
// finds: heap-buffer-overflow
// exits: 0 1 2
int main(int count, char **arguments) {
  if (count < 2)
    return 0;
  if (arguments[1][2] == 'x') //~ heap-buffer-overflow
    return 2;
  if (arguments[1][1] == 4)
    return 1;
  return 0;
}
