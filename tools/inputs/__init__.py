"""What a result was made from, computed in one place: for notebooks, gates, book and set-up.

files.py    content of files, and one hash over many; standard library alone, as the set-up needs it
code.py     what a piece of Python imports, quotes and means, each parsed once
meaning.py  a hash of Python without comments, docstrings and layout, under names before any move
cells.py    every file that the code cells of a notebook can reach
reach.py    every file that code can reach: modules, and data, scripts and styles beside them
pins.py     requirements.txt and pyproject.toml as tables
machine.py  what the machine adds: Python, packages, processor, variables, data files, browser
"""
