"""A GPT whose attention can be linear, so that what it keeps does not grow with the text.

`LinearGPT` is `GPT` with one part exchanged, the mixer, the only part that carries something from
token to token. Embeddings, feed-forward, norms and output layer are those of `GPT`, and for one
seed so are the first weights. With mixer="softmax" and no convolution it is `GPT`; the three others
are the rules of `attention/linear.py`.

A short convolution before the mixer is an option for all four. A linear mixer can hardly read the
token just before without it; attention with softmax gains by it too, so a comparison needs it on
both sides.

Letters: D model width, T tokens, S prompt length, K keys, C tokens that the convolution sees.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.linear import LinearState
from course_lib.attention.masks import causal_mask, for_keys, positions_of, require_padding_mask
from course_lib.models.gpt import GPT, GPTConfig, GPTLayer
from course_lib.models.mixers import RULES, LinearMixer, ShortConvolution
from course_lib.models.protocol import EncoderDecoder, Memory, Output, State, Step

MIXERS = ("softmax", *RULES)


@dataclass(frozen=True)
class LinearGPTConfig(GPTConfig):
    """A `GPTConfig` and its mixer.

    Attributes:
        mixer: one of `MIXERS`.
        convolution: C, the tokens that a causal convolution before the mixer sees; 0 for none.
        normaliser: of the mixer "linear"; see `LinearMixer`.

    Raises:
        ValueError: there is no such mixer, C is negative, or a setting is one of softmax alone.
    """

    mixer: str = "softmax"
    convolution: int = 0
    normaliser: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mixer not in MIXERS or self.convolution < 0:
            raise ValueError(
                f"want a mixer out of {MIXERS} and a convolution of 0 or more tokens; got "
                f"{self.mixer!r} and {self.convolution}"
            )
        of_softmax = self.kv_heads is not None or self.attention_dropout or not self.scaled
        if self.mixer != "softmax" and of_softmax:
            raise ValueError(
                "want no kv_heads, no attention_dropout and scaled=True, which only "
                f"mixer='softmax' uses; got mixer={self.mixer!r}"
            )


class LayerState(NamedTuple):
    """What a layer keeps of the tokens so far.

    Attributes:
        recent: (B, C - 1, D), what the convolution will see again; None without one.
        memory: of a linear mixer.
        cache: of softmax: keys and values, which grow with the tokens.
        visible: of softmax: (B, K), True at the tokens among them.
    """

    recent: Float[Tensor, "B R D"] | None = None
    memory: LinearState | None = None
    cache: KeyValueCache | None = None
    visible: Bool[Tensor, "B K"] | None = None


class LinearGPTLayer(GPTLayer):
    """x + mixer(convolution(norm(x))), then x + feed-forward(norm(x))."""

    def __init__(self, config: LinearGPTConfig) -> None:
        super().__init__(config)
        self.softmax, self.convolution = config.mixer == "softmax", None
        if not self.softmax:
            self.self_attention = LinearMixer(
                config.width,
                config.heads,
                config.mixer,
                key_width=config.key_width,
                value_width=config.value_width,
                bias=config.bias,
                rotary=config.positions == "rotary",
                normaliser=config.normaliser,
            )
        if config.convolution:
            self.convolution = ShortConvolution(config.width, config.convolution)

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        *,
        mask: Bool[Tensor, "B T"],
        past: LayerState,
        positions: Int[Tensor, "*P T"],
    ) -> tuple[Float[Tensor, "B T D"], LayerState]:
        """One layer.

        Args:
            x: the tokens.
            mask: True at tokens, False at padding.
            past: what this layer kept of the tokens before.
            positions: of the tokens, (T,) or (B, T).
        """
        y, recent = self.around_self.pre_norm(x), None
        if self.convolution is not None:
            y, recent = self.convolution(y.masked_fill(~mask.unsqueeze(-1), 0.0), past.recent)
        if self.softmax:
            cache, visible = self.self_attention.project_kv(y, positions), mask
            if past.cache is not None:
                cache = past.cache.followed_by(cache)
                visible = torch.cat([past.visible, mask], dim=1)
            seen = for_keys(visible) & causal_mask(x.shape[1], cache.length, device=x.device)
            y = self.self_attention.attend(y, cache, mask=seen, positions=positions).context
            state = LayerState(recent, cache=cache, visible=visible)
        else:
            y, memory = self.self_attention(y, positions, mask=mask, state=past.memory)
            state = LayerState(recent, memory)
        x = self.around_self.residual(x, y)
        return self.around_feed_forward(x, self.feed_forward), state


class LinearGPT(GPT):
    """Logits (B, T, V) of the token after each, from tokens (B, T), as `GPT`.

    `fit` trains it by `language_model_loss`; `LinearContinuing` makes it serve greedy search, beam
    search and sampling, with its state in the place of the cache.
    """

    config: LinearGPTConfig
    layer_class = LinearGPTLayer

    def read(
        self, tokens: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"] | None = None
    ) -> tuple[Float[Tensor, "B T D"], tuple[LayerState, ...]]:
        """`run_layers` on tokens with nothing before them; `mask` as in `forward`."""
        if mask is None:
            mask = torch.ones_like(tokens, dtype=torch.bool)
        require_padding_mask(mask, tokens)
        return self.run_layers(tokens, positions_of(mask), mask)

    def run_layers(
        self,
        tokens: Int[Tensor, "B T"],
        positions: Int[Tensor, "*P T"],
        mask: Bool[Tensor, "B T"],
        past: tuple[LayerState, ...] | None = None,
    ) -> tuple[Float[Tensor, "B T D"], tuple[LayerState, ...]]:
        """Tokens that follow those in `past`: input of `lm_head`, and each layer's state.

        Args:
            tokens: the tokens.
            positions: of the tokens, (T,) or (B, T).
            mask: True at tokens, False at padding, which is in front or after all tokens.
            past: for each layer, what it kept of earlier tokens.
        """
        x, states = self.embed(tokens, positions), []
        for layer, before in zip(
            self.layers, past or [LayerState()] * len(self.layers), strict=True
        ):
            x, state = layer(x, mask=mask, past=before, positions=positions)
            states.append(state)
        return self.norm(x), tuple(states)

    def attention_maps(self, *_: Any) -> list[Tensor]:
        """A linear mixer has no attention weights: raises NotImplementedError."""
        raise NotImplementedError("LinearGPT keeps no attention weights; GPT has attention_maps")


@dataclass(frozen=True)
class LinearPrompt(Memory):
    """The prompts, read but for their last tokens, which the first step reads.

    Attributes:
        states: for each layer, what it keeps of the tokens before the last.
        position: of the last token in each row.
        last: the last token of each prompt.
    """

    states: tuple[LayerState, ...]
    position: Int[Tensor, " B"]
    last: Int[Tensor, " B"]


@dataclass(frozen=True)
class LinearContinuation(State):
    """A prompt and its continuation so far.

    Attributes:
        states: for each layer, what it keeps of all tokens; constant in size with a linear mixer.
        position: of the next token in each row.
        fresh: True before the first step.
    """

    states: tuple[LayerState, ...]
    position: Int[Tensor, " B"]
    fresh: Bool[Tensor, " B"]


class LinearContinuing(EncoderDecoder):
    """`Continuing` for a `LinearGPT`: greedy search, beam search and sampling, from a state.

    The source is a prompt that begins with START, with padding on either side. A search feeds START
    first, as to every decoder: this one reads the prompt's last token instead.
    """

    def __init__(self, model: LinearGPT) -> None:
        super().__init__()
        self.model, self.config = model, model.config

    def encode(self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]) -> LinearPrompt:
        """Reads the prompts at once.

        Raises:
            ValueError: a prompt is empty (it needs at least START), or the mask does not fit.
            TypeError: the mask is not boolean.
        """
        require_padding_mask(source_mask, source)
        if not source_mask.any(1).all():
            raise ValueError("want START at least in every prompt; got an empty prompt")
        # All padding goes to the front, where states are still zero: every last token is at the
        # end, and so are the tokens that the convolution will see again.
        order = source_mask.long().argsort(dim=1, stable=True)
        source, mask = source.gather(1, order), source_mask.gather(1, order)
        last, before = source[:, -1], F.pad(mask[:, :-1], (1, 0))
        _, states = self.model.read(F.pad(source[:, :-1], (1, 0)), before)
        return LinearPrompt(source_mask, states, before.sum(1), last)

    def start(self, memory: LinearPrompt) -> LinearContinuation:
        """The prompts without their last tokens."""
        fresh = torch.ones_like(memory.position, dtype=torch.bool)
        return LinearContinuation(memory.states, memory.position, fresh)

    def max_steps(self, memory: LinearPrompt) -> int | None:
        """Learned positions end; the prompts have taken some of them."""
        if self.config.positions != "learned":
            return None
        return self.config.max_length - int(memory.position.max())

    def step(
        self,
        token: Int[Tensor, " B"],
        state: LinearContinuation,
        memory: LinearPrompt,
        *,
        return_attention: bool = False,
    ) -> Step:
        """One token; in the first step the prompt's last, whatever token is given."""
        logits, state = self._read_tokens(token.unsqueeze(1), state, memory)
        return Step(logits[:, 0], state)

    def decode(
        self, target_in: Int[Tensor, "B T"], memory: LinearPrompt, *, return_attention: bool = False
    ) -> Output:
        """Teacher forcing, all steps at once."""
        return Output(self._read_tokens(target_in, self.start(memory), memory)[0])

    def _read_tokens(
        self, tokens: Int[Tensor, "B T"], state: LinearContinuation, memory: LinearPrompt
    ) -> tuple[Float[Tensor, "B T V"], LinearContinuation]:
        first = torch.where(state.fresh, memory.last, tokens[:, 0])
        tokens = torch.cat([first.unsqueeze(1), tokens[:, 1:]], dim=1)
        count, mask = tokens.shape[1], torch.ones_like(tokens, dtype=torch.bool)
        positions = state.position.unsqueeze(1) + torch.arange(count, device=tokens.device)
        x, states = self.model.run_layers(tokens, positions, mask, state.states)
        after = replace(
            state,
            states=states,
            position=state.position + count,
            fresh=torch.zeros_like(state.fresh),
        )
        return self.model.lm_head(x), after
