#define SIZE 20
