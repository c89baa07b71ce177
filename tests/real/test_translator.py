"""The translator in the page and PyTorch write the same for the captions of a test split."""

import base64

from course_lab.experiments.real import in_page, networks
from course_lab.figures.touch.core import web_file
from course_lib.data.corpora import multi30k
from course_lib.evaluation.translate import translate
from tests.book.conftest import chromium
from tests.real.captions import require_multi30k

__all__ = ["chromium"]

EACH = 150
"""Sentences in each direction."""
_WRITE = """async ([base64, sentences]) => {
  const { tensors, told } = readTensors(base64), net = transformerNet(tensors, 4);
  const bpe = bytePairs(told.tokens, told.merges, told.twins), found = [];
  for (const text of sentences) {
    const best = await search(net, [...bpe.encode(text).ids, END], { alpha: 0.6, most: 60 });
    found.push(bpe.decode(best.tokens));
  }
  return found;
}"""


def test_it_writes_what_pytorch_writes(chromium):
    require_multi30k()
    network = networks.load(in_page.NAME)
    english, german = in_page.WAYS
    pairs = multi30k.load("test_2016_flickr", "en", "de")[:EACH]
    sentences = [f"{english.mark} {left}" for left, _ in pairs]
    sentences += [f"{german.mark} {right}" for _, right in pairs]
    right = [one.text for one in translate(network.model, sentences, *network.tokenizers)]
    page = chromium.new_page()
    names = ("maths", "net", "transformer", "bpe", "search")
    page.add_script_tag(content="\n".join(web_file(f"{name}.js") for name in names))
    net = base64.b64encode(in_page.in_one_file()).decode()
    assert page.evaluate(_WRITE, [net, sentences]) == right
