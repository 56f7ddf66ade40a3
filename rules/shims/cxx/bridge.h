// Members, functions and operators of the upstream tensor class that the target's compat headers lack, on the
// target's own operators. Only the sections a source needs are copied; a section begins with a line
// "//@ KIND NAME [needs SECTION ...]". Members become functions with the tensor as first argument.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "paddle/phi/api/include/api.h"

namespace paddle_compat {

inline paddle::Tensor inner(const at::Tensor& t) { return t._PD_GetInner(); }

inline std::vector<paddle::Tensor> inner(at::ArrayRef<at::Tensor> list) {
  std::vector<paddle::Tensor> out;
  for (const at::Tensor& t : list) out.push_back(t._PD_GetInner());
  return out;
}

inline int64_t wrap(int64_t dim, int64_t rank) {
  const int64_t n = rank ? rank : 1;
  TORCH_CHECK(dim >= -n && dim < n, "Dimension out of range: ", dim, " of ", rank)
  return dim < 0 ? dim + n : dim;
}

inline phi::DataType phi_type(at::ScalarType type) { return compat::_PD_AtenScalarTypeToPhiDataType(type); }

inline at::Tensor cast(const at::Tensor& t, at::ScalarType type) {
  return t.scalar_type() == type ? t : at::Tensor(paddle::experimental::cast(inner(t), phi_type(type)));
}

// The type two operands are computed in: a floating type beats an integer, complex beats both, else the wider.
inline at::ScalarType promote(at::ScalarType a, at::ScalarType b) {
  const auto rank = [](at::ScalarType t) {
    if (c10::isComplexType(t)) return 4;
    if (c10::isFloatingType(t)) return 3;
    return t == at::ScalarType::Bool ? 1 : 2;
  };
  if (a == b) return a;
  if (rank(a) != rank(b)) return rank(a) > rank(b) ? a : b;
  const size_t size_a = c10::elementSize(a), size_b = c10::elementSize(b);
  if (size_a != size_b) return size_a > size_b ? a : b;
  return c10::isFloatingType(a) ? at::ScalarType::Float : at::ScalarType::Short;
}

inline bool is_fraction(const at::Scalar& s) {
  return s.dtype() == phi::DataType::FLOAT32 || s.dtype() == phi::DataType::FLOAT64;
}

// A number as an operand: it takes the tensor's type, but a fraction makes an integer tensor floating.
inline at::ScalarType scalar_result(const at::Tensor& t, const at::Scalar& s) {
  const at::ScalarType type = t.scalar_type();
  if (is_fraction(s) && c10::isIntegralType(type, true)) return at::ScalarType::Float;
  return type == at::ScalarType::Bool ? at::ScalarType::Long : type;
}

inline paddle::Tensor number(const at::Scalar& s, at::ScalarType type, const at::Tensor& like) {
  return paddle::experimental::full({}, s, phi_type(type), like._PD_GetInner().place());
}

// Both operands of `a op b` in their common type.
struct operands {
  paddle::Tensor a, b;
  operands(const at::Tensor& x, const at::Tensor& y) {
    const at::ScalarType type = promote(x.scalar_type(), y.scalar_type());
    a = inner(cast(x, type));
    b = inner(cast(y, type));
  }
  operands(const at::Tensor& x, const at::Scalar& y) {
    const at::ScalarType type = scalar_result(x, y);
    a = inner(cast(x, type));
    b = number(y, type, x);
  }
};

// The right operand of an in-place operation, in the type of the left one.
inline paddle::Tensor right(const at::Tensor& x, const at::Tensor& y) { return inner(cast(y, x.scalar_type())); }
inline paddle::Tensor right(const at::Tensor& x, const at::Scalar& y) { return number(y, x.scalar_type(), x); }

}  // namespace paddle_compat

//@ member add
namespace paddle_compat {
inline at::Tensor add(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::add(o.a, o.b);
}
inline at::Tensor add(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::add(o.a, o.b);
}
inline at::Tensor add(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  const operands o(self, other);
  return paddle::experimental::add(o.a, paddle::experimental::scale(o.b, alpha));
}
}  // namespace paddle_compat

