// What a CUDA compiler and its runtime header know by themselves: names and shapes, no behaviour.
#pragma once
// The library's header <new> needs these two in CUDA mode.
#include <cstdlib>
#include <cstddef>
#include <cstdint>

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#pragma clang force_cuda_host_device begin
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __forceinline__ inline
#define __inline_hint__
#define __grid_constant__
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define CUDART_INF __builtin_inf()
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_CB

// Vector types and their makers.
#define PDM_VECTOR(T, N)                                                                       \
	struct N##1 { T x; };                                                                  \
	struct N##2 { T x, y; };                                                               \
	struct N##3 { T x, y, z; };                                                            \
	struct N##4 { T x, y, z, w; };                                                         \
	N##1 make_##N##1(T);                                                                   \
	N##2 make_##N##2(T, T);                                                                \
	N##3 make_##N##3(T, T, T);                                                             \
	N##4 make_##N##4(T, T, T, T);
PDM_VECTOR(signed char, char)
PDM_VECTOR(unsigned char, uchar)
PDM_VECTOR(short, short)
PDM_VECTOR(unsigned short, ushort)
PDM_VECTOR(int, int)
PDM_VECTOR(unsigned, uint)
PDM_VECTOR(long, long)
PDM_VECTOR(unsigned long, ulong)
PDM_VECTOR(long long, longlong)
PDM_VECTOR(unsigned long long, ulonglong)
PDM_VECTOR(float, float)
PDM_VECTOR(double, double)
#undef PDM_VECTOR
struct dim3 {
	unsigned x, y, z;
	constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
	constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	constexpr operator uint3() const { return uint3{x, y, z}; }
};
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

// The runtime's handles, results and properties.
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct cudaArray;
struct CUmemPoolHandle_st;
typedef CUstream_st *cudaStream_t;
typedef CUstream_st *CUstream;
typedef CUevent_st *cudaEvent_t;
typedef CUevent_st *CUevent;
typedef CUgraph_st *cudaGraph_t;
typedef CUgraphExec_st *cudaGraphExec_t;
typedef CUctx_st *CUcontext;
typedef CUmod_st *CUmodule;
typedef CUfunc_st *CUfunction;
typedef CUfunc_st *cudaFunction_t;
typedef CUmemPoolHandle_st *cudaMemPool_t;
typedef cudaArray *cudaArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef void (*cudaHostFn_t)(void *);
enum cudaError {
	cudaSuccess = 0,
	cudaErrorInvalidValue = 1,
	cudaErrorMemoryAllocation = 2,
	cudaErrorInitializationError = 3,
	cudaErrorInvalidDevice = 101,
	cudaErrorNotReady = 600,
	cudaErrorPeerAccessAlreadyEnabled = 704,
	cudaErrorNotSupported = 801,
	cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;
enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_NOT_INITIALIZED = 3 };
enum cudaMemcpyKind {
	cudaMemcpyHostToHost,
	cudaMemcpyHostToDevice,
	cudaMemcpyDeviceToHost,
	cudaMemcpyDeviceToDevice,
	cudaMemcpyDefault
};
enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
	cudaFuncAttributeNonPortableClusterSizeAllowed = 13
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1 };
enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaDataType_t {
	CUDA_R_32F = 0,
	CUDA_R_64F = 1,
	CUDA_R_16F = 2,
	CUDA_R_8I = 3,
	CUDA_C_32F = 4,
	CUDA_C_64F = 5,
	CUDA_R_8U = 8,
	CUDA_R_32I = 10,
	CUDA_R_16BF = 14,
	CUDA_R_64I = 24,
	CUDA_R_8F_E4M3 = 28,
	CUDA_R_8F_E5M2 = 29
};
typedef cudaDataType_t cudaDataType;
struct cudaDeviceProp {
	char name[256];
	size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
	size_t totalConstMem, memPitch;
	int major, minor, multiProcessorCount, warpSize, regsPerBlock, regsPerMultiprocessor;
	int maxThreadsPerBlock, maxThreadsPerMultiProcessor, maxThreadsDim[3], maxGridSize[3];
	int l2CacheSize, persistingL2CacheMaxSize, maxBlocksPerMultiProcessor, cooperativeLaunch;
	int integrated, canMapHostMemory, concurrentKernels, ECCEnabled, pciBusID, pciDeviceID;
};
struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};
struct cudaPointerAttributes { int type, device; void *devicePointer, *hostPointer; };
struct cudaIpcMemHandle_t { char reserved[64]; };
struct cudaIpcEventHandle_t { char reserved[64]; };
enum cudaLaunchAttributeID {
	cudaLaunchAttributeCooperative = 2,
	cudaLaunchAttributeClusterDimension = 4,
	cudaLaunchAttributeProgrammaticStreamSerialization = 6
};
struct cudaLaunchAttributeValue {
	int cooperative, programmaticStreamSerializationAllowed;
	struct { unsigned x, y, z; } clusterDim;
};
struct cudaLaunchAttribute { cudaLaunchAttributeID id; cudaLaunchAttributeValue val; };
struct cudaLaunchConfig_t {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned numAttrs;
};
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaIpcMemLazyEnablePeerAccess 0x01

