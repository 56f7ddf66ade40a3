// Dispatch over element types: AT_DISPATCH_*. The body is a lambda in which scalar_t (index_t for the index
// form) is the element type. On the host the two 16-bit floating types have no implicit arithmetic in the
// target, so they are cases in CUDA sources only; define PADDLE_COMPAT_HOST_HALF for bodies that need none.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include <stdexcept>
#include <string>

namespace paddle_compat {

[[noreturn]] inline void dispatch_fail(const char* name, c10::ScalarType type) {
  throw std::runtime_error(std::string("\"") + name + "\" not implemented for '" + c10::toString(type) + "'");
}

inline c10::ScalarType scalar_type_of(c10::ScalarType type) { return type; }

}  // namespace paddle_compat

#define AT_PRIVATE_CASE_TYPE_USING_HINT(type, hint, ...)                       \
  case type: {                                                                 \
    using hint [[maybe_unused]] = ::c10::impl::ScalarTypeToCPPTypeT<type>;     \
    return __VA_ARGS__();                                                      \
  }

#define AT_DISPATCH_CASE(type, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(type, scalar_t, __VA_ARGS__)

#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                   \
  [&] {                                                                                       \
    const ::c10::ScalarType paddle_compat_type = ::paddle_compat::scalar_type_of(TYPE);       \
    const char* const at_dispatch_name = NAME;                                                \
    switch (paddle_compat_type) {                                                             \
      __VA_ARGS__                                                                             \
      default:                                                                                \
        ::paddle_compat::dispatch_fail(at_dispatch_name, paddle_compat_type);                 \
    }                                                                                         \
  }()

// A case that is left out on the host where the body would use arithmetic of a 16-bit type.
#if defined(__CUDACC__) || defined(__HIPCC__) || defined(PADDLE_COMPAT_HOST_HALF)
#define AT_DISPATCH_CASE_16(type, ...) AT_DISPATCH_CASE(type, __VA_ARGS__)
#define PADDLE_COMPAT_16 1
#else
#define AT_DISPATCH_CASE_16(type, ...)
#define PADDLE_COMPAT_16 0
#endif

// AND, AND2, ... take any type; a 16-bit one stays a case that fails by name on the host.
#if PADDLE_COMPAT_16
#define AT_DISPATCH_CASE_EXTRA(type, ...) AT_DISPATCH_CASE(type, __VA_ARGS__)
#else
namespace paddle_compat {
constexpr bool host_half(c10::ScalarType type) {
  return type == c10::ScalarType::Half || type == c10::ScalarType::BFloat16;
}
// The body of a case that cannot be is compiled for double, and never run.
template <c10::ScalarType type>
using host_type = c10::impl::ScalarTypeToCPPTypeT<host_half(type) ? c10::ScalarType::Double : type>;
}  // namespace paddle_compat
#define AT_DISPATCH_CASE_EXTRA(type, ...)                                                   \
  case type: {                                                                              \
    if (::paddle_compat::host_half(type))                                                   \
      ::paddle_compat::dispatch_fail(at_dispatch_name, type);                               \
    using scalar_t [[maybe_unused]] = ::paddle_compat::host_type<type>;                     \
    return __VA_ARGS__();                                                                   \
  }
#endif

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)               \
  AT_DISPATCH_CASE(::c10::ScalarType::Double, __VA_ARGS__) \
  AT_DISPATCH_CASE(::c10::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)        \
  AT_DISPATCH_CASE_16(::c10::ScalarType::Half, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)        \
  AT_DISPATCH_CASE_16(::c10::ScalarType::Half, __VA_ARGS__) \
  AT_DISPATCH_CASE_16(::c10::ScalarType::BFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)              \
  AT_DISPATCH_CASE(::c10::ScalarType::Byte, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::c10::ScalarType::Char, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::c10::ScalarType::Int, __VA_ARGS__)   \
  AT_DISPATCH_CASE(::c10::ScalarType::Long, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::c10::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)                      \
  AT_DISPATCH_CASE(::c10::ScalarType::ComplexDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(::c10::ScalarType::ComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(__VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))

// Types given by the caller, one to five of them.
#define PADDLE_COMPAT_EXTRA1(t1, ...) AT_DISPATCH_CASE_EXTRA(t1, __VA_ARGS__)
#define PADDLE_COMPAT_EXTRA2(t1, t2, ...) \
  PADDLE_COMPAT_EXTRA1(t1, __VA_ARGS__) AT_DISPATCH_CASE_EXTRA(t2, __VA_ARGS__)
#define PADDLE_COMPAT_EXTRA3(t1, t2, t3, ...) \
  PADDLE_COMPAT_EXTRA2(t1, t2, __VA_ARGS__) AT_DISPATCH_CASE_EXTRA(t3, __VA_ARGS__)
#define PADDLE_COMPAT_EXTRA4(t1, t2, t3, t4, ...) \
  PADDLE_COMPAT_EXTRA3(t1, t2, t3, __VA_ARGS__) AT_DISPATCH_CASE_EXTRA(t4, __VA_ARGS__)
#define PADDLE_COMPAT_EXTRA5(t1, t2, t3, t4, t5, ...) \
  PADDLE_COMPAT_EXTRA4(t1, t2, t3, t4, __VA_ARGS__) AT_DISPATCH_CASE_EXTRA(t5, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES_AND(t1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                            \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) PADDLE_COMPAT_EXTRA1(t1, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(t1, t2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                 \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) PADDLE_COMPAT_EXTRA2(t1, t2, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND3(t1, t2, t3, TYPE, NAME, ...)        \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA3(t1, t2, t3, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND4(t1, t2, t3, t4, TYPE, NAME, ...)    \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA4(t1, t2, t3, t4, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES_AND(t1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                            \
                     AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) PADDLE_COMPAT_EXTRA1(t1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(t1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                       \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) PADDLE_COMPAT_EXTRA1(t1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(t1, t2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                            \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) PADDLE_COMPAT_EXTRA2(t1, t2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(t1, t2, t3, TYPE, NAME, ...)        \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA3(t1, t2, t3, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND4(t1, t2, t3, t4, TYPE, NAME, ...)    \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA4(t1, t2, t3, t4, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(t1, TYPE, NAME, ...)                  \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA1(t1, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(t1, t2, TYPE, NAME, ...)              \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA2(t1, t2, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(t1, t2, t3, TYPE, NAME, ...)          \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA3(t1, t2, t3, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(t1, TYPE, NAME, ...)                   \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA1(t1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(t1, t2, TYPE, NAME, ...)              \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA2(t1, t2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(t1, t2, t3, TYPE, NAME, ...)          \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA3(t1, t2, t3, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(t1, t2, t3, t4, TYPE, NAME, ...)      \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA4(t1, t2, t3, t4, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND5(t1, t2, t3, t4, t5, TYPE, NAME, ...)  \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__) \
                                     PADDLE_COMPAT_EXTRA5(t1, t2, t3, t4, t5, __VA_ARGS__))

#define AT_PRIVATE_CASE_INDEX(type, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(type, index_t, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                    \
                     AT_PRIVATE_CASE_INDEX(::c10::ScalarType::Int, __VA_ARGS__)     \
                         AT_PRIVATE_CASE_INDEX(::c10::ScalarType::Long, __VA_ARGS__))
