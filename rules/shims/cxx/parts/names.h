// Small names of the upstream namespaces that the target's compat headers lack.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

namespace at {
using TensorList = c10::ArrayRef<Tensor>;
}  // namespace at
namespace torch {
using at::TensorList;
}  // namespace torch

#ifndef C10_LIKELY
#define C10_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 1))
#define C10_UNLIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 0))
#endif
#ifndef C10_EXPORT
#define C10_EXPORT __attribute__((__visibility__("default")))
#endif
#ifndef C10_ALWAYS_INLINE
#define C10_ALWAYS_INLINE __attribute__((__always_inline__)) inline
#endif
// Upstream makes the function a part of a type; the target's registry takes its address.
#ifndef TORCH_FN
#define TORCH_FN(...) (&__VA_ARGS__)
#endif
