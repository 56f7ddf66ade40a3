// Check macros of the upstream framework that the target's compat headers lack, on top of those they have.
#pragma once
#include <c10/util/Exception.h>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace paddle_compat {

// What the macros below print: every argument, one behind the other.
template <class... Args>
inline std::string str(const Args&... args) {
  std::ostringstream out;
  (void)(out << ... << args);
  return out.str();
}

template <class... Args>
[[noreturn]] inline void fail(const char* file, int line, const Args&... args) {
  throw std::runtime_error(str(args..., " [", file, ":", line, "]"));
}

template <class... Args>
inline void warn(const char* file, int line, const Args&... args) {
  std::cerr << str("Warning: ", args..., " [", file, ":", line, "]") << std::endl;
}

}  // namespace paddle_compat

#ifndef AT_ERROR
#define AT_ERROR(...) ::paddle_compat::fail(__FILE__, __LINE__, ##__VA_ARGS__)
#endif
#ifndef AT_ASSERTM
#define AT_ASSERTM(cond, ...)                                                             \
  do {                                                                                    \
    if (!(cond)) ::paddle_compat::fail(__FILE__, __LINE__, "Expected " #cond ". ", ##__VA_ARGS__); \
  } while (false)
#endif
#ifndef AT_ASSERT
#define AT_ASSERT(...) AT_ASSERT_FIRST(__VA_ARGS__, "")
#define AT_ASSERT_FIRST(cond, ...) AT_ASSERTM(cond, __VA_ARGS__)
#endif
#ifndef AT_CHECK
#define AT_CHECK(cond, ...) AT_ASSERTM(cond, ##__VA_ARGS__)
#endif
#ifndef TORCH_WARN
#define TORCH_WARN(...) ::paddle_compat::warn(__FILE__, __LINE__, ##__VA_ARGS__)
#endif
#ifndef TORCH_WARN_ONCE
#define TORCH_WARN_ONCE(...)                                                          \
  do {                                                                                \
    static const bool paddle_compat_warned = (TORCH_WARN(__VA_ARGS__), true);         \
    (void)paddle_compat_warned;                                                       \
  } while (false)
#endif
#ifndef AT_WARN
#define AT_WARN(...) TORCH_WARN(__VA_ARGS__)
#endif
#ifndef TORCH_INTERNAL_ASSERT_DEBUG_ONLY
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) \
  do {                                        \
    if (false) AT_ASSERT(__VA_ARGS__);        \
  } while (false)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) AT_ASSERT(__VA_ARGS__)
#endif
#endif
#ifndef STD_TORCH_CHECK
#define STD_TORCH_CHECK(cond, ...) AT_ASSERTM(cond, ##__VA_ARGS__)
#endif
// The typed checks raise the exception that Python sees as the upstream type.
#ifndef TORCH_CHECK_INDEX
#define TORCH_CHECK_INDEX(cond, ...)                                             \
  do {                                                                           \
    if (!(cond)) throw std::out_of_range(::paddle_compat::str("", ##__VA_ARGS__)); \
  } while (false)
#endif
#ifndef TORCH_CHECK_VALUE
#define TORCH_CHECK_VALUE(cond, ...)                                                  \
  do {                                                                                \
    if (!(cond)) throw std::invalid_argument(::paddle_compat::str("", ##__VA_ARGS__)); \
  } while (false)
#endif
#ifndef TORCH_CHECK_TYPE
#define TORCH_CHECK_TYPE(cond, ...) AT_ASSERTM(cond, ##__VA_ARGS__)
#endif
#ifndef TORCH_CHECK_NOT_IMPLEMENTED
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) AT_ASSERTM(cond, ##__VA_ARGS__)
#endif
#ifndef TORCH_CHECK_ARG
#define TORCH_CHECK_ARG(cond, n, ...) AT_ASSERTM(cond, "argument ", n, ": ", ##__VA_ARGS__)
#endif
