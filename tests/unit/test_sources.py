"""Every source that a claim names has a title of its own."""

from course_lib.claims import CLAIMS
from course_lib.sources import SOURCES


def test_every_source_of_a_claim_has_a_title_and_no_title_is_left_over() -> None:
    named = {source for claim in CLAIMS.values() for source in claim.sources}
    assert named == set(SOURCES)
    assert len(set(SOURCES.values())) == len(SOURCES)
