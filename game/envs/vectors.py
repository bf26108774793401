"""What the vector environments share."""

import numpy as np
import numpy.typing as npt


def reset_mask(mask: object, count: int) -> npt.NDArray[np.bool_]:
    """The boards that the option `reset_mask` of `reset` names, all where it is None; raises ValueError."""
    if mask is None:
        return np.ones(count, np.bool_)
    if not isinstance(mask, np.ndarray) or mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
        raise ValueError(f"A reset_mask is a numpy array of {count} truth values, at least one of them True.")
    return mask
