// torch::autograd::increment_version: an operator has written into the tensor. The target counts that too.
#pragma once
#include <ATen/core/Tensor.h>

namespace torch {
namespace autograd {
inline void increment_version(const at::Tensor& t) {
  paddle::Tensor inner = t._PD_GetInner();
  inner.bump_inplace_version();
}
}  // namespace autograd
}  // namespace torch
