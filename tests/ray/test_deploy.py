"""The files for clusters, as Ray itself reads them, and the image that they name."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import ray
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "ray"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return found


def test_the_launcher_takes_its_file() -> None:
    """By Ray's schema, which allows no unknown names. Only addresses, user and image are open."""
    util = importlib.import_module("ray.autoscaler._private.util")
    launcher = read("cluster.yaml")
    prepared = util.prepare_config(launcher)
    util.validate_config(prepared)
    assert prepared["provider"]["type"] == "local" and prepared["max_workers"] == 1
    with pytest.raises(Exception, match="Additional properties are not allowed"):
        util.validate_config(util.prepare_config({**launcher, "dockre": {}}))
    text = (FOLDER / "cluster.yaml").read_text(encoding="utf-8")
    values = re.sub("#.*", "", text)
    assert set(re.findall(r"\b[A-Z]+(?:_ADDRESS)?\b", values)) - {"RAY", "IP"} == {
        "HEAD_ADDRESS", "WORKER_ADDRESS", "USER", "IMAGE",
    }  # fmt: skip


def test_kuberay_takes_its_file() -> None:
    """Ray's autoscaler, which runs beside the head on Kubernetes, finds the groups and their cores
    in it; the driver's node has none for workers.
    """
    reader = importlib.import_module("ray.autoscaler._private.kuberay.autoscaling_config")
    util = importlib.import_module("ray.autoscaler._private.util")
    kubernetes = read("kuberay.yaml")
    assert (kubernetes["apiVersion"], kubernetes["kind"]) == ("ray.io/v1", "RayCluster")
    kubernetes["metadata"]["namespace"] = "default"
    found = reader._derive_autoscaling_config_from_ray_cr(kubernetes)
    util.validate_config(found)
    head, group = (found["available_node_types"][n] for n in ("headgroup", "rollouts"))
    assert head["resources"]["CPU"] == 0 and group["resources"]["CPU"] == 4
    assert (group["min_workers"], group["max_workers"]) == (1, 64)
    groups = [kubernetes["spec"]["headGroupSpec"], *kubernetes["spec"]["workerGroupSpecs"]]
    containers = [c for g in groups for c in g["template"]["spec"]["containers"]]
    assert [c["image"] for c in containers] == ["IMAGE"] * 2
    assert read("cluster.yaml")["docker"]["image"] == "IMAGE"


def test_the_image_fits_the_package_and_the_cluster() -> None:
    image = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    version = read("kuberay.yaml")["spec"]["rayVersion"]
    assert f"ARG RAY={version}\n" in image
    assert ray.__version__.split(".")[0] == version.split(".")[0]
    cargo = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    (rust,) = re.findall('rust-version = "(.*)"', cargo)
    (built_by,) = re.findall(r"FROM rust:([0-9.]+)-", image)
    assert [int(n) for n in built_by.split(".")] >= [int(n) for n in rust.split(".")]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (extras,) = re.findall(r"playmat-\*\.whl\)\[([a-z,]+)\]", image)
    for extra in extras.split(","):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE), extra
    (least,) = re.findall('requires-python = ">=3.([0-9]+)"', project)
    (python,) = re.findall(r"ARG PYTHON=3\.([0-9]+)", image)
    assert int(python) >= int(least)
    # Debian's Python builds the wheel: for any newer Python, by the stable interface.

    assert f"abi3-py3{least}" in cargo
