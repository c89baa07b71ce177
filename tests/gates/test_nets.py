"""Networks that run in pages: their weights leave the pages for files that are asked for."""

from course_book import steer

NET = '<script type="application/octet-stream" class="cl-net"{name}>{weights}</script>'


def page(folder, name: str, *nets: tuple[str, str]):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    (folder / "_static").mkdir(exist_ok=True)
    scripts = (
        NET.format(name=f' data-name="{kind}"' if kind else "", weights=weights)
        for kind, weights in nets
    )
    path.write_text(f"<p>before</p>{''.join(scripts)}<p>after</p>", encoding="utf-8")
    return path


def test_each_network_becomes_one_file_that_every_page_of_it_asks_for(tmp_path):
    one = page(tmp_path, "notebooks/a.html", ("", "AAAA"), ("transformer", "BBBB"))
    two = page(tmp_path, "b.html", ("", "AAAA"))
    steer.move_nets(tmp_path)
    files = {path.read_text(): path.name for path in (tmp_path / "_static").glob(steer.FILES)}
    assert set(files) == {f'window.courseNet = "{weights}";\n' for weights in ("AAAA", "BBBB")}
    a, b = (files[f'window.courseNet = "{weights}";\n'] for weights in ("AAAA", "BBBB"))
    text = one.read_text()
    assert f'class="cl-net" data-src="../_static/{a}"' in text
    assert f'data-name="transformer" data-src="../_static/{b}"' in text
    assert "AAAA" not in text + two.read_text()
    assert f'data-src="_static/{a}"' in two.read_text()
    assert text.startswith("<p>before</p>")
    assert text.endswith("</script><p>after</p>")