// Each takes what the caller has: their own arguments are not what is looked for.
#define PDM_CALL(name) template <class... A> cudaError_t name(A &&...);
PDM_CALL(cudaMalloc) PDM_CALL(cudaMallocAsync) PDM_CALL(cudaMallocHost) PDM_CALL(cudaMallocManaged)
PDM_CALL(cudaMallocPitch) PDM_CALL(cudaFree) PDM_CALL(cudaFreeAsync) PDM_CALL(cudaFreeHost)
PDM_CALL(cudaHostAlloc) PDM_CALL(cudaHostRegister) PDM_CALL(cudaHostUnregister)
PDM_CALL(cudaHostGetDevicePointer) PDM_CALL(cudaMemcpy) PDM_CALL(cudaMemcpyAsync) PDM_CALL(cudaMemcpy2D)
PDM_CALL(cudaMemcpy2DAsync) PDM_CALL(cudaMemcpyPeer) PDM_CALL(cudaMemcpyPeerAsync)
PDM_CALL(cudaMemcpyToSymbol) PDM_CALL(cudaMemcpyToSymbolAsync) PDM_CALL(cudaMemcpyFromSymbol)
PDM_CALL(cudaMemset) PDM_CALL(cudaMemsetAsync) PDM_CALL(cudaMemGetInfo) PDM_CALL(cudaMemPrefetchAsync)
PDM_CALL(cudaGetSymbolAddress) PDM_CALL(cudaPointerGetAttributes)
PDM_CALL(cudaGetDevice) PDM_CALL(cudaSetDevice) PDM_CALL(cudaGetDeviceCount)
PDM_CALL(cudaGetDeviceProperties) PDM_CALL(cudaDeviceGetAttribute) PDM_CALL(cudaDeviceSetLimit)
PDM_CALL(cudaDeviceCanAccessPeer) PDM_CALL(cudaDeviceEnablePeerAccess) PDM_CALL(cudaDeviceGetPCIBusId)
PDM_CALL(cudaDeviceSynchronize) PDM_CALL(cudaDeviceReset) PDM_CALL(cudaDriverGetVersion)
PDM_CALL(cudaRuntimeGetVersion) PDM_CALL(cudaDeviceGetStreamPriorityRange)
PDM_CALL(cudaStreamCreate) PDM_CALL(cudaStreamCreateWithFlags) PDM_CALL(cudaStreamCreateWithPriority)
PDM_CALL(cudaStreamDestroy) PDM_CALL(cudaStreamSynchronize) PDM_CALL(cudaStreamWaitEvent)
PDM_CALL(cudaStreamQuery) PDM_CALL(cudaStreamIsCapturing) PDM_CALL(cudaStreamGetCaptureInfo)
PDM_CALL(cudaStreamBeginCapture) PDM_CALL(cudaStreamEndCapture) PDM_CALL(cudaLaunchHostFunc)
PDM_CALL(cudaStreamAddCallback) PDM_CALL(cudaStreamSetAttribute)
PDM_CALL(cudaEventCreate) PDM_CALL(cudaEventCreateWithFlags) PDM_CALL(cudaEventDestroy)
PDM_CALL(cudaEventRecord) PDM_CALL(cudaEventSynchronize) PDM_CALL(cudaEventElapsedTime)
PDM_CALL(cudaEventQuery) PDM_CALL(cudaIpcGetMemHandle) PDM_CALL(cudaIpcOpenMemHandle)
PDM_CALL(cudaIpcCloseMemHandle) PDM_CALL(cudaIpcGetEventHandle) PDM_CALL(cudaIpcOpenEventHandle)
PDM_CALL(cudaFuncSetAttribute) PDM_CALL(cudaFuncGetAttributes) PDM_CALL(cudaFuncSetCacheConfig)
PDM_CALL(cudaFuncSetSharedMemConfig) PDM_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
PDM_CALL(cudaOccupancyMaxPotentialBlockSize) PDM_CALL(cudaOccupancyMaxActiveClusters)
PDM_CALL(cudaLaunchKernelEx) PDM_CALL(cudaLaunchKernelExC) PDM_CALL(cudaLaunchCooperativeKernel)
PDM_CALL(cudaGraphCreate) PDM_CALL(cudaGraphDestroy) PDM_CALL(cudaGraphInstantiate)
PDM_CALL(cudaGraphLaunch) PDM_CALL(cudaGraphExecDestroy) PDM_CALL(cudaGetDriverEntryPoint)
PDM_CALL(cudaProfilerStart) PDM_CALL(cudaProfilerStop) PDM_CALL(cudaCtxResetPersistingL2Cache)
#undef PDM_CALL
extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, CUstream_st * = nullptr);
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
}

