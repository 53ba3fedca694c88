// A decision about a value that was lost is none that can be tried: nobody may say that all paths were.
// explore: --sym-arg 1
// leaves: lost
// exits: 0 2
int main(int count, char **words) {
  if (words[count - 1][0] == 'y')
    return 2;
  double half = (unsigned char)words[count - 1][0] / 2.0;
  return half == 61.5 ? 3 : 0;
}
