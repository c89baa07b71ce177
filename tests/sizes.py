"""Small settings for every model of the registry, by its name: not all of them have the same."""


def small(
    name: str, source: int, target: int | None = None, *, embedding: int = 6, hidden: int = 8
) -> dict:
    """Vocabularies and widths; a Transformer has one width in the place of two."""
    words = {"source_vocabulary": source, "target_vocabulary": source if target is None else target}
    if name == "transformer":
        return words | {"width": hidden, "heads": 2, "layers": 2, "feed_forward": 2 * hidden}
    return words | {"embedding": embedding, "hidden": hidden}
