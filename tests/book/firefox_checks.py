"""What is looked for on a page that is open in Firefox; each answers with what is wrong."""

from tests.book.checks import LOCAL, off_screen

FORMULAS = """() => {
    const wrong = [];
    const PARTS = {mfrac: 2, mroot: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3,
        munderover: 3};
    const LAID = {
        mfrac: (a, b) => a.bottom <= b.top + 1,
        msub: (a, b) => a.bottom < b.bottom + 1 && a.left < b.left,
        msup: (a, b) => b.top < a.top + 1 && a.left < b.left,
    };
    const box = e => e.getBoundingClientRect();
    const told = (what, math) => wrong.push(`${what}: ${math.textContent.slice(0, 60)}`);
    const loaded = [...document.fonts].filter(font => font.status === 'loaded');
    const font = loaded.some(font => /Course Math/.test(font.family));
    for (const math of document.querySelectorAll('.bd-article math')) {
        if (!math.checkVisibility()) continue;
        const {width, height} = box(math);
        if (width < 3 || height < 5 || height > 900) told('no box', math);
        const family = getComputedStyle(math).fontFamily;
        if (!font || !family.startsWith('"Course Math"')) told('not in its font', math);
        for (const note of math.querySelectorAll('annotation')) {
            if (note.checkVisibility() || box(note).width) told('annotation is shown', math);
        }
        for (const part of math.querySelectorAll(Object.keys(PARTS).join())) {
            const name = part.localName, [first, second] = [...part.children].map(box);
            if (part.children.length !== PARTS[name]) told(`${name} of other parts`, math);
            else if (box(part).width && LAID[name] && !LAID[name](first, second)) {
                told(`${name} is not laid out`, math);
            }
        }
    }
    return wrong;
}"""
"""Formulas without a box, in another font, or in one line."""
HALF_READ = "Invalid markup: Incorrect number of children for <"
"""Said when a page comes slowly and the end of a fraction is still on its way; FORMULAS asks in
the finished page."""
PICTURES = """() => [...document.querySelectorAll('.bd-article svg')]
    .filter(svg => svg.checkVisibility())
    .filter(svg => {
        const {width, height} = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll('text')].filter(e => e.textContent.trim());
        const letters = texts.map(e => e.getBoundingClientRect().width);
        return width < 8 || height < 8 || letters.some(length => length === 0);
    })
    .map(svg => svg.outerHTML.slice(0, 80))"""


def strangers(tab, book_address: str) -> list[str]:
    """What it asked of another host, what failed, and what it complained about."""
    own = (book_address, "about:", *LOCAL)
    asked = [url for url in tab.asked if not url.startswith(own)]
    complaints = [said for said in tab.complaints if not said.startswith(HALF_READ)]
    return [*asked, *tab.failed, *complaints]


def wrong(tab, width: int) -> list[str]:
    """What is wrong with the open page, at a width."""
    tab.resize(width)
    tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    tab.settle()
    wide = tab.evaluate("document.documentElement.scrollWidth")
    too_wide = [f"{wide} pixels wide"] if wide > width else []
    return [*too_wide, *off_screen(tab, width), *tab.evaluate(FORMULAS), *tab.evaluate(PICTURES)]
