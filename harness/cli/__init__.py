"""Everything that can be typed: the x-programs' options and the commands of `harness`."""
