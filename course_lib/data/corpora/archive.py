"""What Python raises where an archive is none, or is broken inside."""

import errno
import lzma
import zipfile
import zlib

from course_lib.errors import CourseError

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

# What an archive that is broken inside makes Python ask of the system.
_OF_THE_CONTENT = (None, errno.EINVAL)


def refused(error: Exception, archive: object, message: str) -> CourseError:
    """The one line for such an error: what the system says of the file, or else `message`."""
    if isinstance(error, OSError) and error.errno not in _OF_THE_CONTENT:
        return CourseError(f"cannot read {archive}: {error.strerror}")
    return CourseError(message)
