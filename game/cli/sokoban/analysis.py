"""What `analyze` says of a position of Sokoban: one that is solved is worth minus the pushes left."""

from typing import Any

from typing_extensions import override

from ai.agent import Plan, Status
from game.cli.analysis import Analysis
from game.play.sokoban.solving import verify
from game.rules.sokoban import State


class SokobanAnalysis(Analysis):
    """Solutions, played again by the rules."""

    @override
    def score(self, state: State, plan: Plan) -> float | None:
        """Minus the pushes left."""
        return -verify(state, plan.actions)[1] if plan.status is Status.SOLVED else None

    @override
    def values(self, state: State, plan: Plan) -> dict[int, float | None]:
        """The action that is played is worth what the position is, unless the agent says otherwise."""
        found = super().values(state, plan)
        if plan.actions:
            found.setdefault(plan.actions[0], self.score(state, plan))
        return found

    @override
    def more(self, state: State, plan: Plan) -> dict[str, Any]:
        """Whether it is solved, and how."""
        solution = verify(state, plan.actions)[0] if plan.status is Status.SOLVED else None
        return {"status": plan.status.value, "solution": solution}


ANALYSIS = SokobanAnalysis
