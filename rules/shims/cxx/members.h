// Members of the upstream tensor class that the target's lacks: a class between the tensor and its base has them,
// so that calls stay as they are written. What the target's tensor declares itself hides them.
#pragma once
#if !__has_include(<paddle/phi/api/include/api.h>)
#include_next <ATen/core/TensorBody.h>
#else
// All that the target's header includes, so that the name of the base means ours in that header alone.
#include <ATen/core/TensorBase.h>
#include <ATen/indexing.h>

#include <optional>
#include <tuple>

#include "paddle/phi/api/include/tensor.h"
#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/memory/malloc.h"

namespace at {
class Tensor;

class TensorMembers : public TensorBase {
 public:
  using TensorBase::TensorBase;
  TensorMembers() = default;
  TensorMembers(const TensorBase& base) : TensorBase(base) {}
  TensorMembers(TensorBase&& base) : TensorBase(std::move(base)) {}

  // The tensor makes itself of what this gives.
  template <class... Args>
  TensorMembers to(Args&&... args) const {
    return TensorBase::to(std::forward<Args>(args)...);
  }

//@ declarations
};
}  // namespace at

#define TensorBase TensorMembers
#include_next <ATen/core/TensorBody.h>
#undef TensorBase

#include "../../parts/bridge.h"

namespace at {
//@ definitions
}  // namespace at
#endif
