int odd(int number);

static int leaf(int number) {
    char block[100];
    block[number & 63] = number;
    return block[0];
}

int even(int number) {
    return odd(leaf(number)) + 1;
}

int odd(int number) {
    return even(number) + 1;
}

int main(int argc, char **argv) {
    return even(argc);
}
