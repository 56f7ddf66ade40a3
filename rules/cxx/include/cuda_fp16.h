// Numbers of the toolkit.
#pragma once
#include <pdmigrate/half.h>
