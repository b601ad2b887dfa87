"""Sets a resource limit of whoever started it, to what it is."""

import os
import resource

there = resource.getrlimit(resource.RLIMIT_CORE)
resource.prlimit(os.getppid(), resource.RLIMIT_CORE, there)
print('["right"]')
