"""The topics of `harness help`: short pages about what several commands have in common.

What is listed here also stands in docs/, at more length; tables come from the modules that own them.
"""

from harness.judging.verdicts import MEANING, VERDICTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

KNOWN_FAILURES = "known-failures.txt"

STATUSES = {
    0: "everything passed, or no fault was found",
    1: "something did not pass, differs, or was found",
    2: "the command line or a path is wrong; no cases found is wrong, too",
    65: "input was refused: not JSON, ill-formed, or against the rules; one line says where and why",
    69: "something that is needed is missing: a package (the message says what to type), a server, a port",
    70: "a fault of the harness itself; please report it",
    74: "something could not be read or written",
    75: "xserver --give-up: not enough players have signed up in time",
    76: "xclient: thrown out of a game, or cut off from it",
    130: "interrupted; what had ended by then is summed up",
}


def _table(rows: "list[tuple[str, str]]") -> str:
    wide = max(len(left) for left, _ in rows)
    return "\n".join(f"  {left:{wide}}  {right}" for left, right in rows)


def verdicts() -> str:
    """The verdicts on a case, and what each means."""
    rows = [(verdict, MEANING[verdict]) for verdict in VERDICTS]
    return f"""\
Every case that is run gets one verdict, the same word in every report:

{_table(rows)}

The first reason that applies is given: a program that prints the right answer and then crashes has
crashed. The exit status of a program is recorded, but it does not decide. A case that timed out
while others ran is run once more alone before that counts.
"""


def statuses() -> str:
    """The exit statuses of the commands."""
    return f"""\
What `harness` and the x-programs end with:

{_table([(str(status), words) for status, words in STATUSES.items()])}

A rightly empty answer of an x-program is a success: 0. Each command's --help says which of these it
uses.
"""


def cases() -> str:
    """Which files make a case."""
    return """\
A case is an input and the expected output, in files of any of these names:

  NAME-in.json     NAME-out.json      and NAME-args.json, if it has arguments
  NAME.in.json     NAME.out.json      and NAME.args.json
  NAME_in.json     NAME_out.json      and NAME_args.json
  NAME.in          NAME.ans           and NAME.args
  NAME.in          NAME.out           and NAME.args
  in/NAME.json     out/NAME.json      and args/NAME.json
  input/NAME.json  output/NAME.json   and args/NAME.json
  inNAME.json      outNAME.json       and argsNAME.json, if NAME begins with a digit
  NAME/in.json     NAME/out.json      and NAME/args.json

A directory may have several of them. For other names give a pattern, in which {name} stands for the
name of the case: --names '{name}.input:{name}.expected'. The file of the arguments may follow after a
second colon, and a pattern may have folders: '{name}/given.json:{name}/want.json'. It is tried before
the usual names. One line names the files that look like cases and are not taken, with the pattern that
would take them if one can be guessed.

A case is for the program (xattack, xfeed, …) that the nearest folder above it is named after. If the
expected output is white space alone, nothing is expected. Arguments are a JSON list of strings. On the
command line, a case is named by any of its files, or by what the names of its files have in common.

  harness check DIR      finds what is wrong with the cases of a directory
  harness bless CASE     writes the expected output of a new one
  harness explain CASE   explains why the answer is what it is
  harness cases          lists those that come with the harness (see harness cases --help)
"""


def comparing() -> str:
    """When two answers are equal."""
    return """\
Answers are compared by meaning:

  - white space and the spelling of numbers do not count (1.0 is 1), but true is not 1;
  - the traits of a board are a set: their order does not count;
  - growth may be labelled, ["population", board, card], or not, [board, card];
  - everything else counts: the order of players, boards and cards, and every number exactly.

With --exact the JSON values are compared as they are. A case with arguments may expect plain text,
which is compared line by line.
"""


def formats() -> str:
    """The JSON that goes in and out."""
    return """\
The values, in short; docs/formats.md says it all:

  Species          [["food",Nat],["body",Nat],["population",Nat+],["traits",[Trait, …]]]
                   and, with fat-tissue, a fifth pair ["fat-food",Nat]
  Card             [food value, Trait]
  Player           [["id",Natural+],["species",[Species, …]],["bag",Natural]]
                   and, if the hand is not empty, ["cards",[Card, …]]
  Situation        [defender, attacker, left neighbour or false, right neighbour or false]
  Feeding          [Player, tokens, [Player, …]]
  State            [bag, [Species, …], [Card, …], tokens, [[Species, …], …]]
  Configuration    [[Player, …], tokens, [Card, …]]
  CarnivoreChoice  [own carnivore, other player, board]
  Action4          [food card, [GP, …], [GB, …], [BT, …], [RT, …]]
  Choice           [Player, [[Species, …], …] before it, [[Species, …], …] after it]

The programs:

  xattack   Situation                      true or false: can it be attacked?
            [State, CarnivoreChoice]       true or false, or nothing if there is no such board
  xfeed     Feeding or State               what the Silly player feeds, or nothing
  xstep     Configuration or State         the Configuration or State after one feeding step
  xstep4    [Configuration, [Action4, …]]  the Configuration after step 4, or nothing
            [State, Action4]               the State after step 4, or nothing
  xsilly    Choice or State                what the Silly player does with its cards
"""


def known_failures() -> str:
    """Failures that are expected for now."""
    return f"""\
A file {KNOWN_FAILURES} in a directory of cases lists those below it that are known to fail, one per
line, by their path from that directory; what follows a # is a remark:

  xstep/horns-kill-both        # wrong answer
  xfeed/ties-by-body

`harness run` does not fail because of a known failure; the report calls it one. A known failure that
passes fails the run: remove it from the list. `harness run --write-known-failures` writes the file
from what fails now.
"""


def isolation() -> str:
    """Limits and the sandbox."""
    return """\
Each case runs in a process group and a scratch directory of its own, under limits of time, memory,
output, file size and number of processes that hold from its first instruction. At its end everything
that it started is gone.

With bubblewrap installed (apt install bubblewrap), programs also run in a sandbox: there is no network,
nothing to write to but folders in memory, and no files to see but the system's, installed interpreters and
their own folder (the one above, if that is called bin); so no cases, no other team, no home directory, and
nothing of this harness, which could answer in their place. --sandbox on insists on a sandbox, --sandbox off
does without, and auto uses one if it works here; the end of the report says which it was. grade, fest and
vote insist unless they are told otherwise. Do not run programs of people you do not trust without a sandbox.

A program that needs other files fails every case. Put them into its folder, or let it read them where they
are: --show /opt/jdk, or show = ["/opt/jdk"] under [limits] of grade.toml.
"""


def journal() -> str:
    """The record of a run, from which it can be continued and reported."""
    return """\
`harness run --json FILE` writes one JSON object per case, each on a line of its own, as the case ends.
`harness run --schema` prints their JSON Schema. A run that was interrupted or killed goes on with
`harness run --resume FILE`: what is recorded is not run again, and the report at the end is that of
the whole run. `harness report FILE` makes any report from a journal, later.
"""


TOPICS: "dict[str, Callable[[], str]]" = {
    "verdicts": verdicts,
    "statuses": statuses,
    "cases": cases,
    "comparing": comparing,
    "formats": formats,
    "known-failures": known_failures,
    "isolation": isolation,
    "journal": journal,
}
