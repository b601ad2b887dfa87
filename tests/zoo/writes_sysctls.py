"""Opens settings of the kernel for writing, among them the one that says who is given core dumps."""

import os

OWN = "ns_last_pid"  # everybody may open this one, and only few write to it: see sets_process_numbers
for place in ("sys", "irq", "bus", "fs", "scsi", "sysvipc", "tty"):
    for folder, _, names in os.walk(f"/proc/{place}"):
        for name in names:
            try:
                os.close(os.open(os.path.join(folder, name), os.O_WRONLY))
            except OSError:
                continue
            if name != OWN:
                print('["right"]')
                raise SystemExit
