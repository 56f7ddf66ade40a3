// The 16-bit and 8-bit numbers of the toolkit.
#pragma once
#include <pdmigrate/cuda.h>
#include <type_traits>
#if defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif
#define PDM_NUMBER(N)                                                                          \
	struct N {                                                                             \
		unsigned short __x;                                                            \
		N() = default;                                                                 \
		template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> N(T);    \
		operator float() const;                                                        \
		template <class T> N &operator=(T);                                            \
		N &operator+=(const N &);                                                      \
		N &operator-=(const N &);                                                      \
		N &operator*=(const N &);                                                      \
		N &operator/=(const N &);                                                      \
		N operator-() const;                                                           \
	};                                                                                     \
	N operator+(const N &, const N &);                                                     \
	N operator-(const N &, const N &);                                                     \
	N operator*(const N &, const N &);                                                     \
	N operator/(const N &, const N &);                                                     \
	bool operator<(const N &, const N &);                                                  \
	bool operator>(const N &, const N &);                                                  \
	bool operator<=(const N &, const N &);                                                 \
	bool operator>=(const N &, const N &);                                                 \
	bool operator==(const N &, const N &);                                                 \
	bool operator!=(const N &, const N &);
PDM_NUMBER(__half)
PDM_NUMBER(__nv_bfloat16)
#undef PDM_NUMBER
typedef __half half;
typedef __nv_bfloat16 nv_bfloat16;
struct __half2 { __half x, y; };
struct __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __half2 half2;
typedef __nv_bfloat162 nv_bfloat162;
struct __nv_fp8_e4m3 { unsigned char __x; __nv_fp8_e4m3() = default; template <class T> explicit __nv_fp8_e4m3(T); operator float() const; };
struct __nv_fp8_e5m2 { unsigned char __x; __nv_fp8_e5m2() = default; template <class T> explicit __nv_fp8_e5m2(T); operator float() const; };
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
struct __nv_fp8x2_e4m3 { __nv_fp8x2_storage_t __x; };
struct __nv_fp8x4_e4m3 { __nv_fp8x4_storage_t __x; template <class... A> explicit __nv_fp8x4_e4m3(A...); __nv_fp8x4_e4m3() = default; };
#define PDM_TO(R, name) template <class... A> R name(A...);
PDM_TO(float, __half2float) PDM_TO(__half, __float2half) PDM_TO(__half, __float2half_rn) PDM_TO(__half2, __float2half2_rn)
PDM_TO(__half2, __floats2half2_rn) PDM_TO(__half2, __float22half2_rn) PDM_TO(float2, __half22float2)
PDM_TO(float, __low2float) PDM_TO(float, __high2float) PDM_TO(__half, __low2half) PDM_TO(__half, __high2half)
PDM_TO(__half2, __halves2half2) PDM_TO(__half2, __half2half2) PDM_TO(float, __bfloat162float)
PDM_TO(__nv_bfloat16, __float2bfloat16) PDM_TO(__nv_bfloat16, __float2bfloat16_rn)
PDM_TO(__nv_bfloat162, __float22bfloat162_rn) PDM_TO(__nv_bfloat162, __floats2bfloat162_rn)
PDM_TO(__nv_bfloat162, __float2bfloat162_rn) PDM_TO(float2, __bfloat1622float2)
PDM_TO(__nv_bfloat162, __bfloat162bfloat162) PDM_TO(__nv_bfloat162, __halves2bfloat162)
PDM_TO(__nv_bfloat16, __ushort_as_bfloat16) PDM_TO(__half, __ushort_as_half) PDM_TO(unsigned short, __half_as_ushort)
PDM_TO(__nv_fp8_storage_t, __nv_cvt_float_to_fp8) PDM_TO(__nv_fp8x2_storage_t, __nv_cvt_float2_to_fp8x2)
#undef PDM_TO
#define PDM_SAME(name) template <class T, class... A> T name(T, A...);
PDM_SAME(__hadd) PDM_SAME(__hsub) PDM_SAME(__hmul) PDM_SAME(__hdiv) PDM_SAME(__hneg) PDM_SAME(__hfma)
PDM_SAME(__hadd2) PDM_SAME(__hsub2) PDM_SAME(__hmul2) PDM_SAME(__hfma2) PDM_SAME(__h2div) PDM_SAME(__hmax)
PDM_SAME(__hmin) PDM_SAME(__hmax2) PDM_SAME(__hmin2) PDM_SAME(__habs) PDM_SAME(hexp) PDM_SAME(hlog) PDM_SAME(hsqrt)
PDM_SAME(hrsqrt) PDM_SAME(h2exp)
#undef PDM_SAME
bool __hgt(__half, __half);
bool __hlt(__half, __half);
bool __heq(__half, __half);
bool __hisnan(__half);
#if defined(__CUDA__)
#pragma clang force_cuda_host_device end
#endif
