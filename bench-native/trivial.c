/* The process that start-up is measured on. */
int main(void) { return 0; }
