// Every way through nested conditions on an argument is found, and each once.
// explore: --sym-arg 3 --search dfs
// paths: 7
// covers: all
// exits: 0 1 2 3 4 5 6

int main(int argc, char **argv) {
  const char *s = argv[1];
  if (s[0] == 'a') {
    if (s[1] == 'b') {
      if (s[2] == 'c')
        return 6;
      return 5;
    }
    if (s[1] == 'x')
      return 4;
    return 3;
  }
  if (s[0] > 'p') {
    if (s[1] - s[0] == 1)
      return 2;
    return 1;
  }
  return 0;
}
