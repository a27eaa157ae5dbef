"""Fixtures for pytest: a world for each test, closed at its end. The server is named by WHEREABOUTS_URL."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from whereabouts import World, open_worlds


@pytest.fixture
def create_world() -> Iterator[Callable[..., World]]:
    """Creates further worlds, or one of another scenario: `create_world("expiring")`. Options are those of `World.create`.

    The test fails if a request or a response in them broke the contract, unless `violations="allowed"`.
    """
    with open_worlds() as create:
        yield create


@pytest.fixture
def world(create_world: Callable[..., World]) -> World:
    """A world of the scenario `family`."""
    return create_world()
