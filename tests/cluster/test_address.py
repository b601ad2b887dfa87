"""Which cluster is meant, and that nobody is spoken to in plain text who is not here."""

import json
from pathlib import Path

import pytest

from harness.cluster.address import Cluster, cluster_at
from harness.errors import UserError, WrongUse
from tests.support.grading_helpers import harness
from tests.support.keeper import write_case, write_program


@pytest.fixture
def certificates(tmp_path: Path) -> str:
    for name in ("ca.pem", "cert.pem", "key.pem"):
        (tmp_path / name).touch()
    return str(tmp_path)


@pytest.mark.parametrize(
    ("text", "cluster"),
    [
        ("local", Cluster(local=2)),
        ("local:5", Cluster(local=5)),
        ("127.0.0.1:8786", Cluster("tcp://127.0.0.1:8786")),
        ("tcp://127.3.2.1:8786", Cluster("tcp://127.3.2.1:8786")),
        ("tcp://localhost:1", Cluster("tcp://localhost:1")),
        ("[::1]:8786", Cluster("tcp://[::1]:8786")),
    ],
)
def test_a_cluster_on_this_machine_needs_nothing(text: str, cluster: Cluster) -> None:
    assert cluster_at(text, cores=2) == cluster


@pytest.mark.parametrize(
    "host", ["10.1.2.3", "example.org", "[2001:db8::1]", "0.0.0.0", "127.0.0.1.example.org"]
)
def test_another_machine_is_spoken_to_by_tls_or_if_somebody_insists(host: str, certificates: str) -> None:
    with pytest.raises(WrongUse, match=r"is another machine, and whoever reaches .* can run code"):
        cluster_at(f"tcp://{host}:8786")
    assert cluster_at(f"{host}:8786", insecure=True) == Cluster(f"tcp://{host}:8786")
    assert cluster_at(f"{host}:8786", certificates).address == f"tls://{host}:8786"
    assert cluster_at(f"tls://{host}:8786", certificates).tls == certificates


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nowhere", "nowhere is not known; name an address such as"),
        ("ucx://127.0.0.1:8786", "is not known"),
        ("127.0.0.1:99999", "is not known"),
        ("127.0.0.1:", "is not known"),
        ("127.0.0.1:0", "is not known"),
        pytest.param(f"127.0.0.1:{'9' * 5000}", "is not known", id="a long port"),
        ("local:0", "write local:N with N from 1 to"),
        ("local:many", "write local:N"),
        pytest.param(f"local:{'9' * 5000}", "write local:N", id="a long number"),
        ("tls://127.0.0.1:8786", "needs certificates; --cluster-tls DIR"),
    ],
)
def test_what_is_no_cluster_is_wrong_use(text: str, why: str) -> None:
    with pytest.raises(WrongUse, match=why):
        cluster_at(text)


def test_certificates_must_be_there_and_of_use(certificates: str) -> None:
    with pytest.raises(WrongUse, match="is not a directory"):
        cluster_at("127.0.0.1:1", f"{certificates}/none")
    with pytest.raises(WrongUse, match="local workers need none"):
        cluster_at("local", certificates)
    with pytest.raises(WrongUse, match="tcp:// is a plain connection"):
        cluster_at("tcp://127.0.0.1:1", certificates)
    Path(certificates, "key.pem").unlink()
    with pytest.raises(WrongUse, match=r"there is no key\.pem in "):
        cluster_at("127.0.0.1:1", certificates)


def test_a_scheduler_file_says_the_address_and_must_be_one(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(json.dumps({"address": "tcp://127.0.0.1:4711", "type": "Scheduler"}))
    assert cluster_at(str(file)) == Cluster("tcp://127.0.0.1:4711")
    for text in ("", "[]", "{}", '{"address": 3}', "[" * 100_000):
        file.write_text(text)
        with pytest.raises(UserError, match=r"scheduler\.json: ") as refused:
            cluster_at(str(file))
        assert refused.value.status == 65
    file.write_text(json.dumps({"address": "tcp://10.0.0.1:4711"}))
    with pytest.raises(WrongUse, match=r"10\.0\.0\.1 is another machine"):
        cluster_at(str(file))


@pytest.mark.parametrize("words", [["--insecure"], ["--cluster-tls", "."]])
def test_how_to_speak_to_a_cluster_is_said_with_the_cluster(words: list[str], tmp_path: Path) -> None:
    write_program(tmp_path / "team" / "xattack", "#!/bin/sh\n")
    write_case(tmp_path / "suite" / "xattack", "case", "1", "1")
    done = harness(tmp_path, "grade", "team", "--suite", "suite", "--sandbox", "off", *words)
    assert (done.returncode, (tmp_path / "grades").exists()) == (2, False)
    assert "are about a cluster; name it with --cluster" in done.stderr
