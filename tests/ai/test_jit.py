"""The decorator of all kernels."""

from collections.abc import Callable
from typing import Any

import pytest

from ai import jit, kernels


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Callable[[Any], Any]:
    monkeypatch.setattr(kernels, "cache_folder", lambda family: tmp_path)

    def made(function: Any) -> Any:
        function.__module__ = "ai.sokoban.probe"
        return jit.kernel(function)

    return made


def test_a_constant_as_argument_needs_no_code_of_its_own(kernel: Callable[[Any], Any]) -> None:
    """Without that a kernel would be compiled again for every constant that others call it with."""

    @kernel
    def power(base: int, exponent: int, twice: bool) -> int:
        return base ** (exponent + exponent) if twice else base**exponent

    @kernel
    def powers(base: int) -> int:
        return power(base, 1, False) + power(base, exponent=2, twice=True) + power(base, base, base > 2)

    assert powers(2) == 2 + 16 + 4
    print(power.signatures)
    assert len(power.signatures) == 1