// What kernels call. Their bodies are not judged, so that one form that takes anything is enough.
#if !defined(__CUDA__)
void __syncthreads();
#endif
int __syncthreads_or(int);
int __syncthreads_and(int);
int __syncthreads_count(int);
void __syncwarp(unsigned = ~0u);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __nanosleep(unsigned);
void __trap();
void __brkpt();
unsigned __activemask();
unsigned __ballot_sync(unsigned, int);
int __any_sync(unsigned, int);
int __all_sync(unsigned, int);
template <class T> unsigned __match_any_sync(unsigned, T);
long long clock64();
#define PDM_FIRST(name) template <class T, class... A> T name(T, A...);
PDM_FIRST(__ldg) PDM_FIRST(__expf) PDM_FIRST(__logf) PDM_FIRST(__log2f) PDM_FIRST(__powf) PDM_FIRST(__sinf)
PDM_FIRST(__cosf) PDM_FIRST(__tanf) PDM_FIRST(__fdividef) PDM_FIRST(__frcp_rn) PDM_FIRST(__fsqrt_rn)
PDM_FIRST(__fmaf_rn) PDM_FIRST(__fadd_rn) PDM_FIRST(__fmul_rn) PDM_FIRST(__fsub_rn) PDM_FIRST(rsqrt)
PDM_FIRST(rsqrtf) PDM_FIRST(exp10f) PDM_FIRST(__saturatef) PDM_FIRST(__clz) PDM_FIRST(__clzll) PDM_FIRST(__ffs)
PDM_FIRST(__ffsll) PDM_FIRST(__popc) PDM_FIRST(__popcll) PDM_FIRST(__brev) PDM_FIRST(__umulhi) PDM_FIRST(__mulhi)
PDM_FIRST(__mul24) PDM_FIRST(__umul24) PDM_FIRST(__byte_perm) PDM_FIRST(__funnelshift_l)
PDM_FIRST(__funnelshift_r) PDM_FIRST(__dp4a) PDM_FIRST(__vadd4) PDM_FIRST(__ldcs) PDM_FIRST(__ldcg)
PDM_FIRST(__ldca) PDM_FIRST(__reduce_add_sync) PDM_FIRST(__reduce_max_sync) PDM_FIRST(__reduce_min_sync)
#undef PDM_FIRST
template <class T> T __ldg(const T *);
#define PDM_SHUFFLE(name) template <class T, class... A> T name(unsigned, T, A...);
PDM_SHUFFLE(__shfl_sync) PDM_SHUFFLE(__shfl_xor_sync) PDM_SHUFFLE(__shfl_down_sync) PDM_SHUFFLE(__shfl_up_sync)
#undef PDM_SHUFFLE
#define PDM_ATOMIC(name) template <class T, class... A> T name(T *, A...);
PDM_ATOMIC(atomicAdd) PDM_ATOMIC(atomicSub) PDM_ATOMIC(atomicMax) PDM_ATOMIC(atomicMin) PDM_ATOMIC(atomicExch)
PDM_ATOMIC(atomicCAS) PDM_ATOMIC(atomicAnd) PDM_ATOMIC(atomicOr) PDM_ATOMIC(atomicXor) PDM_ATOMIC(atomicInc)
PDM_ATOMIC(atomicDec) PDM_ATOMIC(atomicAdd_block) PDM_ATOMIC(atomicAdd_system) PDM_ATOMIC(atomicCAS_block)
#undef PDM_ATOMIC
int __float_as_int(float);
unsigned __float_as_uint(float);
float __int_as_float(int);
float __uint_as_float(unsigned);
long long __double_as_longlong(double);
double __longlong_as_double(long long);
int __float2int_rn(float);
int __float2int_rz(float);
int __float2int_rd(float);
float __int2float_rn(int);
unsigned __cvta_generic_to_shared(const void *);
bool __isGlobal(const void *);
bool __isShared(const void *);
#if defined(__CUDA__)
// In CUDA mode these are there without an include, and for any number.
#define PDM_MATH(name) template <class T, class... A> T name(T, A...);
PDM_MATH(max) PDM_MATH(min)
#undef PDM_MATH
#pragma clang force_cuda_host_device end
#endif
