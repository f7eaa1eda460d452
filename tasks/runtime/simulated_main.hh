#pragma once

// This header turns a program's main() into starpu_main(), which StarPU calls in the
// simulation after reading the platform file. StarPU then defines main().
#include <starpu.h>
