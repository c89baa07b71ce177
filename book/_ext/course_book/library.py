"""The pages of the library: every public name of a room, from its source, when the book is built.

`{library} attention` writes all of `course_lib/attention`: module by module, each name with its
signature as it stands in the code, shapes and all, and its docstring. The source is read and not
imported, so nothing is executed, and a shape such as `Float[Tensor, "*B Q Dv"]` stays legible.
Sphinx's own autodoc would show it as the type that jaxtyping makes of it.

What has no docstring, or begins with an underscore, is not public and not shown.
"""

import ast
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

_FIELDS = ("Args", "Attributes", "Raises", "Returns", "Yields")
_CODE = re.compile(r"`([^`]+)`")
_FIELD = re.compile(r"(?P<name>[\w*., ]+?)(?: \([^)]*\))?: +(?P<text>.*)", re.DOTALL)
_PLAIN = (ast.FunctionDef, ast.ClassDef)


class Public(NamedTuple):
    """Something that users may import: a function, a class, or a method of one."""

    kind: str
    signature: str
    told: str
    inside: tuple["Public", ...] = ()


def modules(room: Path) -> dict[str, ast.Module]:
    """The modules of a room by their names, those that tell something."""
    root = room.parent.parent
    found = {}
    for path in sorted(room.rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = _parsed(path, path.stat().st_mtime_ns)
    return {name: module for name, module in found.items() if [*public(module)]}


@cache
def _parsed(path: Path, _changed: int) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def public(module: ast.Module) -> Iterator[Public]:
    """The public names of a module, in its order."""
    for node in module.body:
        if isinstance(node, _PLAIN) and _is_public(node):
            yield _class(node) if isinstance(node, ast.ClassDef) else _function(node, "function")


def _is_public(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return not node.name.startswith("_") and ast.get_docstring(node) is not None


def _class(node: ast.ClassDef) -> Public:
    functions = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
    if "__init__" in functions:
        asked = _arguments(functions["__init__"])
    else:
        # The fields of a dataclass or of a named tuple.
        fields = (one for one in node.body if isinstance(one, ast.AnnAssign))
        asked = ", ".join(ast.unparse(one).replace(" = ", "=") for one in fields)
    inside = tuple(
        _function(one, "property" if "property" in _decorators(one) else "method", node.name)
        for one in functions.values()
        if _is_public(one)
    )
    return Public("class", f"{node.name}({asked})", ast.get_docstring(node) or "", inside)


def _function(node: ast.FunctionDef, kind: str, owner: str = "") -> Public:
    returned = ast.unparse(node.returns) if node.returns else ""
    name = f"{owner}.{node.name}" if owner else node.name
    if kind != "property":
        name += f"({_arguments(node)})" + f" -> {returned}" * bool(returned)
    return Public(kind, name, ast.get_docstring(node) or "")


def _decorators(node: ast.FunctionDef) -> set[str]:
    return {ast.unparse(one).rpartition(".")[2] for one in node.decorator_list}


def _arguments(node: ast.FunctionDef) -> str:
    return re.sub(r"^(?:self|cls)(?:, |$)", "", ast.unparse(node.args))


def told(docstring: str) -> Iterator[nodes.Node]:
    """A docstring as paragraphs, formulas as they are written, lists of arguments and errors."""
    for block in re.split(r"\n\s*\n", docstring):
        head, _, rest = block.partition("\n")
        if head.rstrip(":") in _FIELDS and head.endswith(":"):
            yield _fields(head.rstrip(":"), textwrap.dedent(rest))
        elif block.startswith(" "):
            text = textwrap.dedent(block.rstrip())
            yield nodes.literal_block(text, text, language="none")
        else:
            yield nodes.paragraph("", "", *_inline(" ".join(block.split())))


def _fields(head: str, text: str) -> nodes.field_list:
    """`name: what it is`, one a line; what is indented goes on."""
    items = nodes.bullet_list()
    for item in re.split(r"\n(?! )", text):
        words = " ".join(item.split())
        found = _FIELD.fullmatch(words)
        named, said = (f"`{found['name']}`: ", found["text"]) if found else ("", words)
        items += nodes.list_item("", nodes.paragraph("", "", *_inline(named + said)))
    return nodes.field_list(
        "", nodes.field("", nodes.field_name("", head), nodes.field_body("", items))
    )


def _inline(text: str) -> Iterator[nodes.Node]:
    for place, piece in enumerate(_CODE.split(text)):
        if piece:
            yield nodes.literal(piece, piece) if place % 2 else nodes.Text(piece)


class Library(SphinxDirective):
    """`{library} attention`: the public names of a room."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A section for each module."""
        room = Path(self.env.srcdir) / "course_lib" / self.arguments[0]
        if not room.is_dir():
            raise self.error(f"there is no room course_lib/{self.arguments[0]}")
        for path in sorted(room.rglob("*.py")):
            self.env.note_dependency(str(path))
        found = modules(room)
        self.names = {
            one.signature.partition("(")[0] for module in found.values() for one in public(module)
        }
        return [self._module(name, module) for name, module in found.items()]

    def _module(self, name: str, module: ast.Module) -> nodes.section:
        section = nodes.section(ids=[nodes.make_id(name)], names=[name])
        section += nodes.title(name, name.partition(".")[2])
        section += told(ast.get_docstring(module) or "")
        for one in public(module):
            section += self._described(one, name)
        return section

    def _described(self, one: Public, module: str) -> list[nodes.Node]:
        box = nodes.container()
        lines = [f"```{{py:{one.kind}}} {one.signature}", f":module: {module}", "```"]
        self.state.nested_parse(StringList(lines, self.env.docname), 0, box)
        # Tensor, Callable and the like lead nowhere, and Sphinx would look for each of them long.
        for link in list(box.findall(addnodes.pending_xref)):
            if link["reftarget"].rpartition(".")[2] not in self.names:
                link.replace_self(link.children)
        (content,) = box.findall(addnodes.desc_content)
        content += told(one.told)
        for inner in one.inside:
            content += self._described(inner, module)
        return box.children


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("library", Library)
