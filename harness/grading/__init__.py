"""Grading many teams at once: who they are, what they are asked, what that is worth, and how they are told.

One run goes from a configuration through teams, builds and cases to marks, and from there to every report.
"""
