// The target's own types, as far as its compat headers show them.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#if defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif
namespace pdmigrate {
// Stands for a macro whose text is not known: fits wherever a value is wanted.
struct opaque {
	template <class T> operator T() const;
};
extern opaque value;
// Fails where one of the values cannot be printed, as building a message does.
template <class... A>
auto printed(A &&...a) -> decltype(((std::declval<std::ostream &>() << a), ..., 0));
// One place of an index, whatever is written there.
struct index_place {
	template <class T> index_place(const T &);
};
struct check {
	template <class T> const check &operator<<(const T &) const;
};
check checked(bool, std::size_t);
} // namespace pdmigrate

namespace phi {
enum class AllocationType : int8_t {
	UNDEFINED = 0,
	CPU = 1,
	GPU = 2,
	CUDA = 2,
	GPUPINNED = 3,
	XPU = 4,
	XPUPINNED = 5,
	IPU = 7,
	CUSTOM = 9
};
std::ostream &operator<<(std::ostream &, AllocationType);
struct Place {
	Place();
	explicit Place(AllocationType, int8_t = 0);
	AllocationType GetType() const;
	int8_t GetDeviceId() const;
	bool operator==(const Place &) const;
	bool operator!=(const Place &) const;
};
struct CPUPlace : Place {};
struct GPUPlace : Place {
	GPUPlace();
	explicit GPUPlace(int);
};
struct GPUPinnedPlace : Place {};
enum class DataType : int {
	UNDEFINED,
	BOOL,
	UINT8,
	INT8,
	UINT16,
	INT16,
	UINT32,
	INT32,
	UINT64,
	INT64,
	FLOAT32,
	FLOAT64,
	COMPLEX64,
	COMPLEX128,
	FLOAT16,
	BFLOAT16,
	FLOAT8_E4M3FN,
	FLOAT8_E5M2
};
std::ostream &operator<<(std::ostream &, DataType);
enum class DataLayout : int { UNDEFINED, NHWC, NCHW };
class DDim;
class DenseTensor;
class GPUContext;
class DeviceContext;
namespace dtype {
#define PDM_NUMBER(N)                                                                          \
	struct N {                                                                             \
		uint16_t x;                                                                    \
		N() = default;                                                                 \
		template <class T> explicit N(const T &);                                      \
		template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>          \
		N &operator=(T);                                                               \
		operator float() const;                                                        \
		explicit operator bool() const;                                                \
	};                                                                                     \
	N operator+(const N &, const N &);                                                     \
	N operator-(const N &, const N &);                                                     \
	N operator*(const N &, const N &);                                                     \
	N operator/(const N &, const N &);                                                     \
	N operator-(const N &);                                                                \
	N &operator+=(N &, const N &);                                                         \
	N &operator-=(N &, const N &);                                                         \
	N &operator*=(N &, const N &);                                                         \
	N &operator/=(N &, const N &);                                                         \
	bool operator==(const N &, const N &);                                                 \
	bool operator!=(const N &, const N &);                                                 \
	bool operator<(const N &, const N &);                                                  \
	bool operator<=(const N &, const N &);                                                 \
	bool operator>(const N &, const N &);                                                  \
	bool operator>=(const N &, const N &);                                                 \
	std::ostream &operator<<(std::ostream &, const N &);
PDM_NUMBER(float16)
PDM_NUMBER(bfloat16)
PDM_NUMBER(float8_e4m3fn)
PDM_NUMBER(float8_e5m2)
#undef PDM_NUMBER
template <class T> struct complex {
	T real, imag;
	complex() = default;
	constexpr complex(T re, T im) : real(re), imag(im) {}
	template <class U, class = std::enable_if_t<std::is_arithmetic_v<U>>> complex(const U &);
	complex(const std::complex<T> &);
	template <class U> explicit operator std::complex<U>() const;
};
template <class T> complex<T> operator+(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator-(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator*(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator/(const complex<T> &, const complex<T> &);
template <class T> bool operator==(const complex<T> &, const complex<T> &);
template <class T> bool operator!=(const complex<T> &, const complex<T> &);
template <class T> std::ostream &operator<<(std::ostream &, const complex<T> &);
} // namespace dtype
using dtype::bfloat16;
using dtype::complex;
using dtype::float16;
} // namespace phi
namespace std {
template <> class numeric_limits<phi::dtype::float16> : public numeric_limits<float> {};
template <> class numeric_limits<phi::dtype::bfloat16> : public numeric_limits<float> {};
} // namespace std
namespace common {
using phi::DDim;
}
namespace paddle {
using DataType = phi::DataType;
using DataLayout = phi::DataLayout;
using Place = phi::Place;
using CPUPlace = phi::CPUPlace;
using GPUPlace = phi::GPUPlace;
using float16 = phi::dtype::float16;
using bfloat16 = phi::dtype::bfloat16;
class Tensor;
namespace experimental {
class Scalar {
    public:
	Scalar();
	Scalar(const phi::Place &) = delete;
	template <class T,
		  class = std::enable_if_t<std::is_arithmetic_v<T> ||
					   std::is_same_v<T, phi::dtype::float16> ||
					   std::is_same_v<T, phi::dtype::bfloat16> ||
					   std::is_same_v<T, phi::dtype::complex<float>> ||
					   std::is_same_v<T, phi::dtype::complex<double>>>>
	Scalar(T);
	explicit Scalar(const std::string &);
	template <class T> T to() const;
	__attribute__((unavailable("upstream only"))) int toInt() const;
	__attribute__((unavailable("upstream only"))) int64_t toLong() const;
	__attribute__((unavailable("upstream only"))) float toFloat() const;
	__attribute__((unavailable("upstream only"))) double toDouble() const;
	__attribute__((unavailable("upstream only"))) bool toBool() const;
	phi::DataType dtype() const;
	bool operator==(const Scalar &) const;
	bool operator!=(const Scalar &) const;
	std::string ToString() const;
};
class IntArray {
    public:
	IntArray();
	template <class T> IntArray(const std::vector<T> &);
	const std::vector<int64_t> &GetData() const;
};
} // namespace experimental
using experimental::IntArray;
using experimental::Scalar;
class Tensor {
    public:
	Tensor();
	explicit Tensor(const std::string &);
	const void *data() const;
	void *data();
	template <class T> const T *data() const;
	template <class T> T *data();
	std::vector<int64_t> shape() const;
	std::vector<int64_t> strides() const;
	int64_t numel() const;
	int64_t size() const;
	int dims() const;
	phi::DataType dtype() const;
	phi::DataType type() const;
	const phi::Place &place() const;
	bool initialized() const;
	bool defined() const;
	bool is_cpu() const;
	bool is_gpu() const;
	bool is_contiguous() const;
	Tensor contiguous() const;
	std::shared_ptr<phi::DenseTensor> impl() const;
	std::string name() const;
};
namespace platform {
struct CUDADeviceGuard;
}
namespace pybind {}
} // namespace paddle
#if defined(__CUDA__)
#pragma clang force_cuda_host_device end
#endif
