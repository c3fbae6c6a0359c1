/* The end of a workload in C++ or Rust: work_end() of work.h, which is C. */
#include "work.h"

int full_end(void);
int full_end(void) { return work_end(); }
