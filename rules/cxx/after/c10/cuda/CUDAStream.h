// With the stop that the target's has.
#if defined(PADDLE_WITH_CUDA)
#define getDefaultCUDAStream getCurrentCUDAStream;
#endif
