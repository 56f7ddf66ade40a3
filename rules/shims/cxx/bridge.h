// Members, functions and operators of the upstream tensor class that the target's compat headers lack, on the
// target's own operators. Only the sections a source needs are copied; a section begins with a line
// "//@ KIND NAME [needs SECTION ...]". Members become functions with the tensor as first argument.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
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

//@ free full_like
namespace at {
inline Tensor full_like(const Tensor& self, const Scalar& value) {
  return paddle::experimental::full_like(paddle_compat::inner(self), value, phi::DataType::UNDEFINED, self._PD_GetInner().place());
}
}  // namespace at
namespace torch {
using at::full_like;
}  // namespace torch

//@ free ones_like
namespace at {
inline Tensor ones_like(const Tensor& self) {
  return paddle::experimental::ones_like(paddle_compat::inner(self), phi::DataType::UNDEFINED, self._PD_GetInner().place());
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
