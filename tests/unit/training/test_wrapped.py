"""A wrapper of PyTorch's around a model changes neither what is stored nor what can be done."""

import pytest
import torch
import torch.distributed as dist
from torch import nn

from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.models.registry import build
from course_lib.training.checkpoint import load_run, read_tensors, save_run, weights_of
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit

PAIRS = [("der Hund sieht", "the dog sees"), ("Hund", "dog"), ("der Mann sieht", "the man sees")]
TOKENIZERS = tuple(
    WordVocabulary.from_sentences([pair[side].split() for pair in PAIRS]) for side in (0, 1)
)
SETTINGS = {
    "source_vocabulary": len(TOKENIZERS[0]),
    "target_vocabulary": len(TOKENIZERS[1]),
    "embedding": 4,
    "hidden": 4,
}
CONFIG = FitConfig(steps=3, validate_every=2)
# The wrapper of `torch.compile` without the compiler, which the tests' type checker stops.
compiled = torch.compiler.disable


def model():
    return build("dot", SETTINGS, torch.Generator().manual_seed(1))


def batches():
    return Batches(encode_pairs(PAIRS, *TOKENIZERS), pairs_per_batch=2)


@pytest.fixture(scope="module")
def group(tmp_path_factory):
    """One process that is a group of its own, for `DistributedDataParallel`."""
    if not dist.is_available():
        pytest.skip("this PyTorch was built without torch.distributed")
    file = tmp_path_factory.mktemp("group") / "store"
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


WRAPPERS = {
    "compile": compiled,
    "distributed": nn.parallel.DistributedDataParallel,
    "both": lambda net: compiled(nn.parallel.DistributedDataParallel(net)),
}
wrapped = pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)


@wrapped
@pytest.mark.usefixtures("group")
def test_it_trains_saves_resumes_and_is_loaded_as_the_model_itself(wrap, tmp_path):
    for folder, around in (("plain", lambda net: net), ("wrapped", wrap)):
        save_run(
            tmp_path / folder,
            name="dot",
            model_config=SETTINGS,
            data={},
            training=CONFIG.to_dict(),
            tokenizers=TOKENIZERS,
        )
        net = around(model())
        fit(net, batches(), batches(), CONFIG, directory=tmp_path / folder, progress=False)
    first, second = (
        read_tensors(tmp_path / name / "last.safetensors") for name in ("plain", "wrapped")
    )
    assert first[0].keys() == second[0].keys()
    for name, tensor in first[0].items():
        torch.testing.assert_close(second[0][name], tensor)
    assert first[1]["settings"] == second[1]["settings"]
    # What one of them began the other may end.
    for name, net in (("plain", wrap(model())), ("wrapped", model())):
        fit(
            net,
            batches(),
            batches(),
            CONFIG,
            directory=tmp_path / name,
            resume=True,
            progress=False,
        )
    loaded = load_run(tmp_path / "wrapped", build=build).model
    torch.testing.assert_close(weights_of(loaded), weights_of(net))
