// Device guards: the current CUDA device is set for a scope. Without CUDA they do nothing.
#pragma once
#include <c10/core/Device.h>

#include <optional>

#ifdef PADDLE_WITH_CUDA
#include <c10/cuda/CUDAGuard.h>
#endif

namespace c10 {

class OptionalDeviceGuard {
 public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(std::optional<Device> device) {
    if (device) reset_device(*device);
  }
  explicit OptionalDeviceGuard(Device device) { reset_device(device); }
  OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
  OptionalDeviceGuard& operator=(const OptionalDeviceGuard&) = delete;

  void reset_device(Device device) {
#ifdef PADDLE_WITH_CUDA
    if (device.is_cuda()) guard_.emplace(device);
#else
    (void)device;
#endif
  }

#ifdef PADDLE_WITH_CUDA
 private:
  std::optional<c10::cuda::CUDAGuard> guard_;
#endif
};

class DeviceGuard : public OptionalDeviceGuard {
 public:
  explicit DeviceGuard(Device device) : OptionalDeviceGuard(device) {}
};

}  // namespace c10
namespace at {
using c10::DeviceGuard;
using c10::OptionalDeviceGuard;
}  // namespace at
