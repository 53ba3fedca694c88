int main(int argc, char **argv) {
    int *number = (int *)(long)(argc * 4096 * 4096);
    return *number;
}
