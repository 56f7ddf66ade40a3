// at::Tensor as an argument and result of pybind11 functions. The target's own caster is compiled only in
// builds with CUDA; this is the same for the others.
#pragma once
#if !defined(PADDLE_WITH_CUDA) && !defined(PADDLE_WITH_HIP) && !defined(PADDLE_NO_PYTHON)
#include <ATen/core/Tensor.h>

#include "paddle/utils/pybind.h"

namespace pybind11 {
namespace detail {

template <>
struct type_caster<at::Tensor> {
 public:
  PYBIND11_TYPE_CASTER(at::Tensor, const_name("Tensor"));

  bool load(handle source, bool convert) {
    make_caster<paddle::Tensor> inner;
    if (!inner.load(source, convert)) return false;
    value = at::Tensor(cast_op<paddle::Tensor&>(inner));
    return true;
  }

  static handle cast(const at::Tensor& tensor, return_value_policy policy, handle parent) {
    return make_caster<paddle::Tensor>::cast(tensor._PD_GetInner(), policy, parent);
  }
};

}  // namespace detail
}  // namespace pybind11
#endif
