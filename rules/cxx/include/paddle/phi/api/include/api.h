// The target's own operators, which only header shims call: there, and empty, so that what shims declare is known.
#pragma once
#include <pdmigrate/target.h>
namespace paddle { namespace experimental { } }
