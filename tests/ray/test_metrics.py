"""What Ray's dashboard and Prometheus get of a training."""

from __future__ import annotations

import re
import time
import urllib.request

import pytest
import ray
from trainings import distributed, free_port, slow_down, small

from playmat.train.trainer import Trainer

pytest.importorskip("prometheus_client", reason="metrics need ray[default]")
pytest.importorskip("aiohttp_cors", reason="metrics need ray[default]")


def test_gauges_reach_the_metrics_of_ray() -> None:
    """By the address that Prometheus reads, and that the dashboard's charts come from."""
    port = free_port()
    ray.init(
        "local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error",
        _metrics_export_port=port, _system_config={"metrics_report_interval_ms": 500},
    )  # fmt: skip
    try:
        config = small("leduc_poker", num_envs=32)
        trainer = Trainer("leduc_poker", {}, config, algorithm=distributed(2, max_policy_lag=2))
        ppo = trainer.ppo
        slow_down(ppo, 0, 0.05)
        wanted = {"decisions_per_second", "lost_workers", "policy_lag", "rollout_megabytes"}
        found: dict[str, float] = {}
        until = time.monotonic() + 120
        while not (wanted <= found.keys() and found["policy_lag"]) and time.monotonic() < until:
            trainer.update()
            page = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
            lines = re.findall(r"^ray_playmat_(\w+)\{[^}]*\} (\S+)$", page, re.MULTILINE)
            found = {name: float(value) for name, value in lines}
        assert wanted <= found.keys()
        assert 0 < found["policy_lag"] <= 2 and found["lost_workers"] == 0
        assert found["decisions_per_second"] > 0
        assert found["rollout_megabytes"] == pytest.approx(ppo.metrics["ray/rollout_megabytes"])
        ppo.close()
    finally:
        ray.shutdown()
