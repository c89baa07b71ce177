"""Real data sets: where they come from, how they are fetched, and how each is read.

Every `load` fetches what is not here yet, as `download.fetch` describes, with its errors.
"""
