"""The laboratory: what the chapters measure and draw, above course_lib.

experiments    a folder a chapter, named as its notebook, and the lab they share
charts         what charts and tables in cells share; course.mplstyle is their look
figures        touch (HTML with a script), drawn, and still until the last chapter draws its own
"""
