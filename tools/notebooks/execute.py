"""Run a notebook from a fresh kernel and keep only what a second run would give again."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from tools.project import CELL_SECONDS, TaskError

_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def execute(
    notebook: NotebookNode,
    folder: Path,
    variables: Mapping[str, str] = os.environ,
    *,
    allow_errors: bool = False,
) -> None:
    """Execute all cells in order, in place, with `folder` as the working directory.

    Raises:
        TaskError: a cell raised without being tagged `raises-exception`, took too long, or
            the kernel died.
    """
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        allow_errors=allow_errors,
        extra_arguments=["--log-level=ERROR"],  # a local kernel need not warn about its sockets
        resources={"metadata": {"path": str(folder)}},
    )
    # Stored outputs are the CPU's, whatever the author's shell says; the library that the stamp
    # covers is the one that runs, whichever one is installed.
    path = os.pathsep.join([str(folder.parent), variables.get("PYTHONPATH", "")])
    try:
        client.execute(env={**variables, "COURSE_DEVICE": "cpu", "PYTHONPATH": path})
    except CellExecutionError as error:
        raise TaskError(f"a cell failed: {_COLOUR.sub('', str(error)).strip()}") from None
    except CellTimeoutError:
        raise TaskError(f"a cell ran longer than {CELL_SECONDS} s") from None
    except DeadKernelError:
        raise TaskError("the kernel died (is there enough memory?)") from None
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = stable(cell.outputs)


def stable(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Outputs without what depends on the run: cuts between messages, widget ids, paths."""
    kept: list[NotebookNode] = []
    for output in outputs:
        if output.output_type == "stream":
            if kept and kept[-1].output_type == "stream" and kept[-1].name == output.name:
                kept[-1].text += output.text
                continue
        elif output.output_type == "error":
            # The frames hold this machine's paths; the last line is what a reader needs.
            text = f"{output.ename}: {output.evalue}"
            output.traceback = [_COLOUR.sub("", text)]
        elif _WIDGET_VIEW in output.get("data", {}):
            del output.data[_WIDGET_VIEW]
        kept.append(nbformat.from_dict(output))
    return kept
