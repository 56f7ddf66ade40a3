// Part of the runtime.
#pragma once
#include <pdmigrate/cuda.h>
