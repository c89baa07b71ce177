"""The networks that come with the library score what their cards say.

Where the captions are absent it is skipped, and says so.
"""

import pytest

from course_lab.experiments.real import networks
from tests.real.captions import require_multi30k


@pytest.fixture(scope="module", autouse=True)
def captions_present():
    require_multi30k()


@pytest.mark.parametrize("name", networks.NAMES)
def test_the_bleu_of_the_card_comes_out_again(name):
    network = networks.load(name)
    found = networks.bleu(network)
    # Another processor may choose another word where two are nearly alike.
    assert found == pytest.approx(network.about["packed"], abs=0.3)
    for way, before in network.about["before"].items():
        assert found[way] > before - 0.5
