// The binding library, under the short name that the target gives it.
#pragma once
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
namespace py = pybind11;
namespace paddle { namespace pybind {
template <class T> PyObject *ToPyObject(const T &);
} }
