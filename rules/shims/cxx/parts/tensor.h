// tensor({1, 2}): a tensor from values. The target declares at::tensor and exports no definition of it.
// at::tensor keeps the values' type; torch::tensor makes integers 64-bit and fractions the default type.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "paddle/phi/api/include/api.h"

namespace paddle_compat {

template <class T>
inline at::Tensor from_values(const T* values, size_t n, bool scalar, const at::TensorOptions& options) {
  const int64_t size = static_cast<int64_t>(n);
  const at::ScalarType type = c10::CppTypeToScalarType<T>::value;
  at::Tensor out = scalar ? at::empty({}, at::TensorOptions().dtype(type))
                          : at::empty({size}, at::TensorOptions().dtype(type));
  T* data = out.template data_ptr<T>();
  for (size_t i = 0; i < n; i++) data[i] = values[i];
  if (options.dtype() != type)
    out = paddle::experimental::cast(out._PD_GetInner(), compat::_PD_AtenScalarTypeToPhiDataType(options.dtype()));
  if (options.device_opt() && !options.device_opt()->is_cpu())
    out = paddle::experimental::copy_to(out._PD_GetInner(), options._PD_GetPlace(), true);
  return out;
}

template <class T>
inline at::TensorOptions exact_type() {
  return at::TensorOptions().dtype(c10::CppTypeToScalarType<T>::value);
}

template <class T>
inline at::TensorOptions usual_type() {
  if (std::is_same_v<T, bool>) return at::TensorOptions().dtype(at::kBool);
  if (std::is_integral_v<T>) return at::TensorOptions().dtype(at::kLong);
  return at::TensorOptions().dtype(c10::get_default_dtype());
}

}  // namespace paddle_compat

#define PADDLE_COMPAT_TENSOR(T, type_of)                                                              \
  inline at::Tensor tensor(at::ArrayRef<T> values, const at::TensorOptions& options) {                \
    return paddle_compat::from_values<T>(values.data(), values.size(), false, options);               \
  }                                                                                                   \
  inline at::Tensor tensor(at::ArrayRef<T> values) {                                                  \
    return tensor(values, paddle_compat::type_of<T>());                                               \
  }                                                                                                   \
  inline at::Tensor tensor(std::initializer_list<T> values, const at::TensorOptions& options) {       \
    return paddle_compat::from_values<T>(values.begin(), values.size(), false, options);              \
  }                                                                                                   \
  inline at::Tensor tensor(std::initializer_list<T> values) {                                         \
    return tensor(values, paddle_compat::type_of<T>());                                               \
  }                                                                                                   \
  inline at::Tensor tensor(T value, const at::TensorOptions& options) {                               \
    return paddle_compat::from_values<T>(&value, 1, true, options);                                   \
  }                                                                                                   \
  inline at::Tensor tensor(T value) { return tensor(value, paddle_compat::type_of<T>()); }

namespace at {
PADDLE_COMPAT_TENSOR(uint8_t, exact_type)
PADDLE_COMPAT_TENSOR(int, exact_type)
PADDLE_COMPAT_TENSOR(int64_t, exact_type)
PADDLE_COMPAT_TENSOR(float, exact_type)
PADDLE_COMPAT_TENSOR(double, exact_type)
}  // namespace at
namespace torch {
PADDLE_COMPAT_TENSOR(uint8_t, usual_type)
PADDLE_COMPAT_TENSOR(int, usual_type)
PADDLE_COMPAT_TENSOR(int64_t, usual_type)
PADDLE_COMPAT_TENSOR(float, usual_type)
PADDLE_COMPAT_TENSOR(double, usual_type)
}  // namespace torch
#undef PADDLE_COMPAT_TENSOR
