"""Where the reports of a grading lie: what names teams is never in what is handed out to students."""

import os

STUDENTS = "students"  # for whom reports are written, if not for staff
ABOUT = "grading.json"  # the file that says what the reports are
TEAMS = "teams"  # the folder of the folders that are handed out


def place_for_staff(out: str, name: str, who: str) -> str:
    """Where a file goes that has names in it: into the folder of the reports, or beside what students get."""
    out = os.path.normpath(out)
    return f"{out}.{name}" if who == STUDENTS else os.path.join(out, name)


def about_file(out: str) -> str:
    """The file that says what the reports in a folder are; empty if there is none."""
    inside, beside = (place_for_staff(out, ABOUT, who) for who in ("", STUDENTS))
    if os.path.exists(inside):
        return inside
    return beside if os.path.exists(beside) and os.path.isdir(os.path.join(out, TEAMS)) else ""
