// How many arguments there are, and how long each is, is decided on the path: 1 + 3 + 3 * 3 ways.
// explore: --sym-args 0 2 2 --all-paths
// paths: 13
// covers: all
// exits: 0 10 11 12 20 21 22 23 24

int main(int argc, char **argv) {
  int length = 0;
  for (int i = 1; i < argc; i++)
    for (const char *at = argv[i]; *at; at++)
      length++;
  return 10 * (argc - 1) + length;
}
