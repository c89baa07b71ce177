// A translator of real sentences: type one, see what each word of the translation reads, drag its look,
// cover a word. The network is fetched when it is first asked for.
function translatorFigure(figure, data) {
  const MOST = 60, WATCH = "Each of these brings a sentence, and says what to change and what to watch for.";
  const SAY = "Choose a word of the translation: the lines show what it reads. Type a sentence of your own, such as a "
    + `caption under a photograph. The network, ${data.size}, is fetched when it is first needed.`;
  const opening = { way: data.first.way, text: data.first.text, at: data.at, head: 0, beams: 1, act: 0 };
  const state = { ...opening, forced: new Map(), covered: new Set() };
  let net = null, bpe = null, found = data.first, running = 0, busy = false;

  const way = () => data.ways[state.way];
  const columns = () => [data.ways[found.way].mark, ...found.source, "end"];
  const written = () => [...found.words, "end"];
  // Shares of the chosen head for every word that was written; the mean of all heads is the first choice.
  const rows = () => (found.heads ? found.heads[state.head] : found.rows);

  // ---- the parts of the figure
  const ways = choose(figure, "From", data.ways.map((one) => `${one.source} to ${one.to}`), state.way, (i) => {
    if (i === state.way) return;
    // The sentence that was written is what one wants to see translated back.
    const turned = busy ? "" : found.written;
    state.way = i;
    own.lang = way().lang;
    if (turned) { own.value = turned; ask(); } else heed();
  });
  const { form, input: own } = sentenceBox("Translate", "A man is riding a bicycle.", () => {
    watch.textContent = WATCH;
    ask();
  });
  own.maxLength = 300;
  own.addEventListener("input", () => { setAside(own.value.trim() !== state.text); heed(); });
  const hint = make("p", { class: "cl-note cl-hint" });
  const answer = make("p", { class: "cl-answer" }), back = make("p", { class: "cl-line" });
  const watch = make("p", { class: "cl-note cl-watch" });
  const samples = make("div", { class: "cl-samples", role: "group", "aria-label": "Sentences to try" }, [
    make("span", { class: "cl-note" }, ["Try"]), ...data.tries.map((one) => press(one.name, () => {
      begin({ way: one.way, text: one.text, at: null }, [make("b", {}, [one.name]), ". ", one.watch]);
      more.open = more.open || one.opens;
      ask();
    }))]);
  const { above, below, arcs, board } = wordBoard();
  const all = Array.from({ length: data.layers * data.heads }, (_, i) => i);
  const heads = menuOf(["all heads, their mean", ...all.map((i) => headName(i, data.heads))], (i) => {
    state.head = i;
    if (found.heads) { draw(); tell(); } else ask();
  });
  let waiting = 0;
  const beams = slide("Beams", { min: 1, max: 5, value: 1 }, (n) => (n === 1 ? "1 (greedy)" : `${n}`), (n) => {
    state.beams = n;
    clearTimeout(waiting);
    waiting = setTimeout(ask, 250);
  });
  const act = choose(figure, "A word of yours that you press", ["is looked at", "is covered"], 0, (i) => { state.act = i; });
  const free = press("Undo all", () => { state.forced.clear(); state.covered.clear(); ask(); });
  const more = foldAway("Change what it reads: looks, words, beams",
    make("p", { class: "cl-note" }, ["Choose a word of the translation, then a word above it, or drag the one onto the "
      + "other: every head of the decoder looks there as the word is written, and the rest is written anew. "
      + "A covered word cannot be looked at by any word."]),
    make("div", { class: "cl-controls" }, [act.label, free, beams.label, labelled("Show", heads)]));
  // A sentence with all else as it was at first. What is being written is given up.
  function begin(parts, told) {
    running += 1;
    busy = false;
    clearTimeout(waiting);
    Object.assign(state, opening, { forced: new Map(), covered: new Set() }, parts);
    beams.show(state.beams);
    act.mark(state.act);
    ways.mark(state.way);
    own.lang = way().lang;
    own.value = state.text;
    watch.replaceChildren(...told);
  }
  const anew = press("Reset", () => {
    begin({}, [WATCH]);
    found = data.first;
    hint.replaceChildren();
    draw();
    figure.answer(SAY);
  });
  figure.controls.append(ways.label, anew, form, hint);
  figure.stage.append(answer, back, make("div", { class: "cl-controls" }, [samples, watch]), board, figure.line, more);
  own.value = state.text;
  watch.textContent = WATCH;

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
      hint.append(`This looks like ${data.ways[other].source}. `, press(`Translate it to ${data.ways[other].to}`, () => {
        found = { ...found, written: "" };
        ways.set(other);
        ask();
      }));
      return;
    }
    if (!bpe || !words.length) return;
    const { words: all, ids, wordOf } = bpe.encode(own.value);
    const strange = [...new Set(all.filter((_, i) => ids.some((id, k) => wordOf[k] === i && id === UNKNOWN)))];
    const spelled = [...new Set(all.filter((word, i) => /\p{L}{3}/u.test(word) && wordOf.filter((one) => one === i).length > 2))];
    if (/\p{L}[.?!]\s+\p{Lu}/u.test(own.value)) hint.append("It has read one sentence at a time. ");
    if (strange.length) hint.append(`It cannot read ${strange.map((word) => `“${word}”`).join(", ")}. `);
    if (spelled.length) hint.append(`Rare in captions, read in pieces: ${spelled.map((word) =>
      bpe.encode(word).ids.map((id) => bpe.written(id).trim()).join("·")).join(", ")}.`);
  }

  // ---- translating
  function ask() {
    clearTimeout(waiting);
    const text = own.value.trim();
    if (!/[\p{L}\p{N}]/u.test(text)) {
      refuse("Wanted a sentence, such as: A man is riding a red bicycle.");
      return;
    }
    setAside(text !== found.text || found.way !== state.way);
    if (text !== state.text || found.way !== state.way) { state.forced.clear(); state.covered.clear(); state.at = null; }
    const mine = running += 1;
    wake(() => { if (mine === running) { heed(); translate(text); } });
  }
  // What stands there is the answer to another sentence.
  function setAside(old) {
    for (const part of [answer, back, board]) part.classList.toggle("cl-stale", old);
  }
  function refuse(why) {
    setAside(true);
    back.replaceChildren("\u00a0");
    figure.say(why);
  }
  const pause = () => new Promise((done) => { setTimeout(done, 0); });

  async function translate(text) {
    const mine = running += 1, { words, ids, wordOf } = bpe.encode(`${way().mark} ${text}`);
    if (ids.length > data.longest) {
      busy = false;
      const over = Math.ceil((words.length - 1) * (1 - data.longest / ids.length));
      refuse(`Too long by about ${over} ${over === 1 ? "word" : "words"}: it reads at most ${data.longest} tokens (words and pieces of words), `
        + `and these are ${ids.length}.`);
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
      const single = all.map((i) => merged(Math.floor(i / data.heads), i % data.heads));
      const mean = single[0].map((row, w) => row.map((_, j) =>
        single.reduce((sum, head) => sum + head[w][j], 0) / single.length));
      const pieces = spelled.words.map((_, w) => one.tokens.filter((__, t) => of[t] === w).map(bpe.written));
      found = { way: here, text, source, words: spelled.words, pieces, written: bpe.decode(one.tokens), heads: [mean, ...single],
        starts: Array.from({ length: last + 1 }, (_, w) => of.indexOf(w)), back: "" };
      state.at = chosen === null ? null : Math.min(chosen, last);
    };
    const best = await search(net, [...ids, END], { beams: state.beams, alpha: data.alpha, most: MOST, hidden, forced,
      told: async (one) => {
        if (state.beams === 1) { show(one); draw(true); }
        await pause();
        return mine === running;
      } });
    if (!best || mine !== running) return;
    show(best);
    busy = false;
    // A new sentence opens on the word that looks most at one place.
    if (state.at === null) {
      const peaks = found.heads[0].slice(0, -1).map((row) => Math.max(...row.slice(1, -1)));
      state.at = Math.max(0, argmax(peaks));
    }
    draw();
    tell();
    // The other way round, so that who cannot read it learns what was written.
    const turned = data.ways[1 - here], again = bpe.encode(`${turned.mark} ${found.written}`);
    const other = await search(net, [...again.ids, END], { beams: 1, alpha: data.alpha, most: MOST,
      told: async () => { await pause(); return mine === running; } });
    if (!other) return;
    found.back = bpe.decode(other.tokens);
    draw();
  }

  // ---- what is said
  // Of a word that it did not learn as a whole.
  const pieced = (i) => {
    const parts = found.pieces?.[i] || [];
    return parts.length > 1
      ? `It put “${found.words[i]}” together from pieces, ${parts.map((part) => part.trim()).join("·")}, and may have invented it.` : "";
  };
  function tell() {
    const row = rows()[state.at], most = argmax(row), word = written()[state.at];
    const step = found.starts ? found.starts[state.at] : -1;
    const looks = state.forced.has(step) ? `looks at “${found.source[state.forced.get(step)]}”, because you said so`
      : `looks most at “${columns()[most]}”, ${row[most].toFixed(2)}`;
    figure.answer(`As it writes “${word}”, ${state.head ? heads.selectedOptions[0].textContent : "the mean of all heads"} ${looks}.`
      + (pieced(state.at) ? ` ${pieced(state.at)}` : "")
      + (state.covered.size ? ` Covered: ${[...state.covered].map((i) => `“${found.source[i]}”`).join(", ")}.` : ""));
  }

  // ---- drawing: the same elements stay, so that focus and pointer keep their place
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
    const at = wordUnder(event, below);
    if (at < 0) return;
    const drop = (up) => {
      board.classList.remove("cl-dragging");
      for (const kind of ["pointerup", "pointercancel"]) window.removeEventListener(kind, drop);
      const place = up.type === "pointerup" ? wordUnder(up, above) : -1;
      if (place > 0) { state.at = at; act.set(0); touch(place - 1); }
    };
    board.classList.add("cl-dragging");
    state.at = at;
    draw(busy);
    for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, drop);
  });

  function draw(unfinished = false) {
    const row = rows()[state.at ?? found.words.length - 1] || [];
    own.lang = way().lang;
    alter(above, { lang: data.ways[found.way].lang, "aria-label": data.ways[found.way].source });
    alter(below, { lang: data.ways[1 - found.way].lang, "aria-label": data.ways[found.way].to });
    setAside(false);
    const names = columns(), out = unfinished ? found.words : written();
    fill(above, names.length, (i) => wordKey(() => touch(i - 1), "text", "look")).forEach((key, i) => {
      const ours = i > 0 && i <= found.source.length;
      key.children[0].textContent = names[i];
      key.disabled = !ours;
      alter(key, { on: { "cl-sign": !ours, "cl-covered": ours && state.covered.has(i - 1) } });
      lit(key.children[1], row[i] || 0);
    });
    fill(below, out.length, (i) => wordKey(() => { state.at = i; draw(busy); tell(); }, "text")).forEach((key, i) => {
      key.children[0].textContent = out[i];
      alter(key, { title: pieced(i), "aria-pressed": i === state.at, on: { "cl-sign": i === found.words.length,
        "cl-pieced": pieced(i), "cl-forced": found.starts && state.forced.has(found.starts[i]) } });
    });
    const said = (how, { lang }, parts) => [make("b", {}, [how]), " ", make("span", { lang }, parts)];
    const here = data.ways[found.way];
    answer.replaceChildren(...said(`in ${here.to}`, data.ways[1 - found.way], (found.pieces || [[found.written]]).flatMap((parts, i) => {
      const text = parts.join("");
      return pieced(i) ? [/^\s/.test(text) ? " " : "", make("span", { class: "cl-pieced", title: pieced(i) }, [text.trim()])] : [text];
    })));
    back.replaceChildren(...(found.back && !unfinished ? said(`back in ${here.source}`, here, [found.back]) : ["\u00a0"]));
    free.disabled = state.forced.size + state.covered.size === 0;
    heads.selectedIndex = state.head;
    if (!unfinished) fillTable();
    drawArcs();
  }
  function drawArcs() {
    const at = state.at ?? found.words.length - 1, place = fitArcs(arcs, board);
    arcs.replaceChildren(...(below.children[at] ? arcsUp(place, below.children[at], rows()[at] || [], above) : []));
  }
  function fillTable() {
    const out = written(), name = state.head ? `What ${heads.selectedOptions[0].textContent} reads (weights)`
      : "What all heads read, in the mean (weights)";
    refill(figure, name, ["", ...columns()], rows().slice(0, out.length).map((row, t) =>
      rowOf(out[t], row.map((share) => weightCell(share)))));
  }

  // ---- the address: what the reader made can be sent
  const address = () => `${state.way}~${state.text}`;
  function restore(text) {
    const place = text.indexOf("~"), chosen = Number(text.slice(0, place));
    if (place < 0 || !data.ways[chosen] || !text.slice(place + 1).trim()) return;
    found = { ...found, written: "" };
    if (chosen !== state.way) ways.set(chosen);
    own.value = text.slice(place + 1, place + 301);
    ask();
  }

  draw();
  whenResized(board, () => draw(busy));
  figure.say(SAY);
  keepInAddress(figure, address, restore);
}
