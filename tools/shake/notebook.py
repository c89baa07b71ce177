"""Executes a chapter's text and writes down what its cells printed; nothing else is kept.

    python -m tools.shake.notebook 04_bahdanau result.json

runs under the condition that its environment is; `tools.shake.run` sets it.
"""

import json
import sys
from pathlib import Path

from nbformat import NotebookNode

from tools.notebooks.execute import execute as run
from tools.notebooks.text import from_text, is_install
from tools.project import CHAPTERS, NOTEBOOKS, ROOT


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells whose output counts, in order."""
    return [c for c in notebook.cells if c.cell_type == "code" and not is_install(c)]


def printed(outputs: list[NotebookNode]) -> str:
    """The texts that nbval would compare, in order."""
    texts = []
    for output in outputs:
        if output.output_type == "stream":
            texts.append(output.text)
        elif output.output_type == "error":
            texts.append(f"{output.ename}: {output.evalue}")
        else:
            data = output.get("data", {})
            texts += [data[kind] for kind in sorted(data) if kind.startswith("text/")]
    return "\n".join(texts)


def execute(notebook: NotebookNode, folder: Path) -> list[dict[str, str]]:
    """Text and error of every code cell that counts; all run, whatever happens."""
    run(notebook, folder, allow_errors=True)
    found = []
    for cell in code_cells(notebook):
        errors = [f"{o.ename}: {o.evalue}" for o in cell.outputs if o.output_type == "error"]
        found.append({"text": printed(cell.outputs), "error": errors[0] if errors else ""})
    return found


def main(arguments: list[str]) -> int:
    stem, target = arguments
    notebook = from_text((CHAPTERS / f"{stem}.md").read_text(encoding="utf-8"))
    found = execute(notebook, ROOT / NOTEBOOKS.name)
    Path(target).write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
