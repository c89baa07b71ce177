"""`python -m course_lib data`: list the data sets, or fetch them."""

from argparse import Namespace

from course_lib.data.corpora import download


def data(options: Namespace) -> None:
    """List the data sets, or fetch them."""
    if options.action == "list":
        print(download.describe())
        return
    for name in options.name or sorted(download.DATASETS):
        files = download.fetch(name)
        print(f"{name}: {len(files)} files, checked")
