"""Takes a library out that costs two seconds in every process and does nothing here.

nbformat imports jsonschema, and that a grammar of international web addresses (RFC 3987), which is
built whenever it is imported. jsonschema does without where it is not installed, and nothing in a
notebook is checked against it. pytest takes this module first, as a plugin (`-p tools.light`).
"""

import sys

# With None in its place an import fails as if it were not installed.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
