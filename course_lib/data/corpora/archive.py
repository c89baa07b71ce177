"""What Python raises where an archive is none, or is broken inside."""

import lzma
import zipfile
import zlib

BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    # A place before the archive's beginning.
    OSError,
    # Locked with a password, or packed in a way that Python does not know.
    RuntimeError,
    # A name in no code that there is.
    ValueError,
)
"""While an archive is opened and read; beside KeyError for a file that is not in it."""
