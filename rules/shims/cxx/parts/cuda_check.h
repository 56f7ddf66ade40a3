// CUDA result checks that the target's compat headers lack.
#pragma once
#include <c10/cuda/CUDAException.h>
#include <c10/util/Exception.h>

#if defined(PADDLE_WITH_CUDA) || defined(__CUDACC__)
#include <cuda_runtime.h>
#ifndef AT_CUDA_CHECK
#define AT_CUDA_CHECK(expr)                                                           \
  do {                                                                                \
    const cudaError_t paddle_compat_error = (expr);                                   \
    TORCH_CHECK(paddle_compat_error == cudaSuccess, "CUDA error: ",                   \
                cudaGetErrorString(paddle_compat_error))                              \
  } while (false)
#endif
#ifndef C10_CUDA_KERNEL_LAUNCH_CHECK
#define C10_CUDA_KERNEL_LAUNCH_CHECK() AT_CUDA_CHECK(cudaGetLastError())
#endif
#ifndef TORCH_CUDA_KERNEL_LAUNCH_CHECK
#define TORCH_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_KERNEL_LAUNCH_CHECK()
#endif
#endif
