/* A libcuda.so.1 of an old NVIDIA driver, as far as the CUDA runtime asks before it
 * gives up. */
int cuInit(unsigned flags) {
  (void)flags;
  return 0;
}
int cuDriverGetVersion(int* version) {
  *version = 11040;
  return 0;
}
