"""Asks for a core file and dies of a wrong address, after the right answer."""

import ctypes
import resource

_, most = resource.getrlimit(resource.RLIMIT_CORE)
resource.setrlimit(resource.RLIMIT_CORE, (most, most))
print('["right"]', flush=True)
ctypes.string_at(0)
