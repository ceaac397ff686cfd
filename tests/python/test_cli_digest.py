"""`playmat digest`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Call


def test_digest_is_as_released(call: Call) -> None:
    status, out, _ = call("digest")
    assert "not in the table" not in out, "run: make generate"
    assert status == 0, out


def test_digest_tells_a_difference(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playmat.cli import digest

    file = tmp_path / "digests.json"
    assert call("digest", "kuhn_poker", "--update", file)[0] == 0
    known = json.loads(file.read_text())
    (key,) = [k for k in known["games"]["kuhn_poker"]["digests"] if k == "players=2"]
    known["games"]["kuhn_poker"]["digests"][key] = "0" * 8
    file.write_text(json.dumps(known))
    monkeypatch.setattr(digest, "TABLE", file)
    status, out, _ = call("digest", "kuhn_poker")
    assert status == 1
    assert "DIFFERS" in out
