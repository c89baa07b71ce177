# The work behind each target is Python (tools/tasks.py), so it also runs where there is no make.
PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help setup book serve test test-lowest test-newest lab notebooks validate validate-gpu gpu-lane shake bench results homework student-release drawings format ledger

help setup book serve test test-lowest test-newest lab notebooks validate validate-gpu gpu-lane shake bench results homework student-release drawings format ledger:
	@$(PYTHON) tools/tasks.py $@ $(ARGS)
