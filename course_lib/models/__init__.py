"""Translators, one file a paper, all on the protocol of `course_lib.models.protocol`."""

from .bahdanau import Bahdanau, BahdanauConfig
from .captioner import Captioner, CaptionerConfig
from .cho import Cho, ChoConfig
from .cloze import Cloze, ClozeConfig
from .decomposable import Decomposable, DecomposableConfig
from .dot_product import DotConfig, DotProduct
from .gpt import GPT, GPTConfig, gpt2, llama
from .hierarchical import HierarchicalAttention, HierarchicalConfig
from .language_model import Continuing, LanguageModel, LanguageModelConfig
from .linear_gpt import LinearGPT, LinearGPTConfig
from .lstmn import LSTMNConfig, LSTMNTranslator
from .luong import Luong, LuongConfig
from .pair_baselines import BagConfig, BagOfVectors, LSTMPair, LSTMPairConfig
from .parts import initialise
from .pretrained import load_gpt2
from .protocol import EncoderDecoder, Memory, Output, State, Step, evaluating
from .registry import MODELS, build
from .sutskever import Sutskever, SutskeverConfig
from .transformer import Transformer, TransformerConfig, paper_base
