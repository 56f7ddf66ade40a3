#define C10_CUDA_CHECK(call)                                                                   \
	do {                                                                                   \
		cudaError_t result = (call);                                                   \
		(void)result;                                                                  \
	} while (0)
