// A translator of real sentences: type one, see what each word of the translation reads, drag its look,
// cover a word. The network is fetched when it is first asked for.
function translatorFigure(figure, data) {
  const MOST = 60;
  const opening = { way: data.examples[0].way, text: data.examples[0].text, at: data.at, head: 0, beams: 1, act: 0 };
  const state = { ...opening, forced: new Map(), covered: new Set() };
  let net = null, bpe = null, found = data.examples[0], running = 0, busy = false;

  const way = () => data.ways[state.way];
  const columns = () => [way().mark, ...found.source, "end"];
  const written = () => [...found.words, "end"];
  // Shares of the chosen head for every word that was written; the mean of all heads is the first choice.
  const rows = () => (found.heads ? found.heads[state.head] : found.rows);
  const loose = () => state.forced.size === 0 && state.covered.size === 0;

  // ---- the parts of the figure
  const ways = choose(figure, "From", data.ways.map((one) => `${one.from} to ${one.to}`), state.way, (i) => {
    if (i === state.way) return;
    // The sentence that was written is what one wants to see translated back.
    const turned = found.text && !busy ? found.text : "";
    state.way = i;
    own.lang = way().lang;
    if (turned) { own.value = turned; ask(); } else heed();
  });
  const own = make("input", { type: "text", autocomplete: "off", maxlength: 300, "aria-label": "your sentence" });
  const hint = make("p", { class: "cl-note cl-hint" });
  const form = make("form", { class: "cl-ask" }, [own, make("button", { type: "submit" }, ["Translate"])]);
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  own.addEventListener("input", heed);
  const samples = make("div", { class: "cl-samples", role: "group", "aria-label": "Sentences to try" },
    data.examples.map((one) => press(one.text, () => {
      own.value = one.text;
      if (one.way === state.way) ask(); else { found = { ...found, text: "" }; ways.set(one.way); ask(); }
    })));
  data.examples.forEach((one, i) => { samples.children[i].lang = data.ways[one.way].lang; });
  const above = make("div", { class: "cl-words cl-above", role: "group" });
  const below = make("div", { class: "cl-words cl-below", role: "group" });
  const arcs = shape("svg", { class: "cl-arcs", "aria-hidden": "true" });
  const board = make("div", { class: "cl-board" }, [arcs, above, below]);
  const back = make("p", { class: "cl-line" });
  const heads = make("select", { "aria-label": "what is shown" }, ["all heads, their mean",
    ...Array.from({ length: data.layers * data.heads }, (_, i) =>
      `layer ${Math.floor(i / data.heads) + 1}, head ${i % data.heads + 1}`)].map((text) => make("option", {}, [text])));
  heads.addEventListener("change", () => {
    state.head = heads.selectedIndex;
    if (found.heads) { draw(); tell(); } else ask();
  });
  const beams = slide("Beams", { min: 1, max: 5, value: 1 }, (n) => (n === 1 ? "1 (greedy)" : `${n}`), (n) => {
    state.beams = n;
    later();
  });
  const act = choose(figure, "A word above", ["is looked at", "is covered"], 0, (i) => { state.act = i; });
  const free = press("Undo all", () => { state.forced.clear(); state.covered.clear(); ask(); });
  const more = make("details", { class: "cl-more" }, [make("summary", {}, ["Change what it reads: looks, words, beams"]),
    make("p", { class: "cl-note" }, ["Choose a word of the translation, then a word above it, or drag the one onto the "
      + "other: every head of the decoder looks there as the word is written, and the rest is written anew. "
      + "A covered word cannot be looked at by any word."]),
    make("div", { class: "cl-controls" }, [act.label, free, beams.label,
      make("label", {}, [make("span", { class: "cl-note" }, ["Show"]), heads])])]);
  figure.controls.append(ways.label, form, hint, samples);
  figure.stage.append(board, back, figure.line, more);
  figure.numbers.before(foldNumbers(figure.root));
  own.value = state.text;

  const wake = netOf(figure, ({ tensors, told }) => {
    net = transformerNet(tensors, data.heads);
    bpe = bytePairs(told.tokens, told.merges, told.twins);
  }, `The network is loading: ${data.size}.`);

  // ---- what is said of the input before anything is translated
  function heed() {
    const words = own.value.toLowerCase().match(/\p{L}+/gu) || [];
    const counts = data.ways.map((one) => words.filter((word) => one.common.includes(word)).length);
    const other = counts.findIndex((count, i) => i !== state.way && count > counts[state.way] + 1);
    hint.replaceChildren();
    if (other >= 0) {
      hint.append(`This looks like ${data.ways[other].from}. `, press(`Translate it to ${data.ways[other].to}`, () => {
        found = { ...found, text: "" };
        ways.set(other);
        ask();
      }));
      return;
    }
    if (!bpe || !words.length) return;
    const { words: all, ids, wordOf } = bpe.encode(own.value);
    const strange = [...new Set(all.filter((_, i) => ids.some((id, k) => wordOf[k] === i && id === UNKNOWN)))];
    const spelled = [...new Set(all.filter((word, i) => /\p{L}{3}/u.test(word) && wordOf.filter((one) => one === i).length > 2))];
    if (strange.length) hint.append(`It cannot read ${strange.map((word) => `“${word}”`).join(", ")}. `);
    if (spelled.length) hint.append(`Rare in captions, read in pieces: ${spelled.map((word) =>
      bpe.encode(word).ids.map((id) => bpe.written(id).trim()).join("·")).join(", ")}.`);
  }

  // ---- translating
  let waiting = 0;
  function later() {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 250);
  }
  function ask() {
    clearTimeout(waiting);
    const text = own.value.trim();
    if (!/[\p{L}\p{N}]/u.test(text)) {
      figure.say("Wanted a sentence, such as: A man is riding a red bicycle.");
      return;
    }
    if (text !== state.text || found.way !== state.way) { state.forced.clear(); state.covered.clear(); state.at = null; }
    wake(() => { heed(); translate(text); });
  }
  const pause = () => new Promise((done) => { setTimeout(done, 0); });

  async function translate(text) {
    const mine = running += 1, { words, ids, wordOf } = bpe.encode(`${way().mark} ${text}`);
    if (ids.length > data.longest) {
      figure.say(`Wanted at most ${data.longest} tokens, got ${ids.length}. Captions are short, and it has read nothing else.`);
      return;
    }
    busy = true;
    Object.assign(state, { text });
    const source = words.slice(1), here = state.way, chosen = state.at;
    const placesOf = (word) => ids.map((_, i) => i).filter((i) => wordOf[i] === word + 1);
    const hidden = new Set([...state.covered].flatMap(placesOf));
    const forced = (t) => {
      if (!state.forced.has(t)) return null;
      const places = placesOf(state.forced.get(t));
      return [...ids, END].map((_, i) => (places.includes(i) ? 1 / places.length : 0));
    };
    const show = (one) => {
      const spelled = bpe.words(one.tokens), last = spelled.words.length;
      const of = [...spelled.wordOf, last];
      // Over the tokens of a word that is read weights are summed, over those of one that is written averaged.
      const merged = (layer, head) => Array.from({ length: last + 1 }, (_, w) => {
        const steps = one.looks.filter((__, t) => of[t] === w);
        const row = new Array(words.length + 1).fill(0);
        steps.forEach((look) => look[layer][head].forEach((share, j) => {
          row[j < ids.length ? wordOf[j] : words.length] += share / steps.length;
        }));
        return row;
      });
      const single = Array.from({ length: data.layers * data.heads }, (_, i) =>
        merged(Math.floor(i / data.heads), i % data.heads));
      const mean = single[0].map((row, w) => row.map((_, j) =>
        single.reduce((sum, head) => sum + head[w][j], 0) / single.length));
      found = { way: here, source, words: spelled.words, text: bpe.decode(one.tokens), heads: [mean, ...single],
        starts: Array.from({ length: last + 1 }, (_, w) => of.indexOf(w)), back: "" };
      state.at = chosen === null ? null : Math.min(chosen, last);
    };
    const best = await search(net, [...ids, END], { beams: state.beams, alpha: data.alpha, most: MOST, hidden, forced,
      told: async (one) => {
        if (state.beams === 1) { show({ ...one, looks: one.looks }); draw(true); }
        await pause();
        return mine === running;
      } });
    if (!best || mine !== running) return;
    show(best);
    busy = false;
    // A new sentence opens on the word that looks most at one place.
    if (state.at === null) {
      const peaks = found.heads[0].slice(0, -1).map((row) => Math.max(...row.slice(1, -1)));
      state.at = Math.max(0, peaks.indexOf(Math.max(...peaks)));
    }
    draw();
    tell();
    // The other way round, so that who cannot read it learns what was written.
    const turned = data.ways[1 - here], again = bpe.encode(`${turned.mark} ${found.text}`);
    const other = await search(net, [...again.ids, END], { beams: 1, alpha: data.alpha, most: MOST,
      told: async () => { await pause(); return mine === running; } });
    if (!other) return;
    found.back = bpe.decode(other.tokens);
    draw();
  }

  // ---- what is said
  function tell() {
    const row = rows()[state.at], most = row.indexOf(Math.max(...row)), word = written()[state.at];
    const step = found.starts ? found.starts[state.at] : -1;
    const looks = state.forced.has(step) ? `looks at “${found.source[state.forced.get(step)]}”, because you said so`
      : `looks most at “${columns()[most]}”, ${row[most].toFixed(2)}`;
    figure.say(`As it writes “${word}”, ${state.head ? heads.value : "the mean head"} ${looks}.`
      + (state.covered.size ? ` Covered: ${[...state.covered].map((i) => `“${found.source[i]}”`).join(", ")}.` : ""));
    figure.remember();
  }

  // ---- drawing: the same elements stay, so that focus and pointer keep their place
  function chips(group, words, build, show) {
    words.forEach((word, i) => {
      if (!group.children[i]) group.append(build(i));
      show(group.children[i], word, i);
    });
    while (group.children.length > words.length) group.lastChild.remove();
  }
  const chip = (onPress) => {
    const button = press("", onPress);
    button.className = "cl-word";
    button.append(make("span", { class: "cl-text" }), make("span", { class: "cl-look" }));
    return button;
  };
  function touch(i) {
    if (busy || i < 0 || i >= found.source.length) return;
    if (state.act) {
      if (!state.covered.delete(i)) state.covered.add(i);
    } else {
      const step = found.starts ? found.starts[state.at] : null;
      if (step === null) { wake(() => { translate(state.text).then(() => touch(i)); }); return; }
      if (state.forced.get(step) === i) state.forced.delete(step); else state.forced.set(step, i);
    }
    ask();
  }
  // A word of the translation that is dragged onto one above looks there.
  below.addEventListener("pointerdown", (event) => {
    const dragged = event.target.closest(".cl-word"), at = [...below.children].indexOf(dragged);
    if (at < 0) return;
    const drop = (up) => {
      const over = document.elementFromPoint(up.clientX, up.clientY)?.closest(".cl-word");
      const place = [...above.children].indexOf(over);
      board.classList.remove("cl-dragging");
      if (place > 0) { state.at = at; state.act = 0; act.set(0); touch(place - 1); }
    };
    board.classList.add("cl-dragging");
    state.at = at;
    draw(busy);
    window.addEventListener("pointerup", drop, { once: true });
    window.addEventListener("pointercancel", () => board.classList.remove("cl-dragging"), { once: true });
  });

  function draw(unfinished = false) {
    const row = rows()[state.at ?? found.words.length - 1] || [];
    own.lang = way().lang;
    above.lang = data.ways[found.way].lang;
    below.lang = data.ways[1 - found.way].lang;
    above.setAttribute("aria-label", data.ways[found.way].from);
    below.setAttribute("aria-label", data.ways[found.way].to);
    chips(above, columns(), (i) => chip(() => touch(i - 1)), (button, word, i) => {
      const share = row[i] || 0, ours = i > 0 && i <= found.source.length;
      button.children[0].textContent = word;
      button.classList.toggle("cl-sign", !ours);
      button.disabled = !ours;
      button.classList.toggle("cl-covered", ours && state.covered.has(i - 1));
      button.children[1].textContent = share >= 0.05 ? digits(share) : "\u00a0";
      button.children[1].style.setProperty("--w", share.toFixed(2));
    });
    chips(below, unfinished ? found.words : written(), (i) => chip(() => { state.at = i; draw(busy); tell(); }), (button, word, i) => {
      button.children[0].textContent = word;
      button.classList.toggle("cl-sign", i === found.words.length);
      button.classList.toggle("cl-forced", Boolean(found.starts) && state.forced.has(found.starts[i]));
      button.setAttribute("aria-pressed", String(i === state.at));
      button.children[1].textContent = "\u00a0";
    });
    const { from } = data.ways[found.way];
    back.replaceChildren(...(found.back && !unfinished ? [make("b", {}, [`back in ${from}`]), " ",
      make("span", { lang: data.ways[found.way].lang }, [found.back])] : ["\u00a0"]));
    free.disabled = loose();
    heads.selectedIndex = state.head;
    if (!unfinished) fillTable();
    drawArcs();
  }
  function drawArcs() {
    const place = board.getBoundingClientRect(), row = rows()[state.at ?? found.words.length - 1] || [];
    arcs.setAttribute("viewBox", `0 0 ${place.width} ${place.height}`);
    const end = (element, side) => {
      const box = element.getBoundingClientRect();
      return [box.left + box.width / 2 - place.left, box[side] - place.top];
    };
    const asking = below.children[state.at ?? found.words.length - 1];
    arcs.replaceChildren(...(asking ? row : []).flatMap((weight, j) => {
      if (weight < 0.05 || !above.children[j]) return [];
      const [x, y] = end(asking, "top"), [a, b] = end(above.children[j], "bottom"), bend = (b - y) / 2;
      return [shape("path", { d: `M${x} ${y}C${x} ${y + bend} ${a} ${b - bend} ${a} ${b}`,
        "stroke-width": (0.5 + 5 * weight).toFixed(1) })];
    }));
  }
  function fillTable() {
    const table = figure.numbers.querySelector("table"), names = columns(), all = written();
    const head = (scope, word) => make("th", { scope }, [word]);
    table.caption.firstChild.textContent = state.head ? `What ${heads.value} reads (weights)` : "What all heads read, in the mean (weights)";
    table.tHead.rows[0].replaceChildren(make("td"), ...names.map((word) => head("col", word)));
    table.tBodies[0].replaceChildren(...rows().slice(0, all.length).map((row, t) => make("tr", {}, [head("row", all[t]),
      ...row.map((share) => {
        const cell = make("td", {}, [digits(share)]);
        paint(cell, share, data.turns);
        return cell;
      })])));
  }

  // ---- the address: what the reader made can be sent
  const address = () => `${state.way}~${state.text}`;
  function restore(text) {
    const place = text.indexOf("~"), chosen = Number(text.slice(0, place));
    if (place < 0 || !data.ways[chosen] || !text.slice(place + 1).trim()) return;
    found = { ...found, text: "" };
    if (chosen !== state.way) ways.set(chosen);
    own.value = text.slice(place + 1, place + 301);
    ask();
  }

  draw();
  whenResized(board, () => draw(busy));
  figure.say(data.say);
  keepInAddress(figure, address, restore);
}
