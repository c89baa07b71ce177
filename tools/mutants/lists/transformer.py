"""Mistakes in self-attention, the Transformer, the LSTMN, and in how they write."""

from tools.mutants.mutant import Mutant

_POSITION = "course_lib/attention/position.py"
_CACHE = "course_lib/attention/cache.py"
_MULTIHEAD = "course_lib/attention/multihead.py"
_BLOCKS = "course_lib/models/blocks.py"
_LAYERS = "course_lib/models/layers.py"
_TRANSFORMER = "course_lib/models/transformer.py"
_LANGUAGE = "course_lib/models/language_model.py"
_LSTMN = "course_lib/recurrent/lstmn.py"
_TWO_LSTMNS = "course_lib/models/lstmn.py"
_WRITING = "course_lib/decoding/generate.py"
_BEAM = "course_lib/decoding/beam.py"
_SAMPLE = "course_lib/decoding/sample.py"

_PLACES = "tests/unit/attention/test_position.py"
_LAWS = "tests/property/test_position_properties.py"
_GROWING = "tests/unit/attention/test_cache.py"
_HEADS = "tests/unit/attention/test_multihead.py"
_HEADS_PARITY = "tests/parity/test_multihead_parity.py"
_PARITY = "tests/parity/test_transformer_parity.py"
_MODEL = "tests/unit/models/test_transformer.py"
_CACHED = f"{_MODEL}::test_with_a_cache_each_step_gives_what_forward_gives_without"
_INFLUENCE = f"{_MODEL}::test_padding_and_the_future_have_no_influence"
_LANGUAGE_MODEL = "tests/unit/models/test_language_model.py"
_TAPES = "tests/unit/recurrent/test_lstmn.py"
_TRANSLATOR = "tests/unit/models/test_lstmn.py"
_BEAMS = "tests/unit/decoding/test_beam.py"
_SAMPLED = "tests/unit/decoding/test_sample.py"

