"""The workshop: set-up, book, notebooks and gates. Nothing here is needed to use course_lib."""
