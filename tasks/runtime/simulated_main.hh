#pragma once

// With this header a program's main() becomes starpu_main(), which StarPU calls in the
// simulation once it has read the platform file. main() itself is then StarPU's.
#include <starpu.h>