MUTANTS = [
    Mutant(
        "the scores of few vectors stay turned where there are as many as words",
        _BLOCKS,
        "return turned.T.reshape(*x.shape[:-1], len(table))",
        "return turned.reshape(*x.shape[:-1], len(table))",
        f"{_MODEL}::test_words_are_scored_alike_with_few_vectors_and_with_many_with_a_gradient"
        "_and_without",
    ),
    Mutant(
        "the scale of the fused kernel is forgotten",
        _MULTIHEAD,
        "scale=None if self.scaled else 1.0",
        "scale=1.0",
        _HEADS_PARITY,
    ),
    Mutant(
        "the scale is forgotten where weights are asked for",
        _MULTIHEAD,
        "score=scaled_dot if self.scaled else dot",
        "score=dot",
        _HEADS_PARITY,
    ),
    Mutant(
        "scores over the root of the model's width",
        _MULTIHEAD,
        "scale=None if self.scaled else 1.0",
        "scale=query.shape[-1] ** -0.5 if self.scaled else 1.0",
        _HEADS_PARITY,
    ),
    Mutant(
        "the softmax of the heads over the queries",
        _MULTIHEAD,
        "return Read(self.output(_joined(found.context)), found.weights)",
        "share = (asked @ cache.keys.mT * asked.shape[-1] ** -0.5).softmax(-2)\n"
        "            return Read(self.output(_joined(share @ cache.values)), share)",
        _HEADS_PARITY,
    ),
    Mutant(
        "the polarity of the fused kernel's mask flipped",
        _MULTIHEAD,
        "attn_mask=mask,",
        "attn_mask=None if mask is None else ~mask,",
        _HEADS_PARITY,
    ),
    Mutant(
        "the mask of the heads after the softmax",
        _MULTIHEAD,
        "                mask=mask,\n"
        "                weigh=lambda w: nn.functional.dropout(w, dropout),",
        "                weigh=lambda w: w if mask is None else w * mask,",
        _HEADS_PARITY,
    ),
    Mutant(
        "no gradient reaches the matrix of the queries",
        _MULTIHEAD,
        "self.queries(query)",
        "nn.functional.linear(query, self.queries.weight.detach(), self.queries.bias)",
        _PARITY,
    ),
    Mutant(
        "the mask is forgotten where weights are dropped",
        _MULTIHEAD,
        "attn_mask=mask,",
        "attn_mask=None if dropout else mask,",
        _INFLUENCE,
    ),
    Mutant(
        "dropout of the weights at inference",
        _MULTIHEAD,
        "dropout = self.dropout if self.training else 0.0",
        "dropout = self.dropout",
        f"{_HEADS}::test_dropout_falls_on_the_weights_in_training_alone",
    ),
    Mutant(
        "a mask of rows is taken for one of queries",
        _MULTIHEAD,
        "full = mask.unsqueeze(1) if mask.dim() == 3 else mask",
        "full = mask[(None,) * (4 - mask.dim())]",
        f"{_HEADS}::test_a_mask_that_does_not_fit_is_refused",
    ),
    Mutant(
        "heads cut out of the vectors without a transpose",
        _MULTIHEAD,
        "return vectors.unflatten(-1, (heads, -1)).transpose(1, 2)",
        "return vectors.reshape(len(vectors), heads, vectors.shape[1], -1)",
        _HEADS_PARITY,
    ),
    Mutant(
        "a cache that puts the newest first, where there is a gradient",
        _CACHE,
        "torch.cat([self.keys, newer.keys], dim=2)",
        "torch.cat([newer.keys, self.keys], dim=2)",
        _GROWING,
    ),
    Mutant(
        "a cache that puts the newest values over the first",
        _CACHE,
        "torch.cat([self.values, newer.values], dim=2)",
        "torch.cat([newer.values, self.values], dim=2)",
        _GROWING,
    ),
    Mutant(
        "rotary queries always at position 0",
        _MULTIHEAD,
        "places = torch.arange(first, cache.length, device=query.device)",
        "places = torch.arange(query.shape[1], device=query.device)",
        f"{_HEADS}::test_a_cache_that_grows_gives_what_the_whole_sequence_gives",
    ),
    Mutant(
        "the values are turned by their position too",
        _MULTIHEAD,
        "            _split(self.values(memory), self.heads),\n",
        "            self._place(_split(self.values(memory), self.heads), positions),\n",
        f"{_HEADS}::test_each_head_is_an_attention_of_its_own_and_w_o_a_sum_of_maps",
    ),
    Mutant(
        "rotary turns by the half of the vector in place of by pairs",
        _POSITION,
        "first, second = vectors[..., 0::2], vectors[..., 1::2]",
        "first, second = vectors.chunk(2, dim=-1)",
        _PLACES,
    ),
    Mutant(
        "rotary squeezes",
        _POSITION,
        "first * sin + second * cos",
        "first * sin - second * cos",
        f"{_PLACES} {_LAWS}",
    ),
    Mutant(
        "all sines, then all cosines",
        _POSITION,
        "torch.stack([turned.sin(), turned.cos()], dim=-1).flatten(-2)",
        "torch.cat([turned.sin(), turned.cos()], dim=-1)",
        _PLACES,
    ),
    Mutant(
        "the waves of D pairs in place of D / 2",
        _POSITION,
        "BASE ** (-pair / width)",
        "BASE ** (-pair / (2 * width))",
        _PLACES,
    ),
    Mutant(
        "the shift turns the wrong way",
        _POSITION,
        "turn.sin(), -turn.sin()",
        "-turn.sin(), turn.sin()",
        _LAWS,
    ),
    Mutant(
        "the scale of the embedding is forgotten",
        _BLOCKS,
        "math.sqrt(self.table.embedding_dim) * self.table(ids)",
        "self.table(ids) * math.sqrt(1)",
        f"{_MODEL}::test_embeddings_are_scaled_and_positions_added",
    ),
    Mutant(
        "positions are not added",
        _BLOCKS,
        "if self.position is not None:",
        "if False:",
        f"{_MODEL}::test_embeddings_are_scaled_and_positions_added",
    ),
    Mutant(
        "the norm on the other side",
        _BLOCKS,
        'self.norm(x) if self.kind == "pre" else x',
        'self.norm(x) if self.kind == "post" else x',
        _PARITY,
    ),
    Mutant(
        "dropout on the way past the sub-layer",
        _BLOCKS,
        "found = self.dropout(found)\n        together = x + found",
        "together = self.dropout(x + found)",
        f"{_MODEL}::test_dropout_falls_before_the_sum",
    ),
    Mutant(
        "dropout of what sub-layers add at inference",
        _BLOCKS,
        "found = self.dropout(found)",
        "found = nn.functional.dropout(found, self.dropout.p)",
        f"{_MODEL}::test_dropout_falls_on_the_sums_and_on_what_sub_layers_add_and_only_in_training",
    ),
    Mutant(
        "the residual is forgotten",
        _BLOCKS,
        "together = x + found if self.passes else found",
        "together = found",
        _PARITY,
    ),
    Mutant(
        "the table drawn like a linear layer's",
        _BLOCKS,
        "std=self.embedding_dim**-0.5",
        "std=1.0",
        f"{_MODEL}::test_first_weights_give_numbers_of_variance_one_on_both_ways_through_the_table",
    ),
    Mutant(
        "the cache is not read",
        _LAYERS,
        "cache = cache if past is None else past.followed_by(cache)",
        "cache = cache if past is None or x.shape[1] == 1 else past.followed_by(cache)",
        _CACHED,
    ),
    Mutant(
        "picked rows write into the cache that they were picked from",
        "course_lib/models/protocol.py",
        "return value.select(rows)",
        "return value",
        f"{_GROWING}::test_picked_rows_do_not_write_into_what_they_were_picked_from",
    ),
    Mutant(
        "positions always 0 when stepping",
        _TRANSFORMER,
        "at = torch.arange(first, first + count, device=tokens.device)",
        "at = torch.arange(count, device=tokens.device)",
        _CACHED,
    ),
    Mutant(
        "the causal mask only in training",
        _TRANSFORMER,
        "if count > 1 else None",
        "if count > 1 and self.training else None",
        _INFLUENCE,
    ),
    Mutant(
        "the decoder's mask lets the next token through",
        _TRANSFORMER,
        "causal_mask(count, first + count, device=tokens.device)",
        "causal_mask(count, first + count, offset=first + 1, device=tokens.device)",
        _INFLUENCE,
    ),
    Mutant(
        "the padding of the source is not masked in cross-attention",
        _TRANSFORMER,
        "source_mask = hiding(memory.mask)",
        "source_mask = None",
        _INFLUENCE,
    ),
    Mutant(
        "the padding of the source is not masked in the encoder",
        _TRANSFORMER,
        "x, mask, passed = embed(source, at), hiding(source_mask), []",
        "x, mask, passed = embed(source, at), None, []",
        _INFLUENCE,
    ),
    Mutant(
        "all cross-attention reads the first layer's keys",
        _TRANSFORMER,
        "tuple(layer.cross_attention.remember(x) for layer in self.decoder)",
        "tuple(self.decoder[0].cross_attention.remember(x) for layer in self.decoder)",
        _PARITY,
    ),
    Mutant(
        "the norm behind the encoder is left out",
        _TRANSFORMER,
        "        x = self.encoder_norm(x)\n",
        "",
        _PARITY,
    ),
    Mutant(
        "of the encoder the first layer alone learns",
        _TRANSFORMER,
        "SelfAttentionLayer(config) for _ in range(config.layers)",
        "SelfAttentionLayer(config).requires_grad_(not n) for n in range(config.layers)",
        f"{_PARITY}::test_the_whole_model_equals_torchs",
    ),
    Mutant(
        "the source is embedded by the target's table",
        _TRANSFORMER,
        "self.target_embed if self.source_embed is None else self.source_embed",
        "self.target_embed",
        f"{_MODEL}::test_tables_are_shared_as_told_and_stand_in_the_file_once",
    ),
    Mutant(
        "the paper's model with a norm before",
        _TRANSFORMER,
        '        norm="post",\n',
        "",
        f"{_MODEL}::test_the_papers_base_model_is_built_and_makes_a_step",
    ),
    Mutant(
        "the padding of a prompt is read",
        _LANGUAGE,
        "return Continuation(memory.caches, memory.before, place",
        "return Continuation(memory.caches, torch.ones_like(memory.before), place",
        _LANGUAGE_MODEL,
    ),
    Mutant(
        "what follows a prompt stands behind its padding",
        _LANGUAGE,
        "places = state.place.unsqueeze(1) +",
        "places = state.place.max() + 0 * state.place.unsqueeze(1) +",
        _LANGUAGE_MODEL,
    ),
    Mutant(
        "START is read behind a prompt",
        _LANGUAGE,
        "torch.where(state.fresh, memory.last, tokens[:, 0])",
        "tokens[:, 0]",
        _LANGUAGE_MODEL,
    ),
    Mutant(
        "the future gives no number, and takes a gradient",
        _LANGUAGE,
        "            x = passed[-1].vectors\n",
        "            x = passed[-1].vectors + (x - x.detach()).mean(1, keepdim=True)\n",
        f"{_LANGUAGE_MODEL}::test_later_tokens_and_padding_get_no_gradient",
    ),
    Mutant(
        "rows that went on keep the memory of those that left",
        _WRITING,
        "state, memory = state.select(kept), memory.select(kept)",
        "state, memory = state.select(kept), memory.select(torch.arange(len(kept)))",
        f"{_SAMPLED}::test_finished_sentences_leave_the_batch",
    ),
    Mutant(
        "finished sentences stay in the batch",
        _WRITING,
        "                rows, token = rows[kept], token[kept]\n"
        "                state, memory = state.select(kept), memory.select(kept)\n",
        "",
        f"{_SAMPLED}::test_finished_sentences_leave_the_batch",
    ),
    Mutant(
        "cache rows are not selected under beam",
        _BEAM,
        "rows = (improving.unsqueeze(1) * beams + parent[improving]).flatten()",
        "rows = (improving.unsqueeze(1) * beams + torch.arange(beams)).flatten()",
        f"{_BEAMS}::test_enough_beams_find_the_best_of_all_sentences",
    ),
    Mutant(
        "the states of the beams stay in their places",
        _BEAM,
        "step.state.select(rows)",
        "step.state.select((improving.unsqueeze(1) * beams + torch.arange(beams)).flatten())",
        f"{_TRANSLATOR}::test_beams_that_change_places_take_their_tapes_with_them",
    ),
    Mutant(
        "every beam goes on from the state of the best",
        _BEAM,
        "rows = (improving.unsqueeze(1) * beams + parent[improving]).flatten()",
        "rows = (improving.unsqueeze(1) * beams + 0 * parent[improving]).flatten()",
        f"{_LANGUAGE_MODEL}::test_beams_that_change_places_take_their_rows_with_them",
    ),
    Mutant(
        "tokens of one beam, parents of another",
        _BEAM,
        "torch.cat([_pick(live.tokens, parent), token.unsqueeze(-1)], dim=-1)",
        "torch.cat([live.tokens, token.unsqueeze(-1)], dim=-1)",
        f"{_BEAMS}::test_enough_beams_find_the_best_of_all_sentences",
    ),
    Mutant(
        "attention of one beam, words of another",
        _BEAM,
        "maps = _pick(newest if live.maps is None else torch.cat([live.maps, newest], 2), parent)",
        "maps = newest if live.maps is None else torch.cat([live.maps, newest], 2)",
        f"{_BEAMS}::test_a_batch_is_searched_as_its_sentences_alone_and_scores_are_the_models",
    ),
    Mutant(
        "all beams begin alike",
        _BEAM,
        "log_p[:, 0] = 0.0",
        "log_p[:] = 0.0",
        f"{_BEAMS}::test_what_never_ends_is_cut_off",
    ),
    Mutant(
        "an ended hypothesis gives its place away",
        _BEAM,
        "places = self.places - ended.sum(1, keepdim=True)",
        "places = self.places + 0 * ended.sum(1, keepdim=True)",
        f"{_BEAMS}::test_an_ended_hypothesis_keeps_its_place",
    ),
    Mutant(
        "END is not counted in the penalty",
        _BEAM,
        "_collect(found, live, ended, mask, length_penalty(length, alpha))",
        "_collect(found, live, ended, mask, length_penalty(length - 1, alpha))",
        f"{_BEAMS}::test_enough_beams_find_the_best_of_all_sentences",
    ),
    Mutant(
        "the penalty without GNMT's 5",
        _BEAM,
        "((5 + length) / 6) ** alpha",
        "length**alpha",
        f"{_BEAMS}::test_the_penalty_is_gnmts_and_lets_long_sentences_win",
    ),
    Mutant(
        "a sentence leaves as soon as one hypothesis has ended",
        _BEAM,
        "bound > torch.tensor(best, device=bound.device)",
        "-torch.inf == torch.tensor(best, device=bound.device)",
        f"{_BEAMS}::test_enough_beams_find_the_best_of_all_sentences",
    ),
    Mutant(
        "what is suppressed takes its share of the probability away",
        _BEAM,
        ".log_softmax(-1).index_fill(-1, suppressed, -torch.inf)",
        ".index_fill(-1, suppressed, -torch.inf).log_softmax(-1)",
        f"{_BEAMS}::test_a_batch_is_searched_as_its_sentences_alone_and_scores_are_the_models",
    ),
    Mutant(
        "a temperature that multiplies",
        _SAMPLE,
        "logits.float() / temperature",
        "logits.float() * temperature",
        f"{_SAMPLED}::test_what_is_kept_by_hand",
    ),
    Mutant(
        "the nucleus without the token that fills it",
        _SAMPLE,
        "before = falling.cumsum(-1) - falling",
        "before = falling.cumsum(-1)",
        f"{_SAMPLED}::test_what_is_kept_by_hand",
    ),
    Mutant(
        "cut probabilities are put back in falling order",
        _SAMPLE,
        "torch.zeros_like(share).scatter(-1, order, falling)",
        "falling",
        f"{_SAMPLED}::test_what_is_kept_by_hand",
    ),
    Mutant(
        "numbers are drawn for those alone who still write",
        _SAMPLE,
        "point = point.to(share.device)[rows]",
        "point = torch.rand(len(rows), generator=generator).to(share.device)",
        f"{_SAMPLED}::test_who_ends_early_changes_nothing_for_the_others",
    ),
    Mutant(
        "the LSTMN scores with its last state in place of its last sum",
        _LSTMN,
        "query = torch.cat([inputs, state.summary], dim=-1)",
        "query = torch.cat([inputs, state.hidden], dim=-1)",
        f"{_TAPES}::test_equations_4_to_9",
    ),
    Mutant(
        "the LSTMN's gates read the last state",
        _LSTMN,
        "enter, forget, leave, candidate = self._gates(inputs, summary)\n"
        "        cell = forget * cell",
        "enter, forget, leave, candidate = self._gates(inputs, state.hidden)\n"
        "        cell = forget * cell",
        f"{_TAPES}::test_equations_4_to_9",
    ),
    Mutant(
        "the LSTMN's cell is the last, not the sum",
        _LSTMN,
        "hidden, cell = found.context[:, 0].chunk(2, dim=-1)\n",
        "hidden, cell = found.context[:, 0].chunk(2, dim=-1)\n"
        "    cell = tapes[:, -1].chunk(2, dim=-1)[1] if tapes.shape[1] else cell\n",
        f"{_TAPES}::test_equations_4_to_9",
    ),
    Mutant(
        "the LSTMN looks at places whose step did not happen",
        _LSTMN,
        "mask=for_keys(real))",
        "mask=None)",
        f"{_TAPES}::test_padding_is_never_read_wherever_it_stands",
    ),
    Mutant(
        "shallow fusion asks with its last sum",
        _TWO_LSTMNS,
        "query = state.own.hidden.unsqueeze(1)",
        "query = state.own.summary.unsqueeze(1)",
        _TRANSLATOR,
    ),
    Mutant(
        "shallow fusion reads the padding",
        _TWO_LSTMNS,
        "mask, score = for_keys(tapes.real)",
        "mask, score = for_keys(tapes.real | True)",
        _TRANSLATOR,
    ),
    Mutant(
        "deep fusion without its gate",
        _LSTMN,
        "transfer * foreign + forget",
        "foreign + 0 * transfer + forget",
        f"{_TAPES}::test_equations_10_to_15",
    ),
    Mutant(
        "deep fusion asks the source with its own sum",
        _LSTMN,
        "query = torch.cat([inputs, state.source], dim=-1)",
        "query = torch.cat([inputs, state.summary], dim=-1)",
        f"{_TAPES}::test_equations_10_to_15",
    ),
]
