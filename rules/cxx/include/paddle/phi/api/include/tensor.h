#pragma once
#include "paddle/phi/api/include/api.h"
