// Part of the binding library.
#pragma once
#include <pybind11/pybind11.h>
