// Tensor::const_data_ptr<T>() and Tensor::mutable_data_ptr<T>(): the target declares them and exports those of the
// base class only, so a library that calls them does not load.
#pragma once
#include <ATen/core/Tensor.h>

#include <type_traits>

namespace at {

template <typename T, std::enable_if_t<!std::is_const_v<T>, int>>
inline const T* Tensor::const_data_ptr() const {
  return TensorBase::data_ptr<T>();
}

template <typename T, std::enable_if_t<std::is_const_v<T>, int>>
inline const std::remove_const_t<T>* Tensor::const_data_ptr() const {
  return TensorBase::data_ptr<std::remove_const_t<T>>();
}

template <typename T>
inline T* Tensor::mutable_data_ptr() const {
  return TensorBase::data_ptr<T>();
}

}  // namespace at
