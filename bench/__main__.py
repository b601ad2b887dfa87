"""`python -m bench [NAME...]`: run these benchmarks, or all of them."""

import argparse
from importlib import import_module
from pkgutil import iter_modules

import bench


def names() -> list[str]:
    """The benchmarks there are: every module of the package but this one."""
    return sorted(found.name for found in iter_modules(bench.__path__) if not found.name.startswith("_"))


def title(name: str) -> str:
    """The first line of a benchmark's docstring."""
    lines = (import_module(f"bench.{name}").__doc__ or name).strip().splitlines()
    return lines[0]


def main() -> None:
    """Run what the command line asks for, one after the other."""
    listed = "\n".join(f"  {name:10} {title(name)}" for name in names())
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure side by side, in one run. Without a name, everything.",
        epilog=f"benchmarks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="*", help="a benchmark")
    chosen = parser.parse_args().name
    for name in chosen:
        if name not in names():
            parser.error(f"there is no benchmark {name}; there are {', '.join(names())}")
    for name in chosen or names():
        print(f"{title(name)}\n")
        import_module(f"bench.{name}").main()
        print(f"\n{bench.machine()}; measured by: .venv/bin/python -m bench {name}\n", flush=True)


if __name__ == "__main__":
    main()
