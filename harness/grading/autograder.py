"""The autograder for Gradescope as a zip: the configuration, its suites, this harness, and how to start it.

It is unpacked to /autograder/source. Gradescope runs setup.sh once, with a network, and run_autograder as
root for each submission. Another folder than /autograder can be named by the variable AUTOGRADER.
"""

import os
import zipfile
from collections.abc import Iterator
from io import BytesIO
from shlex import quote

from harness.errors import WrongUse
from harness.files import read_file
from harness.grading.config_file import read_config
from harness.shipped import shipped_cases, shipped_docs

PACKAGES = ("evolution", "harness")
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # what they lie in
WHEN = (1980, 1, 1, 0, 0, 0)  # so that the same contents make the same file
PROGRAM, PLAIN = 0o755, 0o644

SETUP = """\
#!/bin/sh
# Installs what the harness needs, once. Gradescope runs this as root, with a network.
set -e
top=${{AUTOGRADER:-/autograder}}
if command -v apt-get > /dev/null && [ -z "$NO_APT" ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -qq -y python3 python3-venv bubblewrap
fi
python=${{PYTHON:-python3}}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "setup.sh: the harness needs Python 3.11 or later, and here is $("$python" --version);" \\
    "choose a newer base image" >&2
  exit 1
fi
"$python" -m venv "$top/venv"
"$top/venv/bin/pip" install -q {needs}
"""

RUN = """\
#!/bin/sh
# Grades one submission. Gradescope runs this as root; programs run as a user without rights, shut in. Where
# neither bubblewrap nor Landlock works, nothing is run, no result is written, and nobody loses a mark.
top=${{AUTOGRADER:-/autograder}}
chmod 700 "$top/source" "$top/results"
work=$(mktemp -d) && chmod 711 "$work" || exit 74  # where programs are, for a user without rights
metadata=$top/submission_metadata.json
is_object='import orjson, sys; orjson.loads(open(sys.argv[1], "rb").read()).keys()'
if ! "$top/venv/bin/python" -c "$is_object" "$metadata" 2> /dev/null; then
  echo "$metadata cannot be read: graded as a first submission that is in time" >&2
  metadata=$work/metadata.json
  echo '{{}}' > "$metadata"
fi
PYTHONPATH=$top/source PYTHONDONTWRITEBYTECODE=1 "$top/venv/bin/python" -m harness grade \\
  --config "$top/source"/{config} "$top/submission" --metadata "$metadata" \\
  --gradescope "$top/results/results.json" --out "$work/grades" --sandbox on
status=$?
rm -rf "$work"
exit $status
"""


def write_autograder(path: str, config: str) -> str:
    """Write the zip for a configuration; what is to be said of it. Raises WrongUse or ConfigError."""
    from harness.files import replace_file
    from harness.report import check_target
    from harness.report.words import safe

    check_target("--gradescope-zip", path, b"PK")
    if not os.path.isfile(config):
        raise WrongUse(f"--config: {config} does not exist")
    try:
        files = _packed(config)
    except OSError as problem:
        raise WrongUse(f"--gradescope-zip: {problem.filename}: {problem.strerror}") from None
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, mode) in sorted(files.items()):
            entry = zipfile.ZipInfo(name, WHEN)
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    try:
        replace_file(path, packed.getvalue())
    except OSError as problem:
        raise WrongUse(f"--gradescope-zip: {path}: {problem.strerror}") from None
    return f"{safe(path)} is an autograder of {len(files)} files; upload it to Gradescope"


def _packed(config: str) -> dict[str, tuple[bytes, int]]:
    """All files of the zip, and the modes that they have."""
    return {
        "setup.sh": (SETUP.format(needs=" ".join(f"'{one}'" for one in _needs())).encode(), PROGRAM),
        "run_autograder": (RUN.format(config=quote(os.path.basename(config))).encode(), PROGRAM),
        **dict(_course(config)),
        **dict(_product()),
    }


def _course(config: str) -> "Iterator[tuple[str, tuple[bytes, int]]]":
    """The configuration and the suites that it names, by their paths from its folder."""
    folder = os.path.realpath(os.path.dirname(config) or ".")
    name = os.path.basename(config)
    if name in ("setup.sh", "run_autograder", *PACKAGES):
        raise WrongUse(f"--config: in an autograder, {name} has another meaning; rename it")
    yield name, _read(os.path.join(folder, name))
    suites = read_config(config).suites
    if not suites:
        raise WrongUse(f"{config}: has no [[suite]] that could be packed")
    for suite in (suite for suite in suites if suite.path):
        path = os.path.realpath(suite.path)
        inside = os.path.relpath(path, folder)
        if inside.split(os.sep)[0] in (os.pardir, os.curdir, *PACKAGES):
            raise WrongUse(
                f"{config}: suite {suite.path} must lie below the folder of the file, to be packed"
            )
        if not os.path.exists(path):
            raise WrongUse(f"{config}: suite {suite.path} does not exist")
        paths = _files(path) if os.path.isdir(path) else [path]
        yield from ((os.path.relpath(one, folder), _read(one)) for one in paths)


def _product() -> "Iterator[tuple[str, tuple[bytes, int]]]":
    """This harness as it is installed, with the cases and pages that come along."""
    for package in PACKAGES:
        top = os.path.join(TOP, package)
        for path in _files(top):
            yield os.path.join(package, os.path.relpath(path, top)), _read(path)
    for name, folder in (("cases", shipped_cases()), ("docs", shipped_docs())):
        for path in _files(folder):
            if path.endswith((".json", ".md")):
                yield os.path.join("harness/shipped", name, os.path.relpath(path, folder)), _read(path)


def _files(folder: str) -> "Iterator[str]":
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one != "__pycache__" and not one.startswith("."))
        yield from (os.path.join(here, name) for name in sorted(names) if not name.endswith(".pyc"))


def _read(path: str) -> tuple[bytes, int]:
    return read_file(path), PROGRAM if os.access(path, os.X_OK) else PLAIN


def _needs() -> list[str]:
    """The packages that the harness needs: of the checkout, or else as it was installed."""
    from configparser import ConfigParser
    from importlib.metadata import PackageNotFoundError, requires

    settings = ConfigParser()
    if settings.read(os.path.join(TOP, "setup.cfg")) and settings.has_option("options", "install_requires"):
        found = settings["options"]["install_requires"].split("\n")
    else:
        try:
            found = requires("evolution-harness") or []
        except PackageNotFoundError:
            found = []
    return [one.replace(" ", "") for one in found if one and ";" not in one]
