// ATen/TensorUtils.h: checks of arguments, with the name and place of the argument in the message.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <ostream>

namespace at {

using CheckedFrom = const char*;

struct TensorArg {
  const Tensor& tensor;
  const char* name;
  int pos;
  TensorArg(const Tensor& tensor, const char* name, int pos) : tensor(tensor), name(name), pos(pos) {}
  TensorArg(Tensor&& tensor, const char* name, int pos) = delete;
  const Tensor* operator->() const { return &tensor; }
  const Tensor& operator*() const { return tensor; }
};

inline std::ostream& operator<<(std::ostream& out, const TensorArg& t) {
  return out << "argument #" << t.pos << " '" << t.name << "'";
}

inline void checkDim(CheckedFrom c, const TensorArg& t, int64_t dim) {
  TORCH_CHECK(t->dim() == dim, "Expected ", dim, " dimensions, got ", t->dim(), " for ", t, " (", c, ")");
}
inline void checkDimRange(CheckedFrom c, const TensorArg& t, int64_t start, int64_t end) {
  TORCH_CHECK(t->dim() >= start && t->dim() < end, "Expected ", start, " to ", end - 1, " dimensions, got ", t->dim(),
              " for ", t, " (", c, ")");
}
inline void checkSize(CheckedFrom c, const TensorArg& t, IntArrayRef sizes) {
  checkDim(c, t, static_cast<int64_t>(sizes.size()));
  for (size_t i = 0; i < sizes.size(); i++) {
    TORCH_CHECK(t->size(i) == sizes[i], "Expected size ", sizes[i], " of dimension ", i, ", got ", t->size(i), " for ", t,
                " (", c, ")");
  }
}
inline void checkSize(CheckedFrom c, const TensorArg& t, int64_t dim, int64_t size) {
  TORCH_CHECK(t->size(dim) == size, "Expected size ", size, " of dimension ", dim, ", got ", t->size(dim), " for ", t,
              " (", c, ")");
}
inline void checkNumel(CheckedFrom c, const TensorArg& t, int64_t numel) {
  TORCH_CHECK(t->numel() == numel, "Expected ", numel, " elements, got ", t->numel(), " for ", t, " (", c, ")");
}
inline void checkContiguous(CheckedFrom c, const TensorArg& t) {
  TORCH_CHECK(t->is_contiguous(), "Expected a contiguous tensor for ", t, " (", c, ")");
}
inline void checkAllContiguous(CheckedFrom c, ArrayRef<TensorArg> ts) {
  for (const TensorArg& t : ts) checkContiguous(c, t);
}
inline void checkDefined(CheckedFrom c, const TensorArg& t) {
  TORCH_CHECK(t->defined(), "Expected a tensor that is defined for ", t, " (", c, ")");
}
inline void checkAllDefined(CheckedFrom c, ArrayRef<TensorArg> ts) {
  for (const TensorArg& t : ts) checkDefined(c, t);
}
inline void checkScalarType(CheckedFrom c, const TensorArg& t, ScalarType type) {
  TORCH_CHECK(t->scalar_type() == type, "Expected type ", type, ", got ", t->scalar_type(), " for ", t, " (", c, ")");
}
inline void checkScalarTypes(CheckedFrom c, const TensorArg& t, ArrayRef<ScalarType> types) {
  bool found = false;
  for (const ScalarType type : types) found = found || t->scalar_type() == type;
  TORCH_CHECK(found, "Type ", t->scalar_type(), " is not one of those expected for ", t, " (", c, ")");
}
inline void checkSameDim(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  TORCH_CHECK(a->dim() == b->dim(), "Expected as many dimensions for ", a, " as for ", b, " (", c, ")");
}
inline void checkSameSize(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  TORCH_CHECK(a->sizes() == b->sizes(), "Expected the size of ", a, " for ", b, " (", c, ")");
}
inline void checkSameNumel(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  TORCH_CHECK(a->numel() == b->numel(), "Expected as many elements for ", a, " as for ", b, " (", c, ")");
}
inline void checkSameType(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  TORCH_CHECK(a->scalar_type() == b->scalar_type(), "Expected type ", a->scalar_type(), " of ", a, ", got ",
              b->scalar_type(), " for ", b, " (", c, ")");
}
inline void checkSameGPU(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  TORCH_CHECK(a->is_cuda() && b->is_cuda(), "Expected a tensor on a GPU for ", a->is_cuda() ? b : a, " (", c, ")");
  TORCH_CHECK(a->get_device() == b->get_device(), "Expected ", a, " on the GPU of ", b, " (", c, ")");
}

// Neighbours are compared, and what is not defined is left out, as upstream does.
template <class Check>
inline void checkAllSame(CheckedFrom c, ArrayRef<TensorArg> ts, Check check) {
  const TensorArg* first = nullptr;
  for (const TensorArg& t : ts) {
    if (!t->defined()) continue;
    if (first) check(c, *first, t);
    if (!first) first = &t;
  }
}
inline void checkAllSameNumel(CheckedFrom c, ArrayRef<TensorArg> ts) { checkAllSame(c, ts, checkSameNumel); }
inline void checkAllSameType(CheckedFrom c, ArrayRef<TensorArg> ts) { checkAllSame(c, ts, checkSameType); }
inline void checkAllSameSize(CheckedFrom c, ArrayRef<TensorArg> ts) { checkAllSame(c, ts, checkSameSize); }
inline void checkAllSameGPU(CheckedFrom c, ArrayRef<TensorArg> ts) { checkAllSame(c, ts, checkSameGPU); }

}  // namespace at
