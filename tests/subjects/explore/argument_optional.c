// An argument that may be missing, and that has a second byte only if it has a first one.
// Needed: the number of arguments as a branch, and the end of an argument as a demand on its later bytes.
// explore: --sym-args 0 1 2
// exits: 0 1 2 3
int main(int count, char **arguments) {
  if (count < 2)
    return 3;
  if (arguments[1][0] == 0)
    return 0;
  if (arguments[1][1] == 'q')
    return 2;
  return 1;
}
