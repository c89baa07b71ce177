"""Translators, one file a paper, all on the protocol of `course_lib.models.protocol`."""
