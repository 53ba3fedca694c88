int main(int argc, char **argv) {
    if (argc)
        __builtin_trap();
    return 0;
}
