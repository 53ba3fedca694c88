// A loop without end on one path.
// explore: --sym-arg 2 --run-timeout 0.3
// finds: hang
// leaves: run-time

int main(int argc, char **argv) {
  volatile int forever = 1;
  if (argv[1][0] == 'z' && argv[1][1] == '\n')
    while (forever)
      ;
  return 0;
}
