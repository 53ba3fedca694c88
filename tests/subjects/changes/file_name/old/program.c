// __FILE__ says where it stands and nothing else.
#include "deep.h"
int main(int argc, char **argv) {
    return where(argc);
}
