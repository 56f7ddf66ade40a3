// at::opmath_type: the type that arithmetic on T is done in.
#pragma once
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

namespace at {

template <class T>
struct OpMathType {
  using type = T;
};
template <>
struct OpMathType<c10::Half> {
  using type = float;
};
template <>
struct OpMathType<c10::BFloat16> {
  using type = float;
};

template <class T>
using opmath_type = typename OpMathType<T>::type;

}  // namespace at
