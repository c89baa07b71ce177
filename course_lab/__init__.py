"""The laboratory: what the chapters measure and draw, above course_lib.

experiments    a folder a chapter, named as its notebook, and the lab they share
figures        still (static) and touch (HTML with a script), style and text
"""

from course_lib.home import ensure_home

# Matplotlib makes a folder in the home as soon as it is imported.
ensure_home()
