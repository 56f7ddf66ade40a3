// zeros_like in the place of the target's, which gives the default type on the host whatever the tensor is: type and
// device are the tensor's unless something else is asked for.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <optional>

#include "paddle/phi/api/include/api.h"

namespace at {

inline at::Tensor zeros_like(const at::Tensor& self, at::TensorOptions options = {},
                             std::optional<at::MemoryFormat> memory_format = std::nullopt) {
  TORCH_CHECK(!memory_format.has_value() || *memory_format == at::MemoryFormat::Contiguous ||
                  *memory_format == at::MemoryFormat::Preserve,
              "zeros_like: a contiguous result is the only one there is here");
  return paddle::experimental::zeros_like(
      self._PD_GetInner(),
      compat::_PD_AtenScalarTypeToPhiDataType(options.dtype_opt().value_or(self.scalar_type())),
      options.device_opt().value_or(self.device())._PD_GetInner());
}

inline at::Tensor zeros_like(const at::Tensor& self, std::optional<at::ScalarType> dtype,
                             std::optional<at::Layout> layout, std::optional<at::Device> device,
                             std::optional<bool> pin_memory,
                             std::optional<at::MemoryFormat> memory_format) {
  TORCH_CHECK(!layout.has_value() && !pin_memory.value_or(false),
              "zeros_like: a layout and pinned memory are not supported here");
  return zeros_like(self,
                    at::TensorOptions()
                        .dtype(dtype.value_or(self.scalar_type()))
                        .device(device.value_or(self.device())),
                    memory_format);
}

}  // namespace at

namespace torch {
using at::zeros_like;
}  // namespace torch