//@ member add_
namespace paddle_compat {
template <class Other>
inline at::Tensor& add_(const at::Tensor& self, const Other& other) {
  paddle::Tensor t = inner(self);
  paddle::experimental::add_(t, right(self, other));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ free add needs add
namespace at {
using paddle_compat::add;
}  // namespace at
namespace torch {
using at::add;
}  // namespace torch

//@ operator operator+ needs add
namespace at {
inline Tensor operator+(const Tensor& a, const Tensor& b) { return paddle_compat::add(a, b); }
inline Tensor operator+(const Tensor& a, const Scalar& b) { return paddle_compat::add(a, b); }
inline Tensor operator+(const Scalar& a, const Tensor& b) {
  return paddle_compat::add(at::Tensor(paddle_compat::number(a, paddle_compat::scalar_result(b, a), b)), b);
}
}  // namespace at

//@ operator operator+= needs add_
namespace at {
inline Tensor& operator+=(Tensor& a, const Tensor& b) { return paddle_compat::add_(a, b); }
inline Tensor& operator+=(Tensor& a, const Scalar& b) { return paddle_compat::add_(a, b); }
inline Tensor operator+=(Tensor&& a, const Tensor& b) { return paddle_compat::add_(a, b); }
inline Tensor operator+=(Tensor&& a, const Scalar& b) { return paddle_compat::add_(a, b); }
}  // namespace at

//@ member sub
namespace paddle_compat {
inline at::Tensor sub(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::subtract(o.a, o.b);
}
inline at::Tensor sub(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::subtract(o.a, o.b);
}
inline at::Tensor sub(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  const operands o(self, other);
  return paddle::experimental::subtract(o.a, paddle::experimental::scale(o.b, alpha));
}
}  // namespace paddle_compat

//@ member sub_
namespace paddle_compat {
template <class Other>
inline at::Tensor& sub_(const at::Tensor& self, const Other& other) {
  paddle::Tensor t = inner(self);
  paddle::experimental::subtract_(t, right(self, other));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ free sub needs sub
namespace at {
using paddle_compat::sub;
}  // namespace at
namespace torch {
using at::sub;
}  // namespace torch

//@ operator operator- needs sub
namespace at {
inline Tensor operator-(const Tensor& a, const Tensor& b) { return paddle_compat::sub(a, b); }
inline Tensor operator-(const Tensor& a, const Scalar& b) { return paddle_compat::sub(a, b); }
inline Tensor operator-(const Scalar& a, const Tensor& b) {
  return paddle_compat::sub(at::Tensor(paddle_compat::number(a, paddle_compat::scalar_result(b, a), b)), b);
}
}  // namespace at

//@ operator operator-= needs sub_
namespace at {
inline Tensor& operator-=(Tensor& a, const Tensor& b) { return paddle_compat::sub_(a, b); }
inline Tensor& operator-=(Tensor& a, const Scalar& b) { return paddle_compat::sub_(a, b); }
inline Tensor operator-=(Tensor&& a, const Tensor& b) { return paddle_compat::sub_(a, b); }
inline Tensor operator-=(Tensor&& a, const Scalar& b) { return paddle_compat::sub_(a, b); }
}  // namespace at

//@ member mul
namespace paddle_compat {
inline at::Tensor mul(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::multiply(o.a, o.b);
}
inline at::Tensor mul(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::multiply(o.a, o.b);
}
}  // namespace paddle_compat

//@ member mul_
namespace paddle_compat {
template <class Other>
inline at::Tensor& mul_(const at::Tensor& self, const Other& other) {
  paddle::Tensor t = inner(self);
  paddle::experimental::multiply_(t, right(self, other));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ free mul needs mul
namespace at {
using paddle_compat::mul;
}  // namespace at
namespace torch {
using at::mul;
}  // namespace torch

//@ operator operator* needs mul
namespace at {
inline Tensor operator*(const Tensor& a, const Tensor& b) { return paddle_compat::mul(a, b); }
inline Tensor operator*(const Tensor& a, const Scalar& b) { return paddle_compat::mul(a, b); }
inline Tensor operator*(const Scalar& a, const Tensor& b) {
  return paddle_compat::mul(at::Tensor(paddle_compat::number(a, paddle_compat::scalar_result(b, a), b)), b);
}
}  // namespace at

//@ operator operator*= needs mul_
namespace at {
inline Tensor& operator*=(Tensor& a, const Tensor& b) { return paddle_compat::mul_(a, b); }
inline Tensor& operator*=(Tensor& a, const Scalar& b) { return paddle_compat::mul_(a, b); }
inline Tensor operator*=(Tensor&& a, const Tensor& b) { return paddle_compat::mul_(a, b); }
inline Tensor operator*=(Tensor&& a, const Scalar& b) { return paddle_compat::mul_(a, b); }
}  // namespace at

//@ member div
namespace paddle_compat {
inline paddle::Tensor quotient(const operands& o) {
  const at::ScalarType type = at::Tensor(o.a).scalar_type();
  if (!c10::isIntegralType(type, true)) return paddle::experimental::divide(o.a, o.b);
  return paddle::experimental::divide(inner(cast(o.a, at::ScalarType::Float)), inner(cast(o.b, at::ScalarType::Float)));
}
inline at::Tensor div(const at::Tensor& self, const at::Tensor& other) { return quotient(operands(self, other)); }
inline at::Tensor div(const at::Tensor& self, const at::Scalar& other) { return quotient(operands(self, other)); }
}  // namespace paddle_compat

//@ member div_
namespace paddle_compat {
template <class Other>
inline at::Tensor& div_(const at::Tensor& self, const Other& other) {
  paddle::Tensor t = inner(self);
  paddle::experimental::divide_(t, right(self, other));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ free div needs div
namespace at {
using paddle_compat::div;
}  // namespace at
namespace torch {
using at::div;
}  // namespace torch

//@ operator operator/ needs div
namespace at {
inline Tensor operator/(const Tensor& a, const Tensor& b) { return paddle_compat::div(a, b); }
inline Tensor operator/(const Tensor& a, const Scalar& b) { return paddle_compat::div(a, b); }
inline Tensor operator/(const Scalar& a, const Tensor& b) {
  return paddle_compat::div(at::Tensor(paddle_compat::number(a, paddle_compat::scalar_result(b, a), b)), b);
}
}  // namespace at

//@ operator operator/= needs div_
namespace at {
inline Tensor& operator/=(Tensor& a, const Tensor& b) { return paddle_compat::div_(a, b); }
inline Tensor& operator/=(Tensor& a, const Scalar& b) { return paddle_compat::div_(a, b); }
inline Tensor operator/=(Tensor&& a, const Tensor& b) { return paddle_compat::div_(a, b); }
inline Tensor operator/=(Tensor&& a, const Scalar& b) { return paddle_compat::div_(a, b); }
}  // namespace at

//@ member true_divide needs div
namespace paddle_compat {
inline at::Tensor true_divide(const at::Tensor& self, const at::Tensor& other) { return div(self, other); }
inline at::Tensor true_divide(const at::Tensor& self, const at::Scalar& other) { return div(self, other); }
}  // namespace paddle_compat

//@ member neg
namespace paddle_compat {
inline at::Tensor neg(const at::Tensor& self) { return paddle::experimental::scale(inner(self), -1); }
}  // namespace paddle_compat

//@ operator operator-unary needs neg
namespace at {
inline Tensor operator-(const Tensor& a) { return paddle_compat::neg(a); }
}  // namespace at

//@ member eq
namespace paddle_compat {
inline at::Tensor eq(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::equal(o.a, o.b);
}
inline at::Tensor eq(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::equal(o.a, o.b);
}
}  // namespace paddle_compat

//@ free eq needs eq
namespace at {
using paddle_compat::eq;
}  // namespace at
namespace torch {
using at::eq;
}  // namespace torch

//@ operator operator== needs eq
namespace at {
inline Tensor operator==(const Tensor& a, const Tensor& b) { return paddle_compat::eq(a, b); }
inline Tensor operator==(const Tensor& a, const Scalar& b) { return paddle_compat::eq(a, b); }
}  // namespace at

//@ member ne
namespace paddle_compat {
inline at::Tensor ne(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::not_equal(o.a, o.b);
}
inline at::Tensor ne(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::not_equal(o.a, o.b);
}
}  // namespace paddle_compat

//@ free ne needs ne
namespace at {
using paddle_compat::ne;
}  // namespace at
namespace torch {
using at::ne;
}  // namespace torch

//@ operator operator!= needs ne
namespace at {
inline Tensor operator!=(const Tensor& a, const Tensor& b) { return paddle_compat::ne(a, b); }
inline Tensor operator!=(const Tensor& a, const Scalar& b) { return paddle_compat::ne(a, b); }
}  // namespace at

//@ member lt
namespace paddle_compat {
inline at::Tensor lt(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::less_than(o.a, o.b);
}
inline at::Tensor lt(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::less_than(o.a, o.b);
}
}  // namespace paddle_compat

//@ free lt needs lt
namespace at {
using paddle_compat::lt;
}  // namespace at
namespace torch {
using at::lt;
}  // namespace torch

//@ operator operator< needs lt
namespace at {
inline Tensor operator<(const Tensor& a, const Tensor& b) { return paddle_compat::lt(a, b); }
inline Tensor operator<(const Tensor& a, const Scalar& b) { return paddle_compat::lt(a, b); }
}  // namespace at

//@ member gt
namespace paddle_compat {
inline at::Tensor gt(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::greater_than(o.a, o.b);
}
inline at::Tensor gt(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::greater_than(o.a, o.b);
}
}  // namespace paddle_compat

//@ free gt needs gt
namespace at {
using paddle_compat::gt;
}  // namespace at
namespace torch {
using at::gt;
}  // namespace torch

//@ operator operator> needs gt
namespace at {
inline Tensor operator>(const Tensor& a, const Tensor& b) { return paddle_compat::gt(a, b); }
inline Tensor operator>(const Tensor& a, const Scalar& b) { return paddle_compat::gt(a, b); }
}  // namespace at

//@ member le
namespace paddle_compat {
inline at::Tensor le(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::less_equal(o.a, o.b);
}
inline at::Tensor le(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::less_equal(o.a, o.b);
}
}  // namespace paddle_compat

//@ free le needs le
namespace at {
using paddle_compat::le;
}  // namespace at
namespace torch {
using at::le;
}  // namespace torch

//@ operator operator<= needs le
namespace at {
inline Tensor operator<=(const Tensor& a, const Tensor& b) { return paddle_compat::le(a, b); }
inline Tensor operator<=(const Tensor& a, const Scalar& b) { return paddle_compat::le(a, b); }
}  // namespace at

//@ member ge
namespace paddle_compat {
inline at::Tensor ge(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::greater_equal(o.a, o.b);
}
inline at::Tensor ge(const at::Tensor& self, const at::Scalar& other) {
  const operands o(self, other);
  return paddle::experimental::greater_equal(o.a, o.b);
}
}  // namespace paddle_compat

//@ free ge needs ge
namespace at {
using paddle_compat::ge;
}  // namespace at
namespace torch {
using at::ge;
}  // namespace torch

//@ operator operator>= needs ge
namespace at {
inline Tensor operator>=(const Tensor& a, const Tensor& b) { return paddle_compat::ge(a, b); }
inline Tensor operator>=(const Tensor& a, const Scalar& b) { return paddle_compat::ge(a, b); }
}  // namespace at

//@ member exp
namespace paddle_compat {
inline at::Tensor exp(const at::Tensor& self) { return paddle::experimental::exp(inner(self)); }
}  // namespace paddle_compat

//@ free exp needs exp
namespace at {
using paddle_compat::exp;
}  // namespace at
namespace torch {
using at::exp;
}  // namespace torch

//@ member log
namespace paddle_compat {
inline at::Tensor log(const at::Tensor& self) { return paddle::experimental::log(inner(self)); }
}  // namespace paddle_compat

//@ free log needs log
namespace at {
using paddle_compat::log;
}  // namespace at
namespace torch {
using at::log;
}  // namespace torch

//@ member log2
namespace paddle_compat {
inline at::Tensor log2(const at::Tensor& self) { return paddle::experimental::log2(inner(self)); }
}  // namespace paddle_compat

//@ free log2 needs log2
namespace at {
using paddle_compat::log2;
}  // namespace at
namespace torch {
using at::log2;
}  // namespace torch

//@ member log1p
namespace paddle_compat {
inline at::Tensor log1p(const at::Tensor& self) { return paddle::experimental::log1p(inner(self)); }
}  // namespace paddle_compat

//@ free log1p needs log1p
namespace at {
using paddle_compat::log1p;
}  // namespace at
namespace torch {
using at::log1p;
}  // namespace torch

//@ member sqrt
namespace paddle_compat {
inline at::Tensor sqrt(const at::Tensor& self) { return paddle::experimental::sqrt(inner(self)); }
}  // namespace paddle_compat

//@ free sqrt needs sqrt
namespace at {
using paddle_compat::sqrt;
}  // namespace at
namespace torch {
using at::sqrt;
}  // namespace torch

//@ member rsqrt
namespace paddle_compat {
inline at::Tensor rsqrt(const at::Tensor& self) { return paddle::experimental::rsqrt(inner(self)); }
}  // namespace paddle_compat

//@ free rsqrt needs rsqrt
namespace at {
using paddle_compat::rsqrt;
}  // namespace at
namespace torch {
using at::rsqrt;
}  // namespace torch

//@ member ceil
namespace paddle_compat {
inline at::Tensor ceil(const at::Tensor& self) { return paddle::experimental::ceil(inner(self)); }
}  // namespace paddle_compat

//@ free ceil needs ceil
namespace at {
using paddle_compat::ceil;
}  // namespace at
namespace torch {
using at::ceil;
}  // namespace torch

//@ member floor
namespace paddle_compat {
inline at::Tensor floor(const at::Tensor& self) { return paddle::experimental::floor(inner(self)); }
}  // namespace paddle_compat

//@ free floor needs floor
namespace at {
using paddle_compat::floor;
}  // namespace at
namespace torch {
using at::floor;
}  // namespace torch

//@ member sigmoid
namespace paddle_compat {
inline at::Tensor sigmoid(const at::Tensor& self) { return paddle::experimental::sigmoid(inner(self)); }
}  // namespace paddle_compat

//@ free sigmoid needs sigmoid
namespace at {
using paddle_compat::sigmoid;
}  // namespace at
namespace torch {
using at::sigmoid;
}  // namespace torch

//@ member tanh
namespace paddle_compat {
inline at::Tensor tanh(const at::Tensor& self) { return paddle::experimental::tanh(inner(self)); }
}  // namespace paddle_compat

//@ free tanh needs tanh
namespace at {
using paddle_compat::tanh;
}  // namespace at
namespace torch {
using at::tanh;
}  // namespace torch

//@ member sin
namespace paddle_compat {
inline at::Tensor sin(const at::Tensor& self) { return paddle::experimental::sin(inner(self)); }
}  // namespace paddle_compat

//@ free sin needs sin
namespace at {
using paddle_compat::sin;
}  // namespace at
namespace torch {
using at::sin;
}  // namespace torch

//@ member cos
namespace paddle_compat {
inline at::Tensor cos(const at::Tensor& self) { return paddle::experimental::cos(inner(self)); }
}  // namespace paddle_compat

//@ free cos needs cos
namespace at {
using paddle_compat::cos;
}  // namespace at
namespace torch {
using at::cos;
}  // namespace torch

//@ member erf
namespace paddle_compat {
inline at::Tensor erf(const at::Tensor& self) { return paddle::experimental::erf(inner(self)); }
}  // namespace paddle_compat

//@ free erf needs erf
namespace at {
using paddle_compat::erf;
}  // namespace at
namespace torch {
using at::erf;
}  // namespace torch

//@ member isnan
namespace paddle_compat {
inline at::Tensor isnan(const at::Tensor& self) { return paddle::experimental::isnan(inner(self)); }
}  // namespace paddle_compat

//@ free isnan needs isnan
namespace at {
using paddle_compat::isnan;
}  // namespace at
namespace torch {
using at::isnan;
}  // namespace torch

//@ member isinf
namespace paddle_compat {
inline at::Tensor isinf(const at::Tensor& self) { return paddle::experimental::isinf(inner(self)); }
}  // namespace paddle_compat

//@ free isinf needs isinf
namespace at {
using paddle_compat::isinf;
}  // namespace at
namespace torch {
using at::isinf;
}  // namespace torch

//@ member relu
namespace paddle_compat {
inline at::Tensor relu(const at::Tensor& self) { return paddle::experimental::relu(inner(self)); }
}  // namespace paddle_compat

//@ free relu needs relu
namespace at {
using paddle_compat::relu;
}  // namespace at
namespace torch {
using at::relu;
}  // namespace torch

//@ member abs
namespace paddle_compat {
inline at::Tensor abs(const at::Tensor& self) { return paddle::experimental::abs(inner(self)); }
}  // namespace paddle_compat

//@ member round
namespace paddle_compat {
inline at::Tensor round(const at::Tensor& self) { return paddle::experimental::round(inner(self)); }
}  // namespace paddle_compat

//@ free round needs round
namespace at {
using paddle_compat::round;
}  // namespace at
namespace torch {
using at::round;
}  // namespace torch

//@ member exp_
namespace paddle_compat {
inline at::Tensor& exp_(const at::Tensor& self) {
  paddle::Tensor t = inner(self);
  paddle::experimental::exp_(t);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member sqrt_
namespace paddle_compat {
inline at::Tensor& sqrt_(const at::Tensor& self) {
  paddle::Tensor t = inner(self);
  paddle::experimental::sqrt_(t);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member ceil_
namespace paddle_compat {
inline at::Tensor& ceil_(const at::Tensor& self) {
  paddle::Tensor t = inner(self);
  paddle::experimental::ceil_(t);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member floor_
namespace paddle_compat {
inline at::Tensor& floor_(const at::Tensor& self) {
  paddle::Tensor t = inner(self);
  paddle::experimental::floor_(t);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member relu_
namespace paddle_compat {
inline at::Tensor& relu_(const at::Tensor& self) {
  paddle::Tensor t = inner(self);
  paddle::experimental::relu_(t);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member pow
namespace paddle_compat {
inline at::Tensor pow(const at::Tensor& self, const at::Scalar& exponent) {
  return paddle::experimental::pow(inner(cast(self, scalar_result(self, exponent))), exponent);
}
}  // namespace paddle_compat

//@ free pow needs pow
namespace at {
using paddle_compat::pow;
}  // namespace at
namespace torch {
using at::pow;
}  // namespace torch

//@ member pow_
namespace paddle_compat {
inline at::Tensor& pow_(const at::Tensor& self, const at::Scalar& exponent) {
  paddle::Tensor t = inner(self);
  paddle::experimental::pow_(t, exponent);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member clamp
namespace paddle_compat {
inline at::Tensor clamp(const at::Tensor& self, const std::optional<at::Scalar>& min,
                        const std::optional<at::Scalar>& max = std::nullopt) {
  at::Tensor out = self;
  if (min) {
    const operands o(out, *min);
    out = paddle::experimental::maximum(o.a, o.b);
  }
  if (max) {
    const operands o(out, *max);
    out = paddle::experimental::minimum(o.a, o.b);
  }
  return out;
}
}  // namespace paddle_compat

//@ free clamp needs clamp
namespace at {
using paddle_compat::clamp;
}  // namespace at
namespace torch {
using at::clamp;
}  // namespace torch

//@ member clamp_min
namespace paddle_compat {
inline at::Tensor clamp_min(const at::Tensor& self, const at::Scalar& bound) {
  const operands o(self, bound);
  return paddle::experimental::maximum(o.a, o.b);
}
}  // namespace paddle_compat

//@ member clamp_max
namespace paddle_compat {
inline at::Tensor clamp_max(const at::Tensor& self, const at::Scalar& bound) {
  const operands o(self, bound);
  return paddle::experimental::minimum(o.a, o.b);
}
}  // namespace paddle_compat

//@ free maximum
namespace at {
inline Tensor maximum(const Tensor& a, const Tensor& b) {
  const paddle_compat::operands o(a, b);
  return paddle::experimental::maximum(o.a, o.b);
}
}  // namespace at
namespace torch {
using at::maximum;
}  // namespace torch

//@ free minimum
namespace at {
inline Tensor minimum(const Tensor& a, const Tensor& b) {
  const paddle_compat::operands o(a, b);
  return paddle::experimental::minimum(o.a, o.b);
}
}  // namespace at
namespace torch {
using at::minimum;
}  // namespace torch

//@ member sum
namespace paddle_compat {
inline at::Tensor sum(const at::Tensor& self, std::optional<at::ScalarType> dtype = std::nullopt) {
  const at::ScalarType type = self.scalar_type();
  const at::ScalarType result = dtype ? *dtype : c10::isIntegralType(type, true) ? at::ScalarType::Long : type;
  return paddle::experimental::sum(inner(self), {}, phi_type(result), false);
}
inline at::Tensor sum(const at::Tensor& self, at::IntArrayRef dim, bool keepdim = false,
                      std::optional<at::ScalarType> dtype = std::nullopt) {
  const at::ScalarType type = self.scalar_type();
  const at::ScalarType result = dtype ? *dtype : c10::isIntegralType(type, true) ? at::ScalarType::Long : type;
  return paddle::experimental::sum(inner(self), dim.vec(), phi_type(result), keepdim);
}
inline at::Tensor sum(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  return sum(self, at::IntArrayRef(dim), keepdim);
}
}  // namespace paddle_compat

//@ member mean
namespace paddle_compat {
inline at::Tensor mean(const at::Tensor& self) { return paddle::experimental::mean(inner(self), {}, false); }
inline at::Tensor mean(const at::Tensor& self, at::IntArrayRef dim, bool keepdim = false) {
  return paddle::experimental::mean(inner(self), dim.vec(), keepdim);
}
inline at::Tensor mean(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  return mean(self, at::IntArrayRef(dim), keepdim);
}
}  // namespace paddle_compat

//@ free mean needs mean
namespace at {
using paddle_compat::mean;
}  // namespace at
namespace torch {
using at::mean;
}  // namespace torch

//@ member max
namespace paddle_compat {
inline at::Tensor max(const at::Tensor& self) { return paddle::experimental::max(inner(self), {}, false); }
inline std::tuple<at::Tensor, at::Tensor> max(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  const int64_t d = wrap(dim, self.dim());
  return std::tuple<at::Tensor, at::Tensor>(
      paddle::experimental::max(inner(self), std::vector<int64_t>{d}, keepdim),
      paddle::experimental::argmax(inner(self), d, keepdim, false, phi::DataType::INT64));
}
inline at::Tensor max(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::maximum(o.a, o.b);
}
}  // namespace paddle_compat

//@ free max needs max
namespace at {
using paddle_compat::max;
}  // namespace at
namespace torch {
using at::max;
}  // namespace torch

//@ member argmax
namespace paddle_compat {
inline at::Tensor argmax(const at::Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false) {
  return paddle::experimental::argmax(inner(self), dim ? wrap(*dim, self.dim()) : 0, keepdim, !dim,
                                      phi::DataType::INT64);
}
}  // namespace paddle_compat

//@ free argmax needs argmax
namespace at {
using paddle_compat::argmax;
}  // namespace at
namespace torch {
using at::argmax;
}  // namespace torch

//@ member min
namespace paddle_compat {
inline at::Tensor min(const at::Tensor& self) { return paddle::experimental::min(inner(self), {}, false); }
inline std::tuple<at::Tensor, at::Tensor> min(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  const int64_t d = wrap(dim, self.dim());
  return std::tuple<at::Tensor, at::Tensor>(
      paddle::experimental::min(inner(self), std::vector<int64_t>{d}, keepdim),
      paddle::experimental::argmin(inner(self), d, keepdim, false, phi::DataType::INT64));
}
inline at::Tensor min(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::minimum(o.a, o.b);
}
}  // namespace paddle_compat

//@ free min needs min
namespace at {
using paddle_compat::min;
}  // namespace at
namespace torch {
using at::min;
}  // namespace torch

//@ member argmin
namespace paddle_compat {
inline at::Tensor argmin(const at::Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false) {
  return paddle::experimental::argmin(inner(self), dim ? wrap(*dim, self.dim()) : 0, keepdim, !dim,
                                      phi::DataType::INT64);
}
}  // namespace paddle_compat

//@ free argmin needs argmin
namespace at {
using paddle_compat::argmin;
}  // namespace at
namespace torch {
using at::argmin;
}  // namespace torch

//@ member any
namespace paddle_compat {
inline at::Tensor any(const at::Tensor& self) {
  return paddle::experimental::any(inner(cast(self, at::ScalarType::Bool)), {}, false);
}
inline at::Tensor any(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  return paddle::experimental::any(inner(cast(self, at::ScalarType::Bool)), {wrap(dim, self.dim())}, keepdim);
}
}  // namespace paddle_compat

//@ free any needs any
namespace at {
using paddle_compat::any;
}  // namespace at
namespace torch {
using at::any;
}  // namespace torch

//@ member all
namespace paddle_compat {
inline at::Tensor all(const at::Tensor& self) {
  return paddle::experimental::all(inner(cast(self, at::ScalarType::Bool)), {}, false);
}
inline at::Tensor all(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  return paddle::experimental::all(inner(cast(self, at::ScalarType::Bool)), {wrap(dim, self.dim())}, keepdim);
}
}  // namespace paddle_compat

//@ free all needs all
namespace at {
using paddle_compat::all;
}  // namespace at
namespace torch {
using at::all;
}  // namespace torch

//@ member cumsum
namespace paddle_compat {
inline at::Tensor cumsum(const at::Tensor& self, int64_t dim) {
  const bool whole = c10::isIntegralType(self.scalar_type(), true);
  return paddle::experimental::cumsum(inner(whole ? cast(self, at::ScalarType::Long) : self),
                                      wrap(dim, self.dim()), false, false, false);
}
}  // namespace paddle_compat

//@ free cumsum needs cumsum
namespace at {
using paddle_compat::cumsum;
}  // namespace at
namespace torch {
using at::cumsum;
}  // namespace torch

//@ member cumprod
namespace paddle_compat {
inline at::Tensor cumprod(const at::Tensor& self, int64_t dim) {
  const bool whole = c10::isIntegralType(self.scalar_type(), true);
  return paddle::experimental::cumprod(inner(whole ? cast(self, at::ScalarType::Long) : self),
                                       static_cast<int>(wrap(dim, self.dim())), false, false);
}
}  // namespace paddle_compat

//@ free cumprod needs cumprod
namespace at {
using paddle_compat::cumprod;
}  // namespace at
namespace torch {
using at::cumprod;
}  // namespace torch

//@ member t
namespace paddle_compat {
inline at::Tensor t(const at::Tensor& self) { return self.dim() < 2 ? self : self.transpose(0, 1); }
}  // namespace paddle_compat

//@ member narrow
namespace paddle_compat {
inline at::Tensor narrow(const at::Tensor& self, int64_t dim, int64_t start, int64_t length) {
  const int64_t d = wrap(dim, self.dim());
  const int64_t first = start < 0 ? start + self.size(d) : start;
  TORCH_CHECK(first >= 0 && length >= 0 && first + length <= self.size(d), "narrow: out of range")
  return paddle::experimental::slice(inner(self), {d}, std::vector<int64_t>{first},
                                     std::vector<int64_t>{first + length}, {1}, {});
}
}  // namespace paddle_compat

//@ member slice
namespace paddle_compat {
// Bounds count from the end where they are negative, a missing end is the last element, and the step counts.
inline at::Tensor slice(const at::Tensor& self, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
                        std::optional<int64_t> end = std::nullopt, int64_t step = 1) {
  const int64_t d = wrap(dim, self.dim()), n = self.size(d);
  const auto clip = [n](int64_t at) { return std::min(std::max<int64_t>(at < 0 ? at + n : at, 0), n); };
  const int64_t first = clip(start.value_or(0)), last = std::max(first, clip(end.value_or(n)));
  TORCH_CHECK(step > 0, "slice: the step must be positive")
  if (step == 1)
    return paddle::experimental::slice(inner(self), {d}, std::vector<int64_t>{first},
                                       std::vector<int64_t>{last}, {1}, {});
  return paddle::experimental::strided_slice(inner(self), {static_cast<int>(d)}, std::vector<int64_t>{first},
                                             std::vector<int64_t>{last}, std::vector<int64_t>{step});
}
}  // namespace paddle_compat

//@ member transpose
namespace paddle_compat {
inline at::Tensor transpose(const at::Tensor& self, int64_t a, int64_t b) {
  return self.transpose(wrap(a, self.dim()), wrap(b, self.dim()));
}
}  // namespace paddle_compat

//@ member to
namespace paddle_compat {
// Another type, another device, or both; the tensor itself where it has them already.
inline at::Tensor to(const at::Tensor& self, at::TensorOptions options, bool non_blocking = false,
                     bool copy = false) {
  at::Tensor out = options.has_dtype() ? cast(self, options.dtype()) : self;
  const auto place = out._PD_GetInner().place();
  if (options.has_device() && options._PD_GetPlace() != place)
    return paddle::experimental::copy_to(inner(out), options._PD_GetPlace(), !non_blocking);
  return copy && inner(out).impl() == inner(self).impl() ? out.clone() : out;
}
inline at::Tensor to(const at::Tensor& self, at::ScalarType type, bool non_blocking = false, bool copy = false) {
  return to(self, at::TensorOptions().dtype(type), non_blocking, copy);
}
inline at::Tensor to(const at::Tensor& self, at::Device device, bool non_blocking = false, bool copy = false) {
  return to(self, at::TensorOptions().device(device), non_blocking, copy);
}
inline at::Tensor to(const at::Tensor& self, at::DeviceType device, bool non_blocking = false,
                     bool copy = false) {
  return to(self, at::Device(device), non_blocking, copy);
}
inline at::Tensor to(const at::Tensor& self, at::Device device, at::ScalarType type, bool non_blocking = false,
                     bool copy = false) {
  return to(self, at::TensorOptions().device(device).dtype(type), non_blocking, copy);
}
inline at::Tensor to(const at::Tensor& self, const at::Tensor& other, bool non_blocking = false,
                     bool copy = false) {
  return to(self, other.options(), non_blocking, copy);
}
}  // namespace paddle_compat

//@ member select
namespace paddle_compat {
inline at::Tensor select(const at::Tensor& self, int64_t dim, int64_t index) {
  const int64_t d = wrap(dim, self.dim());
  const int64_t at = index < 0 ? index + self.size(d) : index;
  TORCH_CHECK(at >= 0 && at < self.size(d), "select: index out of range")
  return paddle::experimental::slice(inner(self), {d}, std::vector<int64_t>{at},
                                     std::vector<int64_t>{at + 1}, {1}, {d});
}
}  // namespace paddle_compat

//@ member expand
namespace paddle_compat {
inline at::Tensor expand(const at::Tensor& self, at::IntArrayRef size) {
  return paddle::experimental::expand(inner(self), size.vec());
}
}  // namespace paddle_compat

//@ member expand_as
namespace paddle_compat {
inline at::Tensor expand_as(const at::Tensor& self, const at::Tensor& other) {
  return paddle::experimental::expand(inner(self), other.sizes().vec());
}
}  // namespace paddle_compat

//@ member view_as
namespace paddle_compat {
inline at::Tensor view_as(const at::Tensor& self, const at::Tensor& other) { return self.view(other.sizes()); }
}  // namespace paddle_compat

//@ member reshape_as
namespace paddle_compat {
inline at::Tensor reshape_as(const at::Tensor& self, const at::Tensor& other) { return self.reshape(other.sizes()); }
}  // namespace paddle_compat

//@ member flatten
namespace paddle_compat {
inline at::Tensor flatten(const at::Tensor& self, int64_t start = 0, int64_t end = -1) {
  if (self.dim() == 0) return self.reshape({1});
  return paddle::experimental::flatten(inner(self), static_cast<int>(wrap(start, self.dim())),
                                       static_cast<int>(wrap(end, self.dim())));
}
}  // namespace paddle_compat

//@ member squeeze
namespace paddle_compat {
inline at::Tensor squeeze(const at::Tensor& self) { return paddle::experimental::squeeze(inner(self), std::vector<int64_t>{}); }
inline at::Tensor squeeze(const at::Tensor& self, int64_t dim) {
  return paddle::experimental::squeeze(inner(self), std::vector<int64_t>{wrap(dim, self.dim())});
}
}  // namespace paddle_compat

//@ member repeat
namespace paddle_compat {
inline at::Tensor repeat(const at::Tensor& self, at::IntArrayRef times) {
  return paddle::experimental::tile(inner(self), times.vec());
}
}  // namespace paddle_compat

//@ member flip
namespace paddle_compat {
inline at::Tensor flip(const at::Tensor& self, at::IntArrayRef dims) {
  std::vector<int> axes;
  for (const int64_t d : dims) axes.push_back(static_cast<int>(wrap(d, self.dim())));
  return paddle::experimental::flip(inner(self), axes);
}
}  // namespace paddle_compat

//@ member type_as
namespace paddle_compat {
inline at::Tensor type_as(const at::Tensor& self, const at::Tensor& other) { return cast(self, other.scalar_type()); }
}  // namespace paddle_compat

//@ member is_floating_point
namespace paddle_compat {
inline bool is_floating_point(const at::Tensor& self) { return c10::isFloatingType(self.scalar_type()); }
}  // namespace paddle_compat

//@ member is_complex
namespace paddle_compat {
inline bool is_complex(const at::Tensor& self) { return c10::isComplexType(self.scalar_type()); }
}  // namespace paddle_compat

//@ member nelement
namespace paddle_compat {
inline int64_t nelement(const at::Tensor& self) { return self.numel(); }
}  // namespace paddle_compat

//@ member is_same_size
namespace paddle_compat {
inline bool is_same_size(const at::Tensor& self, const at::Tensor& other) { return self.sizes() == other.sizes(); }
}  // namespace paddle_compat

//@ member detach
namespace paddle_compat {
// Shares the data and takes no part in the gradient.
inline at::Tensor detach(const at::Tensor& self) {
  return at::Tensor(paddle::Tensor(inner(self).impl()));
}
}  // namespace paddle_compat

//@ member cpu
namespace paddle_compat {
inline at::Tensor cpu(const at::Tensor& self) {
  return self.is_cpu() ? self : at::Tensor(paddle::experimental::copy_to(inner(self), phi::CPUPlace(), true));
}
}  // namespace paddle_compat

//@ member item needs cpu
namespace paddle_compat {
// One element as a number of the host: item<T>(x).
template <class Number>
inline Number item(const at::Tensor& self) {
  TORCH_CHECK(self.numel() == 1, "item: the tensor has ", self.numel(), " elements")
  const at::Tensor one = cpu(self);
  switch (one.scalar_type()) {
    case at::ScalarType::Float: return static_cast<Number>(*one.data_ptr<float>());
    case at::ScalarType::Double: return static_cast<Number>(*one.data_ptr<double>());
    case at::ScalarType::Long: return static_cast<Number>(*one.data_ptr<int64_t>());
    case at::ScalarType::Int: return static_cast<Number>(*one.data_ptr<int>());
    case at::ScalarType::Bool: return static_cast<Number>(*one.data_ptr<bool>());
    default: return static_cast<Number>(*cast(one, at::ScalarType::Double).data_ptr<double>());
  }
}
// As a number that knows its type.
inline at::Scalar item(const at::Tensor& self) {
  const at::ScalarType type = self.scalar_type();
  if (type == at::ScalarType::Bool) return at::Scalar(item<bool>(self));
  return c10::isIntegralType(type, false) ? at::Scalar(item<int64_t>(self)) : at::Scalar(item<double>(self));
}
}  // namespace paddle_compat

//@ member masked_select
namespace paddle_compat {
inline at::Tensor masked_select(const at::Tensor& self, const at::Tensor& mask) {
  return paddle::experimental::masked_select(inner(self), inner(mask));
}
}  // namespace paddle_compat

//@ free masked_select needs masked_select
namespace at {
using paddle_compat::masked_select;
}  // namespace at
namespace torch {
using at::masked_select;
}  // namespace torch

//@ member masked_fill
namespace paddle_compat {
inline at::Tensor masked_fill(const at::Tensor& self, const at::Tensor& mask, const at::Scalar& value) {
  return paddle::experimental::masked_fill(inner(self), inner(mask), number(value, self.scalar_type(), self));
}
}  // namespace paddle_compat

//@ member masked_fill_
namespace paddle_compat {
inline at::Tensor& masked_fill_(const at::Tensor& self, const at::Tensor& mask, const at::Scalar& value) {
  paddle::Tensor t = inner(self);
  paddle::experimental::masked_fill_(t, inner(mask), number(value, self.scalar_type(), self));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member gather
namespace paddle_compat {
inline at::Tensor gather(const at::Tensor& self, int64_t dim, const at::Tensor& index) {
  return paddle::experimental::take_along_axis(inner(self), inner(index), static_cast<int>(wrap(dim, self.dim())));
}
}  // namespace paddle_compat

//@ free gather needs gather
namespace at {
using paddle_compat::gather;
}  // namespace at
namespace torch {
using at::gather;
}  // namespace torch

//@ member scatter_add_
namespace paddle_compat {
inline at::Tensor& scatter_add_(const at::Tensor& self, int64_t dim, const at::Tensor& index, const at::Tensor& src) {
  paddle::Tensor t = inner(self);
  paddle::experimental::put_along_axis_(t, inner(index), inner(src), static_cast<int>(wrap(dim, self.dim())), "add", true);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member scatter_
namespace paddle_compat {
inline at::Tensor& scatter_(const at::Tensor& self, int64_t dim, const at::Tensor& index, const at::Tensor& src) {
  paddle::Tensor t = inner(self);
  paddle::experimental::put_along_axis_(t, inner(index), inner(src), static_cast<int>(wrap(dim, self.dim())), "assign", true);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member nonzero
namespace paddle_compat {
inline at::Tensor nonzero(const at::Tensor& self) { return paddle::experimental::nonzero(inner(self)); }
}  // namespace paddle_compat

//@ free nonzero needs nonzero
namespace at {
using paddle_compat::nonzero;
}  // namespace at
namespace torch {
using at::nonzero;
}  // namespace torch

//@ member argsort
namespace paddle_compat {
inline at::Tensor argsort(const at::Tensor& self, int64_t dim = -1, bool descending = false) {
  return std::get<1>(paddle::experimental::argsort(inner(self), static_cast<int>(wrap(dim, self.dim())), descending, true));
}
}  // namespace paddle_compat

//@ free argsort needs argsort
namespace at {
using paddle_compat::argsort;
}  // namespace at
namespace torch {
using at::argsort;
}  // namespace torch

//@ member sort
namespace paddle_compat {
inline std::tuple<at::Tensor, at::Tensor> sort(const at::Tensor& self, int64_t dim = -1, bool descending = false) {
  const auto both = paddle::experimental::argsort(inner(self), static_cast<int>(wrap(dim, self.dim())), descending, true);
  return std::tuple<at::Tensor, at::Tensor>(std::get<0>(both), std::get<1>(both));
}
}  // namespace paddle_compat

//@ free sort needs sort
namespace at {
using paddle_compat::sort;
}  // namespace at
namespace torch {
using at::sort;
}  // namespace torch

//@ member topk
namespace paddle_compat {
inline std::tuple<at::Tensor, at::Tensor> topk(const at::Tensor& self, int64_t k, int64_t dim = -1, bool largest = true,
                                               bool sorted = true) {
  const auto both = paddle::experimental::topk(inner(self), k, static_cast<int>(wrap(dim, self.dim())), largest, sorted);
  return std::tuple<at::Tensor, at::Tensor>(std::get<0>(both), std::get<1>(both));
}
}  // namespace paddle_compat

//@ free topk needs topk
namespace at {
using paddle_compat::topk;
}  // namespace at
namespace torch {
using at::topk;
}  // namespace torch

//@ member matmul
namespace paddle_compat {
inline at::Tensor matmul(const at::Tensor& self, const at::Tensor& other) { return paddle::experimental::matmul(inner(self), inner(other)); }
}  // namespace paddle_compat

//@ free matmul needs matmul
namespace at {
using paddle_compat::matmul;
}  // namespace at
namespace torch {
using at::matmul;
}  // namespace torch

//@ member mm
namespace paddle_compat {
inline at::Tensor mm(const at::Tensor& self, const at::Tensor& other) { return paddle::experimental::matmul(inner(self), inner(other)); }
}  // namespace paddle_compat

//@ free mm needs mm
namespace at {
using paddle_compat::mm;
}  // namespace at
namespace torch {
using at::mm;
}  // namespace torch

//@ member bmm
namespace paddle_compat {
inline at::Tensor bmm(const at::Tensor& self, const at::Tensor& other) { return paddle::experimental::matmul(inner(self), inner(other)); }
}  // namespace paddle_compat

//@ free bmm needs bmm
namespace at {
using paddle_compat::bmm;
}  // namespace at
namespace torch {
using at::bmm;
}  // namespace torch

//@ member logical_and
namespace paddle_compat {
inline at::Tensor logical_and(const at::Tensor& self, const at::Tensor& other) {
  return paddle::experimental::logical_and(inner(self), inner(other));
}
}  // namespace paddle_compat

//@ free logical_and needs logical_and
namespace at {
using paddle_compat::logical_and;
}  // namespace at
namespace torch {
using at::logical_and;
}  // namespace torch

//@ member logical_or
namespace paddle_compat {
inline at::Tensor logical_or(const at::Tensor& self, const at::Tensor& other) {
  return paddle::experimental::logical_or(inner(self), inner(other));
}
}  // namespace paddle_compat

//@ free logical_or needs logical_or
namespace at {
using paddle_compat::logical_or;
}  // namespace at
namespace torch {
using at::logical_or;
}  // namespace torch

//@ member bitwise_and
namespace paddle_compat {
inline at::Tensor bitwise_and(const at::Tensor& self, const at::Tensor& other) {
  return paddle::experimental::bitwise_and(inner(self), inner(other));
}
}  // namespace paddle_compat

//@ free bitwise_and needs bitwise_and
namespace at {
using paddle_compat::bitwise_and;
}  // namespace at
namespace torch {
using at::bitwise_and;
}  // namespace torch

//@ member bitwise_or
namespace paddle_compat {
inline at::Tensor bitwise_or(const at::Tensor& self, const at::Tensor& other) {
  return paddle::experimental::bitwise_or(inner(self), inner(other));
}
}  // namespace paddle_compat

//@ free bitwise_or needs bitwise_or
namespace at {
using paddle_compat::bitwise_or;
}  // namespace at
namespace torch {
using at::bitwise_or;
}  // namespace torch

//@ member logical_not
namespace paddle_compat {
inline at::Tensor logical_not(const at::Tensor& self) { return paddle::experimental::logical_not(inner(self)); }
}  // namespace paddle_compat

//@ free logical_not needs logical_not
namespace at {
using paddle_compat::logical_not;
}  // namespace at
namespace torch {
using at::logical_not;
}  // namespace torch

//@ member equal needs item
namespace paddle_compat {
inline bool equal(const at::Tensor& self, const at::Tensor& other) {
  if (self.sizes() != other.sizes()) return false;
  return self.numel() == 0 || item<bool>(paddle::experimental::all(paddle::experimental::equal(inner(self), inner(other)), {}, false));
}
}  // namespace paddle_compat

//@ free equal needs equal
namespace at {
using paddle_compat::equal;
}  // namespace at
namespace torch {
using at::equal;
}  // namespace torch

//@ free stack
namespace at {
inline Tensor stack(ArrayRef<Tensor> tensors, int64_t dim = 0) {
  return paddle::experimental::stack(paddle_compat::inner(tensors), static_cast<int>(dim));
}
}  // namespace at
namespace torch {
using at::stack;
}  // namespace torch

//@ free where
namespace at {
inline Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  const paddle_compat::operands o(a, b);
  return paddle::experimental::where(paddle_compat::inner(condition), o.a, o.b);
}
}  // namespace at
namespace torch {
using at::where;
}  // namespace torch

//@ member options_like
namespace paddle_compat {
// What is not given is as the tensor's.
inline at::TensorOptions options_like(const at::Tensor& self, const at::TensorOptions& options) {
  return at::TensorOptions()
      .dtype(options.dtype_opt().value_or(self.scalar_type()))
      .device(options.device_opt().value_or(self.device()));
}
}  // namespace paddle_compat

//@ free full_like needs options_like
#include <ATen/ops/full.h>
namespace at {
inline Tensor full_like(const Tensor& self, const Scalar& value, const TensorOptions& options = {},
                        std::optional<MemoryFormat> = std::nullopt) {
  return at::full(self.sizes(), value, paddle_compat::options_like(self, options));
}
}  // namespace at
namespace torch {
using at::full_like;
}  // namespace torch

//@ free ones_like needs options_like
#include <ATen/ops/ones.h>
namespace at {
inline Tensor ones_like(const Tensor& self, const TensorOptions& options = {},
                        std::optional<MemoryFormat> = std::nullopt) {
  return at::ones(self.sizes(), paddle_compat::options_like(self, options));
}
}  // namespace at
namespace torch {
using at::ones_like;
}  // namespace torch

//@ free rand
namespace at {
inline Tensor rand(IntArrayRef size, TensorOptions options = {}) {
  return paddle::experimental::uniform(size.vec(), paddle_compat::phi_type(options.dtype()), 0.0, 1.0, 0,
                                       options._PD_GetPlace());
}
}  // namespace at
namespace torch {
using at::rand;
}  // namespace torch

//@ free randn
namespace at {
inline Tensor randn(IntArrayRef size, TensorOptions options = {}) {
  return paddle::experimental::gaussian(size.vec(), 0.0f, 1.0f, 0, paddle_compat::phi_type(options.dtype()),
                                        options._PD_GetPlace());
}
}  // namespace at
namespace torch {
using at::randn;
}  // namespace torch

//@ free randperm
namespace at {
inline Tensor randperm(int64_t n, TensorOptions options = {}) {
  const ScalarType type = options.has_dtype() ? options.dtype() : ScalarType::Long;
  return paddle::experimental::randperm(static_cast<int>(n), paddle_compat::phi_type(type), options._PD_GetPlace());
}
}  // namespace at
namespace torch {
using at::randperm;
}  // namespace torch

//@ free randint
namespace at {
inline Tensor randint(int64_t low, int64_t high, IntArrayRef size, TensorOptions options = {}) {
  const ScalarType type = options.has_dtype() ? options.dtype() : ScalarType::Long;
  return paddle::experimental::randint(static_cast<int>(low), static_cast<int>(high), size.vec(),
                                       paddle_compat::phi_type(type), options._PD_GetPlace());
}
inline Tensor randint(int64_t high, IntArrayRef size, TensorOptions options = {}) {
  return randint(0, high, size, options);
}
}  // namespace at
namespace torch {
using at::randint;
}  // namespace torch

//@ member tan
namespace paddle_compat {
inline at::Tensor tan(const at::Tensor& self) { return paddle::experimental::tan(inner(self)); }
}  // namespace paddle_compat

//@ free tan needs tan
namespace at {
using paddle_compat::tan;
}  // namespace at
namespace torch {
using at::tan;
}  // namespace torch

//@ member atan
namespace paddle_compat {
inline at::Tensor atan(const at::Tensor& self) { return paddle::experimental::atan(inner(self)); }
}  // namespace paddle_compat

//@ free atan needs atan
namespace at {
using paddle_compat::atan;
}  // namespace at
namespace torch {
using at::atan;
}  // namespace torch

//@ member asin
namespace paddle_compat {
inline at::Tensor asin(const at::Tensor& self) { return paddle::experimental::asin(inner(self)); }
}  // namespace paddle_compat

//@ free asin needs asin
namespace at {
using paddle_compat::asin;
}  // namespace at
namespace torch {
using at::asin;
}  // namespace torch

//@ member acos
namespace paddle_compat {
inline at::Tensor acos(const at::Tensor& self) { return paddle::experimental::acos(inner(self)); }
}  // namespace paddle_compat

//@ free acos needs acos
namespace at {
using paddle_compat::acos;
}  // namespace at
namespace torch {
using at::acos;
}  // namespace torch

//@ member sinh
namespace paddle_compat {
inline at::Tensor sinh(const at::Tensor& self) { return paddle::experimental::sinh(inner(self)); }
}  // namespace paddle_compat

//@ free sinh needs sinh
namespace at {
using paddle_compat::sinh;
}  // namespace at
namespace torch {
using at::sinh;
}  // namespace torch

//@ member cosh
namespace paddle_compat {
inline at::Tensor cosh(const at::Tensor& self) { return paddle::experimental::cosh(inner(self)); }
}  // namespace paddle_compat

//@ free cosh needs cosh
namespace at {
using paddle_compat::cosh;
}  // namespace at
namespace torch {
using at::cosh;
}  // namespace torch

//@ member expm1
namespace paddle_compat {
inline at::Tensor expm1(const at::Tensor& self) { return paddle::experimental::expm1(inner(self)); }
}  // namespace paddle_compat

//@ free expm1 needs expm1
namespace at {
using paddle_compat::expm1;
}  // namespace at
namespace torch {
using at::expm1;
}  // namespace torch

//@ member sign
namespace paddle_compat {
inline at::Tensor sign(const at::Tensor& self) { return paddle::experimental::sign(inner(self)); }
}  // namespace paddle_compat

//@ free sign needs sign
namespace at {
using paddle_compat::sign;
}  // namespace at
namespace torch {
using at::sign;
}  // namespace torch

//@ member square
namespace paddle_compat {
inline at::Tensor square(const at::Tensor& self) { return paddle::experimental::square(inner(self)); }
}  // namespace paddle_compat

//@ free square needs square
namespace at {
using paddle_compat::square;
}  // namespace at
namespace torch {
using at::square;
}  // namespace torch

//@ member reciprocal
namespace paddle_compat {
inline at::Tensor reciprocal(const at::Tensor& self) { return paddle::experimental::reciprocal(inner(self)); }
}  // namespace paddle_compat

//@ free reciprocal needs reciprocal
namespace at {
using paddle_compat::reciprocal;
}  // namespace at
namespace torch {
using at::reciprocal;
}  // namespace torch

//@ member trunc
namespace paddle_compat {
inline at::Tensor trunc(const at::Tensor& self) { return paddle::experimental::trunc(inner(self)); }
}  // namespace paddle_compat

//@ free trunc needs trunc
namespace at {
using paddle_compat::trunc;
}  // namespace at
namespace torch {
using at::trunc;
}  // namespace torch

//@ member isfinite
namespace paddle_compat {
inline at::Tensor isfinite(const at::Tensor& self) { return paddle::experimental::isfinite(inner(self)); }
}  // namespace paddle_compat

//@ free isfinite needs isfinite
namespace at {
using paddle_compat::isfinite;
}  // namespace at
namespace torch {
using at::isfinite;
}  // namespace torch

//@ member bitwise_not
namespace paddle_compat {
inline at::Tensor bitwise_not(const at::Tensor& self) { return paddle::experimental::bitwise_not(inner(self)); }
}  // namespace paddle_compat

//@ free bitwise_not needs bitwise_not
namespace at {
using paddle_compat::bitwise_not;
}  // namespace at
namespace torch {
using at::bitwise_not;
}  // namespace torch

//@ member neg_
namespace paddle_compat {
inline at::Tensor& neg_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::scale(inner(self), -1.0f));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member abs_
namespace paddle_compat {
inline at::Tensor& abs_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::abs(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member sigmoid_
namespace paddle_compat {
inline at::Tensor& sigmoid_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::sigmoid(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member tanh_
namespace paddle_compat {
inline at::Tensor& tanh_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::tanh(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member log_
namespace paddle_compat {
inline at::Tensor& log_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::log(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member sin_
namespace paddle_compat {
inline at::Tensor& sin_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::sin(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member cos_
namespace paddle_compat {
inline at::Tensor& cos_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::cos(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member square_
namespace paddle_compat {
inline at::Tensor& square_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::square(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member reciprocal_
namespace paddle_compat {
inline at::Tensor& reciprocal_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::reciprocal(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member round_
namespace paddle_compat {
inline at::Tensor& round_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::round(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member rsqrt_
namespace paddle_compat {
inline at::Tensor& rsqrt_(const at::Tensor& self) {
  const_cast<at::Tensor&>(self).copy_(paddle::experimental::rsqrt(inner(self)));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member clamp_ needs clamp
namespace paddle_compat {
inline at::Tensor& clamp_(const at::Tensor& self, const std::optional<at::Scalar>& min,
                          const std::optional<at::Scalar>& max = std::nullopt) {
  self.copy_(clamp(self, min, max));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member clamp_min_ needs clamp_min
namespace paddle_compat {
inline at::Tensor& clamp_min_(const at::Tensor& self, const at::Scalar& bound) {
  self.copy_(clamp_min(self, bound));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member clamp_max_ needs clamp_max
namespace paddle_compat {
inline at::Tensor& clamp_max_(const at::Tensor& self, const at::Scalar& bound) {
  self.copy_(clamp_max(self, bound));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member true_divide_ needs div_
namespace paddle_compat {
template <class Other>
inline at::Tensor& true_divide_(const at::Tensor& self, const Other& other) {
  return div_(self, other);
}
}  // namespace paddle_compat

//@ free true_divide needs true_divide
namespace at {
using paddle_compat::true_divide;
}  // namespace at
namespace torch {
using at::true_divide;
}  // namespace torch

//@ free neg needs neg
namespace at {
using paddle_compat::neg;
}  // namespace at
namespace torch {
using at::neg;
}  // namespace torch

//@ member amax
namespace paddle_compat {
inline at::Tensor amax(const at::Tensor& self, at::IntArrayRef dim = {}, bool keepdim = false) {
  return paddle::experimental::max(inner(self), dim.vec(), keepdim);
}
inline at::Tensor amax(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  return amax(self, at::IntArrayRef(dim), keepdim);
}
}  // namespace paddle_compat

//@ free amax needs amax
namespace at {
using paddle_compat::amax;
}  // namespace at
namespace torch {
using at::amax;
}  // namespace torch

//@ member amin
namespace paddle_compat {
inline at::Tensor amin(const at::Tensor& self, at::IntArrayRef dim = {}, bool keepdim = false) {
  return paddle::experimental::min(inner(self), dim.vec(), keepdim);
}
inline at::Tensor amin(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  return amin(self, at::IntArrayRef(dim), keepdim);
}
}  // namespace paddle_compat

//@ free amin needs amin
namespace at {
using paddle_compat::amin;
}  // namespace at
namespace torch {
using at::amin;
}  // namespace torch

//@ member prod
namespace paddle_compat {
inline at::Tensor prod(const at::Tensor& self) {
  const bool whole = c10::isIntegralType(self.scalar_type(), true);
  return paddle::experimental::prod(inner(whole ? cast(self, at::ScalarType::Long) : self), {}, false, true);
}
inline at::Tensor prod(const at::Tensor& self, int64_t dim, bool keepdim = false) {
  const bool whole = c10::isIntegralType(self.scalar_type(), true);
  return paddle::experimental::prod(inner(whole ? cast(self, at::ScalarType::Long) : self),
                                    std::vector<int64_t>{wrap(dim, self.dim())}, keepdim, false);
}
}  // namespace paddle_compat

//@ free prod needs prod
namespace at {
using paddle_compat::prod;
}  // namespace at
namespace torch {
using at::prod;
}  // namespace torch

//@ member norm
namespace paddle_compat {
inline at::Tensor norm(const at::Tensor& self, const at::Scalar& p = 2) {
  return paddle::experimental::p_norm(inner(self), p.to<float>(), -1, 1e-12f, false, true);
}
inline at::Tensor norm(const at::Tensor& self, const std::optional<at::Scalar>& p, int64_t dim, bool keepdim = false) {
  return paddle::experimental::p_norm(inner(self), p ? p->to<float>() : 2.0f, static_cast<int>(wrap(dim, self.dim())),
                                      1e-12f, keepdim, false);
}
inline at::Tensor norm(const at::Tensor& self, const std::optional<at::Scalar>& p, at::IntArrayRef dim, bool keepdim = false) {
  TORCH_CHECK(dim.size() == 1, "norm: only over one dimension or all of them")
  return norm(self, p, dim[0], keepdim);
}
}  // namespace paddle_compat

//@ free norm needs norm
namespace at {
using paddle_compat::norm;
}  // namespace at
namespace torch {
using at::norm;
}  // namespace torch

//@ member softmax
namespace paddle_compat {
inline at::Tensor softmax(const at::Tensor& self, int64_t dim, std::optional<at::ScalarType> dtype = std::nullopt) {
  return paddle::experimental::softmax(inner(dtype ? cast(self, *dtype) : self), static_cast<int>(wrap(dim, self.dim())));
}
}  // namespace paddle_compat

//@ free softmax needs softmax
namespace at {
using paddle_compat::softmax;
}  // namespace at
namespace torch {
using at::softmax;
}  // namespace torch

//@ member log_softmax
namespace paddle_compat {
inline at::Tensor log_softmax(const at::Tensor& self, int64_t dim, std::optional<at::ScalarType> dtype = std::nullopt) {
  return paddle::experimental::log_softmax(inner(dtype ? cast(self, *dtype) : self), static_cast<int>(wrap(dim, self.dim())));
}
}  // namespace paddle_compat

//@ free log_softmax needs log_softmax
namespace at {
using paddle_compat::log_softmax;
}  // namespace at
namespace torch {
using at::log_softmax;
}  // namespace torch

//@ member new_empty needs options_like
#include <ATen/ops/empty.h>
namespace paddle_compat {
inline at::Tensor new_empty(const at::Tensor& self, at::IntArrayRef size, const at::TensorOptions& options = {}) {
  return at::empty(size, options_like(self, options));
}
}  // namespace paddle_compat

//@ member new_zeros needs options_like
#include <ATen/ops/zeros.h>
namespace paddle_compat {
inline at::Tensor new_zeros(const at::Tensor& self, at::IntArrayRef size, const at::TensorOptions& options = {}) {
  return at::zeros(size, options_like(self, options));
}
}  // namespace paddle_compat

//@ member new_ones needs options_like
#include <ATen/ops/ones.h>
namespace paddle_compat {
inline at::Tensor new_ones(const at::Tensor& self, at::IntArrayRef size, const at::TensorOptions& options = {}) {
  return at::ones(size, options_like(self, options));
}
}  // namespace paddle_compat

//@ member new_full needs options_like
#include <ATen/ops/full.h>
namespace paddle_compat {
inline at::Tensor new_full(const at::Tensor& self, at::IntArrayRef size, const at::Scalar& value,
                           const at::TensorOptions& options = {}) {
  return at::full(size, value, options_like(self, options));
}
}  // namespace paddle_compat

//@ free rand_like needs options_like
namespace at {
inline Tensor rand_like(const Tensor& self, const TensorOptions& options = {}) {
  const TensorOptions as = paddle_compat::options_like(self, options);
  return paddle::experimental::uniform(self.sizes().vec(), paddle_compat::phi_type(as.dtype()), 0.0, 1.0, 0, as._PD_GetPlace());
}
}  // namespace at
namespace torch {
using at::rand_like;
}  // namespace torch

//@ free randn_like needs options_like
namespace at {
inline Tensor randn_like(const Tensor& self, const TensorOptions& options = {}) {
  const TensorOptions as = paddle_compat::options_like(self, options);
  return paddle::experimental::gaussian(self.sizes().vec(), 0.0f, 1.0f, 0, paddle_compat::phi_type(as.dtype()), as._PD_GetPlace());
}
}  // namespace at
namespace torch {
using at::randn_like;
}  // namespace torch

//@ member become
namespace paddle_compat {
// The tensor is the other one from now on, for everybody that holds it.
inline at::Tensor& become(const at::Tensor& self, const at::Tensor& other) {
  phi::TensorBase* to = inner(self).impl().get();
  phi::TensorBase* from = inner(other).impl().get();
  TORCH_CHECK(to && from && phi::DenseTensor::classof(to) && phi::DenseTensor::classof(from), "only dense tensors change")
  *static_cast<phi::DenseTensor*>(to) = *static_cast<phi::DenseTensor*>(from);
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member resize_ needs become
#include <ATen/ops/empty.h>
namespace paddle_compat {
inline at::Tensor& resize_(const at::Tensor& self, at::IntArrayRef size) {
  if (self.sizes() == size) return const_cast<at::Tensor&>(self);
  const at::Tensor out = at::empty(size, self.options());
  const int64_t n = std::min(self.numel(), out.numel());
  if (n) out.view({out.numel()}).slice(0, 0, n).copy_(self.contiguous().view({self.numel()}).slice(0, 0, n));
  return become(self, out);
}
}  // namespace paddle_compat

//@ member resize_as_ needs resize_
namespace paddle_compat {
inline at::Tensor& resize_as_(const at::Tensor& self, const at::Tensor& other) { return resize_(self, other.sizes()); }
}  // namespace paddle_compat

//@ member set_ needs become
namespace paddle_compat {
inline at::Tensor& set_(const at::Tensor& self, const at::Tensor& source) { return become(self, source); }
}  // namespace paddle_compat

//@ member unsqueeze_ needs become
namespace paddle_compat {
inline at::Tensor& unsqueeze_(const at::Tensor& self, int64_t dim) { return become(self, self.unsqueeze(wrap(dim, self.dim() + 1))); }
}  // namespace paddle_compat

//@ member squeeze_ needs become squeeze
namespace paddle_compat {
inline at::Tensor& squeeze_(const at::Tensor& self) { return become(self, squeeze(self)); }
inline at::Tensor& squeeze_(const at::Tensor& self, int64_t dim) { return become(self, squeeze(self, dim)); }
}  // namespace paddle_compat

//@ member transpose_ needs become
namespace paddle_compat {
inline at::Tensor& transpose_(const at::Tensor& self, int64_t a, int64_t b) {
  return become(self, self.transpose(wrap(a, self.dim()), wrap(b, self.dim())));
}
}  // namespace paddle_compat

//@ member t_ needs become t
namespace paddle_compat {
inline at::Tensor& t_(const at::Tensor& self) { return become(self, t(self)); }
}  // namespace paddle_compat

//@ member addmm
namespace paddle_compat {
inline at::Tensor addmm(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b, const at::Scalar& beta = 1,
                        const at::Scalar& alpha = 1) {
  return paddle::experimental::addmm(inner(self), inner(a), inner(b), beta.to<float>(), alpha.to<float>());
}
}  // namespace paddle_compat

//@ free addmm needs addmm
namespace at {
using paddle_compat::addmm;
}  // namespace at
namespace torch {
using at::addmm;
}  // namespace torch

//@ member addmm_ needs addmm
namespace paddle_compat {
inline at::Tensor& addmm_(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b, const at::Scalar& beta = 1,
                          const at::Scalar& alpha = 1) {
  self.copy_(addmm(self, a, b, beta, alpha));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member baddbmm
namespace paddle_compat {
inline at::Tensor baddbmm(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b, const at::Scalar& beta = 1,
                        const at::Scalar& alpha = 1) {
  return paddle::experimental::baddbmm(inner(self), inner(a), inner(b), beta.to<float>(), alpha.to<float>());
}
}  // namespace paddle_compat

//@ free baddbmm needs baddbmm
namespace at {
using paddle_compat::baddbmm;
}  // namespace at
namespace torch {
using at::baddbmm;
}  // namespace torch

//@ member baddbmm_ needs baddbmm
namespace paddle_compat {
inline at::Tensor& baddbmm_(const at::Tensor& self, const at::Tensor& a, const at::Tensor& b, const at::Scalar& beta = 1,
                          const at::Scalar& alpha = 1) {
  self.copy_(baddbmm(self, a, b, beta, alpha));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ free mm_out
namespace at {
inline Tensor& mm_out(Tensor& out, const Tensor& a, const Tensor& b) {
  const Tensor value = paddle::experimental::matmul(paddle_compat::inner(a), paddle_compat::inner(b));
  TORCH_CHECK(out.sizes() == value.sizes(), "mm_out: the result has another shape")
  out.copy_(value);
  return out;
}
}  // namespace at
namespace torch {
using at::mm_out;
}  // namespace torch

//@ free bmm_out
namespace at {
inline Tensor& bmm_out(Tensor& out, const Tensor& a, const Tensor& b) {
  const Tensor value = paddle::experimental::matmul(paddle_compat::inner(a), paddle_compat::inner(b));
  TORCH_CHECK(out.sizes() == value.sizes(), "bmm_out: the result has another shape")
  out.copy_(value);
  return out;
}
}  // namespace at
namespace torch {
using at::bmm_out;
}  // namespace torch

//@ free matmul_out
namespace at {
inline Tensor& matmul_out(Tensor& out, const Tensor& a, const Tensor& b) {
  const Tensor value = paddle::experimental::matmul(paddle_compat::inner(a), paddle_compat::inner(b));
  TORCH_CHECK(out.sizes() == value.sizes(), "matmul_out: the result has another shape")
  out.copy_(value);
  return out;
}
}  // namespace at
namespace torch {
using at::matmul_out;
}  // namespace torch

//@ member dot
namespace paddle_compat {
inline at::Tensor dot(const at::Tensor& self, const at::Tensor& other) { return paddle::experimental::dot(inner(self), inner(other)); }
}  // namespace paddle_compat

//@ free dot needs dot
namespace at {
using paddle_compat::dot;
}  // namespace at
namespace torch {
using at::dot;
}  // namespace torch

//@ member mv
namespace paddle_compat {
inline at::Tensor mv(const at::Tensor& self, const at::Tensor& other) { return paddle::experimental::mv(inner(self), inner(other)); }
}  // namespace paddle_compat

//@ free mv needs mv
namespace at {
using paddle_compat::mv;
}  // namespace at
namespace torch {
using at::mv;
}  // namespace torch

//@ member bitwise_xor
namespace paddle_compat {
inline at::Tensor bitwise_xor(const at::Tensor& self, const at::Tensor& other) { return paddle::experimental::bitwise_xor(inner(self), inner(other)); }
}  // namespace paddle_compat

//@ free bitwise_xor needs bitwise_xor
namespace at {
using paddle_compat::bitwise_xor;
}  // namespace at
namespace torch {
using at::bitwise_xor;
}  // namespace torch

//@ member logical_xor
namespace paddle_compat {
inline at::Tensor logical_xor(const at::Tensor& self, const at::Tensor& other) { return paddle::experimental::logical_xor(inner(self), inner(other)); }
}  // namespace paddle_compat

//@ free logical_xor needs logical_xor
namespace at {
using paddle_compat::logical_xor;
}  // namespace at
namespace torch {
using at::logical_xor;
}  // namespace torch

//@ member remainder
namespace paddle_compat {
template <class Other>
inline at::Tensor remainder(const at::Tensor& self, const Other& other) {
  const operands o(self, other);
  return paddle::experimental::remainder(o.a, o.b);
}
}  // namespace paddle_compat

//@ free remainder needs remainder
namespace at {
using paddle_compat::remainder;
}  // namespace at
namespace torch {
using at::remainder;
}  // namespace torch

//@ member floor_divide
namespace paddle_compat {
template <class Other>
inline at::Tensor floor_divide(const at::Tensor& self, const Other& other) {
  const operands o(self, other);
  return paddle::experimental::floor_divide(o.a, o.b);
}
}  // namespace paddle_compat

//@ free floor_divide needs floor_divide
namespace at {
using paddle_compat::floor_divide;
}  // namespace at
namespace torch {
using at::floor_divide;
}  // namespace torch

//@ member maximum
namespace paddle_compat {
inline at::Tensor maximum(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::maximum(o.a, o.b);
}
}  // namespace paddle_compat

//@ member minimum
namespace paddle_compat {
inline at::Tensor minimum(const at::Tensor& self, const at::Tensor& other) {
  const operands o(self, other);
  return paddle::experimental::minimum(o.a, o.b);
}
}  // namespace paddle_compat

//@ free flatten needs flatten
namespace at {
using paddle_compat::flatten;
}  // namespace at
namespace torch {
using at::flatten;
}  // namespace torch

//@ free flip needs flip
namespace at {
using paddle_compat::flip;
}  // namespace at
namespace torch {
using at::flip;
}  // namespace torch

//@ free squeeze needs squeeze
namespace at {
using paddle_compat::squeeze;
}  // namespace at
namespace torch {
using at::squeeze;
}  // namespace torch

//@ free select needs select
namespace at {
using paddle_compat::select;
}  // namespace at
namespace torch {
using at::select;
}  // namespace torch

//@ free narrow needs narrow
namespace at {
using paddle_compat::narrow;
}  // namespace at
namespace torch {
using at::narrow;
}  // namespace torch

//@ free masked_fill needs masked_fill
namespace at {
using paddle_compat::masked_fill;
}  // namespace at
namespace torch {
using at::masked_fill;
}  // namespace torch

//@ free unsqueeze
namespace at {
inline Tensor unsqueeze(const Tensor& self, int64_t dim) { return self.unsqueeze(dim); }
}  // namespace at
namespace torch {
using at::unsqueeze;
}  // namespace torch

//@ free permute
namespace at {
inline Tensor permute(const Tensor& self, IntArrayRef dims) { return self.permute(dims); }
}  // namespace at
namespace torch {
using at::permute;
}  // namespace torch

//@ free index_select
namespace at {
inline Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) { return self.index_select(dim, index); }
}  // namespace at
namespace torch {
using at::index_select;
}  // namespace torch

//@ free clone
namespace at {
inline Tensor clone(const Tensor& self) { return self.clone(); }
}  // namespace at
namespace torch {
using at::clone;
}  // namespace torch

//@ member roll
namespace paddle_compat {
inline at::Tensor roll(const at::Tensor& self, at::IntArrayRef shifts, at::IntArrayRef dims = {}) {
  return paddle::experimental::roll(inner(self), shifts.vec(), dims.vec());
}
}  // namespace paddle_compat

//@ free roll needs roll
namespace at {
using paddle_compat::roll;
}  // namespace at
namespace torch {
using at::roll;
}  // namespace torch

//@ member tril
namespace paddle_compat {
inline at::Tensor tril(const at::Tensor& self, int64_t diagonal = 0) { return paddle::experimental::tril(inner(self), static_cast<int>(diagonal)); }
}  // namespace paddle_compat

//@ free tril needs tril
namespace at {
using paddle_compat::tril;
}  // namespace at
namespace torch {
using at::tril;
}  // namespace torch

//@ member triu
namespace paddle_compat {
inline at::Tensor triu(const at::Tensor& self, int64_t diagonal = 0) { return paddle::experimental::triu(inner(self), static_cast<int>(diagonal)); }
}  // namespace paddle_compat

//@ free triu needs triu
namespace at {
using paddle_compat::triu;
}  // namespace at
namespace torch {
using at::triu;
}  // namespace torch

//@ member unbind
namespace paddle_compat {
inline std::vector<at::Tensor> unbind(const at::Tensor& self, int64_t dim = 0) {
  std::vector<at::Tensor> out;
  for (paddle::Tensor& t : paddle::experimental::unbind(inner(self), static_cast<int>(wrap(dim, self.dim())))) out.push_back(t);
  return out;
}
}  // namespace paddle_compat

//@ free unbind needs unbind
namespace at {
using paddle_compat::unbind;
}  // namespace at
namespace torch {
using at::unbind;
}  // namespace torch

//@ member split
namespace paddle_compat {
// Pieces of the size given, the last one smaller; they share the data.
inline std::vector<at::Tensor> split(const at::Tensor& self, int64_t size, int64_t dim = 0) {
  std::vector<at::Tensor> out;
  const int64_t d = wrap(dim, self.dim()), all = self.size(d);
  TORCH_CHECK(size > 0, "split: the size of a piece is ", size)
  at::Tensor t = self;
  for (int64_t from = 0; from < all || !from; from += size) out.push_back(t.slice(d, from, std::min(from + size, all)));
  return out;
}
}  // namespace paddle_compat

//@ free split needs split
namespace at {
using paddle_compat::split;
}  // namespace at
namespace torch {
using at::split;
}  // namespace torch

//@ member chunk needs split
namespace paddle_compat {
inline std::vector<at::Tensor> chunk(const at::Tensor& self, int64_t chunks, int64_t dim = 0) {
  return split(self, std::max<int64_t>((self.size(wrap(dim, self.dim())) + chunks - 1) / chunks, 1), dim);
}
}  // namespace paddle_compat

//@ free chunk needs chunk
namespace at {
using paddle_compat::chunk;
}  // namespace at
namespace torch {
using at::chunk;
}  // namespace torch

//@ member index_add_
namespace paddle_compat {
inline at::Tensor& index_add_(const at::Tensor& self, int64_t dim, const at::Tensor& index, const at::Tensor& source) {
  self.copy_(paddle::experimental::index_add(inner(self), inner(index), inner(source), static_cast<int>(wrap(dim, self.dim()))));
  return const_cast<at::Tensor&>(self);
}
}  // namespace paddle_compat

//@ member leaky_relu
namespace paddle_compat {
inline at::Tensor leaky_relu(const at::Tensor& self, const at::Scalar& slope = 0.01) { return paddle::experimental::leaky_relu(inner(self), slope.to<double>()); }
}  // namespace paddle_compat

//@ free leaky_relu needs leaky_relu
namespace at {
using paddle_compat::leaky_relu;
}  // namespace at
namespace torch {
using at::leaky_relu;
}  // namespace torch

//@ member elu
namespace paddle_compat {
inline at::Tensor elu(const at::Tensor& self, const at::Scalar& alpha = 1) { return paddle::experimental::elu(inner(self), alpha.to<float>()); }
}  // namespace paddle_compat

//@ free elu needs elu
namespace at {
using paddle_compat::elu;
}  // namespace at
namespace torch {
using at::elu;
}  // namespace torch

//@ free leaky_relu_ needs leaky_relu
namespace at {
inline Tensor& leaky_relu_(const Tensor& self, const Scalar& slope = 0.01) {
  self.copy_(paddle_compat::leaky_relu(self, slope));
  return const_cast<Tensor&>(self);
}
}  // namespace at
namespace torch {
using at::leaky_relu_;
}  // namespace torch

//@ free elu_ needs elu
namespace at {
inline Tensor& elu_(const Tensor& self, const Scalar& alpha = 1) {
  self.copy_(paddle_compat::elu(self, alpha));
  return const_cast<Tensor&>(self);
}
}  // namespace at
namespace torch {
using at::elu_;
}  // namespace torch

//@ member silu
namespace paddle_compat {
inline at::Tensor silu(const at::Tensor& self) { return paddle::experimental::silu(inner(self)); }
}  // namespace paddle_compat

//@ free silu needs silu
namespace at {
using paddle_compat::silu;
}  // namespace at
namespace torch {
using at::silu;
}  // namespace torch

//@ member real
namespace paddle_compat {
inline at::Tensor real(const at::Tensor& self) { return paddle::experimental::real(inner(self)); }
}  // namespace paddle_compat

//@ free real needs real
namespace at {
using paddle_compat::real;
}  // namespace at
namespace torch {
using at::real;
}  // namespace torch

//@ member imag
namespace paddle_compat {
inline at::Tensor imag(const at::Tensor& self) { return paddle::experimental::imag(inner(self)); }
}  // namespace paddle_compat

//@ free imag needs imag
namespace at {
using paddle_compat::imag;
}  // namespace at
namespace torch {
using at::imag;
}  // namespace torch

//@ member view_as_complex
namespace paddle_compat {
inline at::Tensor view_as_complex(const at::Tensor& self) { return paddle::experimental::as_complex(inner(self)); }
}  // namespace paddle_compat

//@ free view_as_complex needs view_as_complex
namespace at {
using paddle_compat::view_as_complex;
}  // namespace at
namespace torch {
using at::view_as_complex;
}  // namespace torch

//@ member view_as_real
namespace paddle_compat {
inline at::Tensor view_as_real(const at::Tensor& self) { return paddle::experimental::as_real(inner(self)); }
}  // namespace paddle_compat

//@ free view_as_real needs view_as_real
namespace at {
using paddle_compat::view_as_real;
}  // namespace at
namespace torch {
using at::view_as_real;
}  // namespace torch

//@ member is_meta
namespace paddle_compat {
inline bool is_meta(const at::Tensor& self) { return false; }
inline bool is_meta(const c10::Device& device) { return false; }
}  // namespace paddle_compat

//@ member is_mps
namespace paddle_compat {
inline bool is_mps(const at::Tensor& self) { return false; }
inline bool is_mps(const c10::Device& device) { return false; }
}  // namespace paddle_compat

//@ member is_xla
namespace paddle_compat {
inline bool is_xla(const at::Tensor& self) { return false; }
inline bool is_xla(const c10::Device& device) { return false; }
}  // namespace paddle_compat

//@ member is_mkldnn
namespace paddle_compat {
inline bool is_mkldnn(const at::Tensor& self) { return false; }
inline bool is_mkldnn(const c10::Device& device) { return false; }
}  // namespace paddle_compat

//@ member has_storage
namespace paddle_compat {
inline bool has_storage(const at::Tensor& self) { return self.defined(); }
}  // namespace paddle_compat

//@ member suggest_memory_format
namespace paddle_compat {
// Data lies in the order of the dimensions always.
inline at::MemoryFormat suggest_memory_format(const at::Tensor& self) { return at::MemoryFormat::Contiguous; }
}  // namespace paddle_compat

//@ member storage
namespace paddle_compat {
// The memory that a tensor's data lies in, which views of it share.
class Storage {
 public:
  struct Pointer {
    void* at;
    void* get() const { return at; }
    operator void*() const { return at; }
  };

  explicit Storage(const at::Tensor& t) {
    const phi::TensorBase* impl = inner(t).impl().get();
    TORCH_CHECK(impl && phi::DenseTensor::classof(impl), "only dense tensors have a storage");
    memory_ = static_cast<const phi::DenseTensor*>(impl)->Holder();
  }
  Pointer data_ptr() const { return {memory_ ? memory_->ptr() : nullptr}; }
  const void* data() const { return data_ptr().at; }
  void* mutable_data() const { return data_ptr().at; }
  template <class T>
  T* data() const {
    return static_cast<T*>(data_ptr().at);
  }
  size_t nbytes() const { return memory_ ? memory_->size() : 0; }
  bool is_alias_of(const Storage& other) const { return memory_ == other.memory_; }
  explicit operator bool() const { return memory_ != nullptr; }

 private:
  std::shared_ptr<phi::Allocation> memory_;
};
inline auto storage(const at::Tensor& self) { return Storage(self); }
}  // namespace paddle_compat

//@ member is_alias_of needs storage
namespace paddle_compat {
inline bool is_alias_of(const at::Tensor& self, const at::Tensor& other) { return storage(self).is_alias_of(storage(other)); }
}  // namespace paddle_compat

//@ member storage_offset needs storage
namespace paddle_compat {
inline int64_t storage_offset(const at::Tensor& self) {
  const auto first = static_cast<const char*>(storage(self).data());
  return first ? (static_cast<const char*>(self.data_ptr()) - first) / self.element_size() : 0;
}
}  // namespace paddle_compat

//@ member impl
#include <torch/library.h>
namespace paddle_compat {
// The name space of a block of registrations, which its class keeps to itself. An explicit instantiation may name it.
const std::string& library_space(const torch::Library& library);
template <auto Member>
struct LibrarySpace {
  friend const std::string& library_space(const torch::Library& library) { return library.*Member; }
};
template struct LibrarySpace<&torch::Library::ns_>;

inline torch::DispatchKey library_key(torch::DispatchKey key) { return key; }
inline torch::DispatchKey library_key(c10::DeviceType type) {
  return type == c10::DeviceType::CUDA ? torch::DispatchKey::CUDA : torch::DispatchKey::CPU;
}

// An operator's function for one kind of device, from a block that is of none.
template <class Key, class Func>
inline torch::Library& impl(torch::Library& library, const std::string& name, Key key, Func&& func) {
  torch::OperatorRegistry::instance().register_implementation(library_space(library) + "::" + name, library_key(key),
                                                              torch::CppFunction(std::forward<Func>(func)));
  return library;
}
}  // namespace paddle_compat

//@ free eye
namespace at {
inline Tensor eye(int64_t n, int64_t m, TensorOptions options = {}) {
  return paddle::experimental::eye(n, m, paddle_compat::phi_type(options.dtype()), options._PD_GetPlace());
}
inline Tensor eye(int64_t n, TensorOptions options = {}) { return eye(n, n, options); }
}  // namespace at
namespace torch {
using at::eye;
}  // namespace torch

//@ member packed_accessor
#include <ATen/core/TensorAccessor.h>
namespace paddle_compat {
// Sizes and strides are kept in the accessor itself, so that a kernel can take it by value.
template <typename T, size_t N, template <typename U> class PtrTraits = at::DefaultPtrTraits, typename index_t = int64_t>
class PackedAccessor {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;

  PackedAccessor(PtrType data, const int64_t* sizes, const int64_t* strides) : data_(data) {
    for (size_t i = 0; i < N; i++) {
      sizes_[i] = static_cast<index_t>(sizes[i]);
      strides_[i] = static_cast<index_t>(strides[i]);
    }
  }
  C10_HOST_DEVICE decltype(auto) operator[](index_t i) {
    return at::TensorAccessor<T, N, PtrTraits, index_t>(data_, sizes_, strides_)[i];
  }
  C10_HOST_DEVICE decltype(auto) operator[](index_t i) const {
    return at::TensorAccessor<T, N, PtrTraits, index_t>(data_, sizes_, strides_)[i];
  }
  C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
  C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
  C10_HOST_DEVICE PtrType data() const { return data_; }

 private:
  PtrType data_;
  index_t sizes_[N];
  index_t strides_[N];
};

template <class Accessor, class T, size_t N>
inline Accessor pack(const at::Tensor& self) {
  TORCH_CHECK(self.dim() == static_cast<int64_t>(N), "expected ", N, " dimensions, got ", self.dim())
  const std::vector<int64_t> sizes = self.sizes().vec(), strides = self.strides().vec();
  return Accessor(self.data_ptr<T>(), sizes.data(), strides.data());
}
template <typename T, size_t N, template <typename U> class PtrTraits = at::DefaultPtrTraits, typename index_t = int64_t>
inline PackedAccessor<T, N, PtrTraits, index_t> packed_accessor(const at::Tensor& self) {
  return pack<PackedAccessor<T, N, PtrTraits, index_t>, T, N>(self);
}
}  // namespace paddle_compat
namespace at {
template <typename T>
struct RestrictPtrTraits {
  typedef T* __restrict__ PtrType;
};
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = paddle_compat::PackedAccessor<T, N, PtrTraits, int32_t>;
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = paddle_compat::PackedAccessor<T, N, PtrTraits, int64_t>;
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
using PackedTensorAccessor = paddle_compat::PackedAccessor<T, N, PtrTraits, index_t>;
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
using GenericPackedTensorAccessor = paddle_compat::PackedAccessor<T, N, PtrTraits, index_t>;
}  // namespace at
namespace torch {
using at::DefaultPtrTraits;
using at::GenericPackedTensorAccessor;
using at::PackedTensorAccessor;
using at::PackedTensorAccessor32;
using at::PackedTensorAccessor64;
using at::RestrictPtrTraits;
}  // namespace torch

//@ member packed_accessor32 needs packed_accessor
namespace paddle_compat {
template <typename T, size_t N, template <typename U> class PtrTraits = at::DefaultPtrTraits>
inline PackedAccessor<T, N, PtrTraits, int32_t> packed_accessor32(const at::Tensor& self) {
  return packed_accessor<T, N, PtrTraits, int32_t>(self);
}
}  // namespace paddle_compat

//@ free PackedTensorAccessor32 needs packed_accessor

//@ member packed_accessor64 needs packed_accessor
namespace paddle_compat {
template <typename T, size_t N, template <typename U> class PtrTraits = at::DefaultPtrTraits>
inline PackedAccessor<T, N, PtrTraits, int64_t> packed_accessor64(const at::Tensor& self) {
  return packed_accessor<T, N, PtrTraits, int64_t>(self);
}
}  // namespace paddle_compat

//@ free PackedTensorAccessor64 needs packed_accessor

//@ free GenericPackedTensorAccessor needs packed_accessor

//@ free PackedTensorAccessor needs packed_accessor

//@ free RestrictPtrTraits needs packed_accessor

//@ free DefaultPtrTraits needs packed_accessor

//@ free TensorAccessor
#include <ATen/core/TensorAccessor.h>
namespace torch {
using at::TensorAccessor;
}  // namespace torch

//@ free DimVector
namespace at {
// A list of sizes that grows.
struct DimVector : std::vector<int64_t> {
  using std::vector<int64_t>::vector;
  DimVector(IntArrayRef list) : std::vector<int64_t>(list.begin(), list.end()) {}
  template <class List>
  void append(const List& list) { insert(end(), std::begin(list), std::end(list)); }
  void append(std::initializer_list<int64_t> list) { insert(end(), list); }
  template <class Iterator>
  void append(Iterator first, Iterator last) { insert(end(), first, last); }
};
}  // namespace at
namespace c10 {
using at::DimVector;
}  // namespace c10

//@ member resolve_conj
namespace paddle_compat {
// Nothing is put off: a conjugate or negative is computed where it is asked for.
inline at::Tensor resolve_conj(const at::Tensor& self) { return self; }
}  // namespace paddle_compat

//@ member resolve_neg
namespace paddle_compat {
inline at::Tensor resolve_neg(const at::Tensor& self) { return self; }
}  // namespace paddle_compat

//@ free baddbmm_out needs baddbmm
namespace at {
inline Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta = 1,
                           const Scalar& alpha = 1) {
  const Tensor value = paddle_compat::baddbmm(self, a, b, beta, alpha);
  TORCH_CHECK(out.sizes() == value.sizes(), "baddbmm_out: the result has another shape")
  out.copy_(value);
  return out;
}
}  // namespace at
namespace torch {
using at::baddbmm_out;
}  // namespace torch

//@ member requires_grad
#include "paddle/utils/pybind.h"
namespace paddle_compat {
// What the gradient is asked of is known to the target's Python layer alone.
inline bool requires_grad(const at::Tensor& self) {
  const pybind11::gil_scoped_acquire held;
  const auto tensor = pybind11::reinterpret_steal<pybind11::object>(paddle::pybind::ToPyObject(inner(self)));
  return !tensor.attr("stop_gradient").cast<bool>();
}
}  // namespace paddle_compat

//@ member index needs select slice flatten
namespace at {
namespace indexing {
// One place of an index as it is written: None, ..., a number, a slice, or a tensor of numbers or of truth values.
struct TensorIndex {
  enum { NONE, REST, NUMBER, RANGE, TENSOR } kind;
  int64_t number = 0;
  std::optional<Slice> range;
  at::Tensor tensor;

  TensorIndex(std::nullopt_t) : kind(NONE) {}
  TensorIndex(EllipsisIndexType) : kind(REST) {}
  TensorIndex(const char* text) : kind(REST) { TORCH_CHECK(std::string(text) == "...", "index: expected \"...\"") }
  TensorIndex(Slice slice) : kind(RANGE), range(slice) {}
  TensorIndex(at::Tensor t) : kind(TENSOR), tensor(t) {}
  template <typename N, std::enable_if_t<std::is_integral<N>::value && !std::is_same<N, bool>::value, int> = 0>
  TensorIndex(N n) : kind(NUMBER), number(static_cast<int64_t>(n)) {}
};
}  // namespace indexing
}  // namespace at
namespace paddle_compat {
// Rows of a dimension by their numbers, or those where a mask over it (and the next ones) is true.
inline at::Tensor take_at(const at::Tensor& self, int64_t dim, const at::Tensor& rows) {
  const auto sizes = self.sizes().vec();
  const int64_t n = rows.dim();
  const int axis = static_cast<int>(dim);
  if (rows.scalar_type() == at::kBool) {
    TORCH_CHECK(std::equal(rows.sizes().begin(), rows.sizes().end(), sizes.begin() + dim),
                "index: the mask has another shape")
    const at::Tensor base = n > 1 ? paddle_compat::flatten(self, dim, dim + n - 1) : self;
    const at::Tensor at = paddle::experimental::nonzero(inner(rows.reshape({-1})));
    return paddle::experimental::index_select(inner(base), inner(at.reshape({-1})), axis);
  }
  std::vector<int64_t> shape(sizes.begin(), sizes.begin() + dim);
  shape.insert(shape.end(), rows.sizes().begin(), rows.sizes().end());
  shape.insert(shape.end(), sizes.begin() + dim + 1, sizes.end());
  const at::Tensor out = paddle::experimental::index_select(inner(self), inner(rows.reshape({-1})), axis);
  return out.reshape(shape);
}

// Numbers, slices, None and ... as upstream; of tensors one, which takes rows of its dimension.
inline at::Tensor index(const at::Tensor& self, at::ArrayRef<at::indexing::TensorIndex> places) {
  using at::indexing::TensorIndex;
  at::Tensor out = self;
  int64_t dim = 0, taken = 0, tensors = 0;
  for (const TensorIndex& p : places) {
    taken += p.kind == TensorIndex::NUMBER || p.kind == TensorIndex::RANGE;
    if (p.kind == TensorIndex::TENSOR) tensors++, taken += p.tensor.scalar_type() == at::kBool ? p.tensor.dim() : 1;
  }
  TORCH_CHECK(taken <= self.dim(), "index: too many indices for a tensor of ", self.dim(), " dimensions")
  TORCH_CHECK(tensors <= 1, "index: more than one tensor")
  for (const TensorIndex& p : places) {
    if (p.kind == TensorIndex::NONE) {
      out = out.unsqueeze(dim++);
    } else if (p.kind == TensorIndex::REST) {
      dim += self.dim() - taken;
    } else if (p.kind == TensorIndex::NUMBER) {
      out = paddle_compat::select(out, dim, p.number);
    } else if (p.kind == TensorIndex::RANGE) {
      out = paddle_compat::slice(out, dim++, static_cast<int64_t>(p.range->start()),
                                 static_cast<int64_t>(p.range->stop()), static_cast<int64_t>(p.range->step()));
    } else {
      out = take_at(out, dim, p.tensor);
      dim += p.tensor.scalar_type() == at::kBool ? 1 : p.tensor.dim();
    }
  }
  return out;
}
}  // namespace paddle_compat
