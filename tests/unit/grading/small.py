"""A homework of two questions, for the grader's own tests."""

SOURCE = '''\
# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw99_small

# %% [markdown]
# # Homework 99

# %%
import torch

from course_lib.attention.softmax import masked_softmax

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 10

# %% [markdown]
# ## Question 1. Twice

# %%
def double(x):
    """Twice x."""
    # BEGIN SOLUTION
    return 2 * x
    # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 5
"""  # END TEST CONFIG


def test_example(double):
    """One number."""
    import torch

    got = double(torch.tensor([3.0]))
    assert isinstance(got, torch.Tensor), f"want a tensor; got a {type(got).__name__}"
    assert torch.equal(got, torch.tensor([6.0])), f"want 6; got {got.tolist()}"


# %%
""" # BEGIN TEST CONFIG
points: 5
hidden: true
failure_message: Random numbers.
"""  # END TEST CONFIG


def test_random(double):
    """Random numbers."""
    import torch

    draw = torch.Generator().manual_seed(1)
    x = torch.randn(3, generator=draw)
    given = x.clone()
    got = double(x)
    assert torch.equal(x, given), "double changes what it is given"
    assert torch.equal(got, 2 * x), "want twice the numbers"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 10

# %% [markdown]
# ## Question 2. Four times

# %%
def fourfold(x):
    """Four times x, by two calls of double."""
    # BEGIN SOLUTION
    return double(double(x))
    # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 10
hidden: true
failure_message: Random numbers.
"""  # END TEST CONFIG


def test_fourfold(fourfold):
    """Random numbers."""
    import torch

    draw = torch.Generator().manual_seed(2)
    x = torch.randn(3, generator=draw)
    assert torch.allclose(fourfold(x), 4 * x), "want four times the numbers"

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION
'''

RIGHT = "def double(x):\n    return 2 * x\n"
FOURFOLD = "def fourfold(x):\n    return double(double(x))\n"


def notebook(*cells: str) -> dict:
    """A notebook of these code cells, after the import that the homework gives."""
    sources = ["import torch\n\nfrom course_lib.attention.softmax import masked_softmax", *cells]
    return {"cells": [{"cell_type": "code", "source": source} for source in sources]}
