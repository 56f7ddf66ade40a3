// at::globalContext() as far as kernels ask it. The target has no deterministic mode that code can ask for here.
#pragma once

namespace at {

class Context {
 public:
  void alertNotDeterministic(const char*) const {}
  bool deterministicAlgorithms() const { return false; }
  bool deterministicAlgorithmsWarnOnly() const { return false; }
#ifdef PADDLE_WITH_CUDA
  static bool hasCUDA() { return true; }
#else
  static bool hasCUDA() { return false; }
#endif
};

inline Context& globalContext() {
  static Context context;
  return context;
}

}  // namespace at
