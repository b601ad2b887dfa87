"""What setup.cfg has no words for: packages that are found, and two that are installed from elsewhere."""

from setuptools import find_packages, setup

# The cases and the pages are written at the top of the checkout, and installed for harness/shipped to find.
SHIPPED = {"harness.shipped.cases": "test-fixtures", "harness.shipped.docs": "docs"}

setup(packages=[*find_packages(include=["evolution*", "harness*"]), *SHIPPED], package_dir=SHIPPED)
