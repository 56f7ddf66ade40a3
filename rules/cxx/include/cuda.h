// The driver's interface.
#pragma once
#include <pdmigrate/cuda.h>
#define PDM_CALL(name) template <class... A> CUresult name(A &&...);
PDM_CALL(cuInit) PDM_CALL(cuDeviceGet) PDM_CALL(cuDeviceGetAttribute) PDM_CALL(cuCtxGetCurrent)
PDM_CALL(cuCtxSetCurrent) PDM_CALL(cuCtxGetDevice) PDM_CALL(cuGetErrorString) PDM_CALL(cuGetErrorName)
PDM_CALL(cuModuleLoadData) PDM_CALL(cuModuleLoad) PDM_CALL(cuModuleUnload) PDM_CALL(cuModuleGetFunction)
PDM_CALL(cuLaunchKernel) PDM_CALL(cuLaunchKernelEx) PDM_CALL(cuFuncSetAttribute) PDM_CALL(cuMemAlloc)
PDM_CALL(cuMemFree) PDM_CALL(cuMemCreate) PDM_CALL(cuMemMap) PDM_CALL(cuMemSetAccess)
PDM_CALL(cuStreamWriteValue32) PDM_CALL(cuStreamWaitValue32) PDM_CALL(cuStreamSynchronize)
PDM_CALL(cuTensorMapEncodeTiled) PDM_CALL(cuMemcpyDtoHAsync) PDM_CALL(cuMemcpyHtoDAsync)
PDM_CALL(cuPointerGetAttribute) PDM_CALL(cuDriverGetVersion)
#undef PDM_CALL
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };
