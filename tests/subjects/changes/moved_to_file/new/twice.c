int twice(int a) {
    return a * 2;
}
