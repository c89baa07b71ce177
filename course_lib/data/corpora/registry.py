"""What real data there is, on what terms, with pinned public addresses, mirrors and hashes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RemoteFile:
    """One file of a dataset.

    Attributes:
        path: its place below `COURSE_DATA` and below the cache, with "/".
        size: in bytes.
        sha256: what it must hash to.
        addresses: where to get it, the first one first.
    """

    path: str
    size: int
    sha256: str
    addresses: tuple[str, ...]

    @property
    def name(self) -> str:
        """The file's name without folders."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True)
class Dataset:
    """Files that belong together: what they are, their terms of use and the paper to cite."""

    title: str
    licence: str
    reference: str
    files: tuple[RemoteFile, ...]


def _on_github(
    repository: str, commit: str, inside: str, folder: str, files: str
) -> tuple[RemoteFile, ...]:
    """Describe files of a public repository at one commit, with a mirror on another network.

    Each line of `files` has a name, a size in bytes and a SHA-256.
    """
    addresses = (
        f"https://raw.githubusercontent.com/{repository}/{commit}/{inside}/",
        f"https://cdn.jsdelivr.net/gh/{repository}@{commit}/{inside}/",
    )
    return tuple(
        RemoteFile(folder + name, int(size), sha256, tuple(each + name for each in addresses))
        for name, size, sha256 in map(str.split, files.strip().splitlines())
    )


DATASETS: dict[str, Dataset] = {
    "multi30k": Dataset(
        title="Multi30k: image captions in English with German translations",
        licence="text for research and education",
        reference="Elliott et al. 2016",
        files=_on_github(
            "multi30k/dataset",
            "a3d2e0d26b56f3846f66a952536ffed4e401d05a",
            "data/task1/raw",
            "multi30k/",
            """
test_2016_flickr.de.gz 22890 9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8
test_2016_flickr.en.gz 21077 611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9
test_2017_flickr.de.gz 21471 a2c89666db00c495cd8513b9d708d5a3acc205d7de312ef2bf5fb7ebc1540aee
test_2017_flickr.en.gz 19138 76a444ee25172e72695cddb13ae4a3bda59430617be88e0bb46b60504f054074
train.de.gz 637044 726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6
train.en.gz 568929 d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f
val.de.gz 24681 f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a
val.en.gz 21650 14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28
""",
        ),
    ),
    "hansards": Dataset(
        title="Hansards: 447 English-French sentence pairs with gold word links",
        licence="research",
        reference="Och & Ney 2000",
        files=_on_github(
            "neulab/awesome-align",
            "5f150d45bbe51e167daf0a84abebaeb07c3323d1",
            "examples",
            "alignment/",
            """
enfr.gold 86961 0a11b51cba8a92a7608fb00884cb3cf50fe0fcc4e4aa92d70624fd11451c4ddd
enfr.src-tgt 82330 19d56c3de3634ab8420d553df4d9dfd849502b18225f1599382e98a6de9cfc72
""",
        ),
    ),
    "reviews": Dataset(
        title="Film reviews, polarity dataset 2.0: 1,000 against and 1,000 for",
        licence="CC BY 4.0",
        reference="Pang & Lee 2004",
        files=_on_github(
            "nltk/nltk_data",
            "5db857e6f7df11eabb5e5665836db9ec8df07e28",
            "packages/corpora",
            "",
            """
movie_reviews.zip 4004848 a41211ae685019137410268134db6a1a14428c89b671eb83056151a878539008
""",
        ),
    ),
    "sick": Dataset(
        title="SICK: 9,927 English sentence pairs, what follows from what",
        licence="CC BY-NC-SA 3.0",
        reference="Marelli et al. 2014",
        files=_on_github(
            "brmson/dataset-sts",
            "e1d3375f5b3bc24f21aa4e46f96eb379e9fc1081",
            "data/sts/sick2014",
            "sick/",
            """
SICK_test_annotated.txt 559979 2b8aa806658d6fc23c6824c83776c2d4fee7556000817b5ec0f982861413b7d0
SICK_train.txt 506243 266cf8047149bd1d68138dd30439f3122bff30069740ac6705bb6197d9f1b48e
SICK_trial.txt 57225 5a88cfb62f8c6bd2a3cce0f2421ba2cb8c2be5ab4a800f6f01e2c64aafb7db56
""",
        ),
    ),
    "snli": Dataset(
        title="SNLI: 570,000 English sentence pairs, what follows from what",
        licence="CC BY-SA 4.0",
        reference="Bowman et al. 2015",
        # The official archive, which has no second address.
        files=(
            RemoteFile(
                "snli/snli_1.0.zip",
                94550081,
                "afb3d70a5af5d8de0d9d81e2637e0fb8c22d1235c2749d83125ca43dab0dbd3e",
                ("https://nlp.stanford.edu/projects/snli/snli_1.0.zip",),
            ),
        ),
    ),
    "shakespeare": Dataset(
        title="Tiny Shakespeare: 1,115,394 characters of the plays",
        licence="public domain",
        reference="Karpathy 2015",
        files=_on_github(
            "karpathy/char-rnn",
            "6f9487a6fe5b420b7ca9afb0d7c078e37c1d1b4e",
            "data/tinyshakespeare",
            "tiny_shakespeare/",
            """
input.txt 1115394 86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed
""",
        ),
    ),
}
