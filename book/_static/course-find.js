// Looks through the sections of the book for what the reader types. Only the search page loads it,
// after course-search.js, which holds the sections.
(function () {
  "use strict";
  var FIRST = 25, SNIPPET = 170, BEFORE = 45, PAUSE = 120;
  var TITLE = 8, NAME = 2, PAGE = 1, SAME_TITLE = 25, PHRASE = 6;
  var EXACT = 1, PART = 0.5, PREFIX = 0.4, NEAR = 0.4;
  var WORD = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*/gu;
  var SMALL = new Set(("a an and are as at be by do does for from how in is it of on or the that this to"
    + " was what when where which why with").split(" "));
  var LETTERS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
    + " sigma sigma tau upsilon phi chi psi omega";
  var GREEK = {};
  LETTERS.split(" ").forEach(function (name, i) { GREEK[String.fromCharCode(0x3b1 + i)] = name; });

  // One form for what is written in several ways: É and e, 𝛼 and α and alpha, α_ij and \alpha_{ij}.
  function plain(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/ß/g, "ss")
      .replace(/[α-ω]/g, function (letter) { return GREEK[letter]; });
  }

  function stem(word) { return word.length > 3 ? word.replace(/([^s])s$/, "$1") : word; }

  // The forms of a word: itself, then its parts where a line or a capital joins them.
  function forms(word) {
    var parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u);
    return [word.replace(/_/g, "")].concat(parts.length > 1 ? parts : []).map(plain).map(stem);
  }

  function words(text) {
    return Array.from(text.replace(/[’']s\b/g, "  ").matchAll(WORD));
  }

  // For each form the sections that have it: how often in the text, and what the places are worth.
  function indexed(book) {
    var index = new Map();
    book.sections.forEach(function (section, number) {
      function add(text, worth, once) {
        words(text).forEach(function (found) {
          forms(found[0]).forEach(function (form, nth) {
            if (!index.has(form)) index.set(form, new Map());
            var places = index.get(form);
            if (!places.has(number)) places.set(number, { times: 0, worth: 0 });
            var place = places.get(number), share = nth ? PART : EXACT;
            if (once) place.worth = Math.max(place.worth, worth * share);
            else place.times += share;
          });
        });
      }
      add(section[3], 1, false);
      add(book.pages[section[0]][1], PAGE, true);
      add(section[4] || "", NAME, true);
      add(section[2], TITLE, true);
    });
    return index;
  }

  // One letter wrong, missing, too many, or two exchanged.
  function near(a, b) {
    if (Math.abs(a.length - b.length) > 1) return false;
    var i = 0;
    while (i < a.length && a[i] === b[i]) i += 1;
    if (a.length > b.length) return a.slice(i + 1) === b.slice(i);
    if (a.length < b.length) return a.slice(i) === b.slice(i + 1);
    return a.slice(i + 1) === b.slice(i + 1)
      || (a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2));
  }

  // The forms in the book that a word of the reader's may mean, each with its share.
  function meant(word, index) {
    var found = new Map(), form = stem(word);
    if (index.has(form)) found.set(form, EXACT);
    if (word.length > 2) {
      index.forEach(function (_, key) {
        if (key.startsWith(word) && !found.has(key)) found.set(key, PREFIX);
      });
    }
    if (found.size || word.length < 4) return { forms: found, guessed: false };
    [0, 1].forEach(function (begun) {
      if (found.size) return;
      index.forEach(function (_, key) {
        if (near(form, begun ? key.slice(0, form.length + 1) : key)) found.set(key, NEAR);
      });
    });
    return { forms: found, guessed: found.size > 0 };
  }

  // Whether words stand beside each other anywhere in the book.
  function stands(phrase, book) {
    var looked = " " + phrase + " ";
    return book.sections.some(function (section) {
      return [section[2], section[3]].some(function (text) { return (" " + spaced(text) + " ").includes(looked); });
    });
  }

  // What the book has another word for is asked for by that word: by search_words.yml, the longest
  // first, or as two words where they were typed as one.
  function translated(query, book, index) {
    var asked = spaced(query.replace(/[\\{}$]/g, "")), told = [];
    Object.keys(book.synonyms || {}).sort(function (a, b) { return b.length - a.length; }).forEach(function (key) {
      var typed = spaced(key), ours = book.synonyms[key];
      if (!(" " + asked + " ").includes(" " + typed + " ") || stands(typed, book)) return;
      asked = (" " + asked + " ").replace(" " + typed + " ", " " + ours + " ").trim();
      told.push([key, ours]);
    });
    asked.split(" ").forEach(function (word) {
      if (word.length < 6 || index.has(word)) return;
      for (var at = 3; at <= word.length - 3; at += 1) {
        var two = word.slice(0, at) + " " + word.slice(at);
        if (!two.split(" ").every(function (half) { return index.has(half); }) || !stands(two, book)) continue;
        asked = asked.replace(word, two);
        told.push([word, two]);
        return;
      }
    });
    return { query: told.length ? asked : query, told: told };
  }

  function search(typed, book, index) {
    var translation = translated(typed, book, index), query = translation.query;
    var asked = words(query.replace(/[\\{}$]/g, "")).map(function (found) {
      return { seen: found[0], word: plain(found[0].replace(/_/g, "")) };
    });
    var large = asked.filter(function (term) { return !SMALL.has(term.word); });
    var terms = (large.length ? large : asked).map(function (term) {
      return Object.assign(term, meant(term.word, index));
    });
    var scores = new Map();
    terms.forEach(function (term) {
      var best = new Map();
      term.forms.forEach(function (share, form) {
        var places = index.get(form), rare = Math.log(1 + book.sections.length / places.size);
        places.forEach(function (place, number) {
          var worth = share * rare * (place.worth + 4 * place.times / (place.times + 2));
          best.set(number, Math.max(worth, best.get(number) || 0));
        });
      });
      best.forEach(function (worth, number) {
        var entry = scores.get(number) || { number: number, held: 0, score: 0 };
        entry.held += 1;
        entry.score += worth;
        scores.set(number, entry);
      });
    });
    var phrase = asked.map(function (term) {
      return term.guessed ? term.forms.keys().next().value : stem(term.word);
    }).join(" ");
    var found = Array.from(scores.values());
    var most = Math.max.apply(null, [0].concat(found.map(function (entry) { return entry.held; })));
    found = found.filter(function (entry) { return entry.held === most; });
    found.forEach(function (entry) {
      var section = book.sections[entry.number];
      if (spaced(section[2]) === phrase) entry.score += SAME_TITLE;
      else if (terms.length > 1 && spaced(section[3]).includes(phrase)) entry.score += PHRASE;
    });
    found.sort(function (a, b) { return b.score - a.score || a.number - b.number; });
    return { found: found, terms: terms, all: most === terms.length, told: translation.told };
  }

  function spaced(text) {
    return words(text).map(function (found) { return forms(found[0])[0]; }).join(" ");
  }

  // The words of a text that were asked for: where they stand, and which term they are.
  function hits(text, terms) {
    return words(text).flatMap(function (found) {
      var own = forms(found[0]);
      var term = terms.findIndex(function (t) { return own.some(function (f) { return t.forms.has(f); }); });
      return term < 0 ? [] : [{ from: found.index, to: found.index + found[0].length, term: term }];
    });
  }

  function element(tag, name, text) {
    var made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  }

  // A text in pieces; the words that are German or French in the book say so.
  function spoken(text) {
    var foreign = window.courseSearch.foreign || {}, pieces = [], done = 0;
    words(text).forEach(function (found) {
      if (!Object.hasOwn(foreign, found[0])) return;
      var word = element("bdi", "", found[0]);
      word.lang = foreign[found[0]];
      word.translate = false;
      pieces.push(text.slice(done, found.index), word);
      done = found.index + found[0].length;
    });
    return pieces.concat(text.slice(done));
  }

  // The part of a text in which most of the terms stand, with these marked.
  function snippet(text, terms) {
    var all = hits(text, terms), best = 0, start = 0;
    all.forEach(function (hit) {
      var inside = all.filter(function (h) { return h.from >= hit.from && h.to <= hit.from + SNIPPET - BEFORE; });
      var held = new Set(inside.map(function (h) { return h.term; })).size + inside.length / 100;
      if (held > best) { best = held; start = hit.from; }
    });
    var from = start <= BEFORE ? 0 : text.indexOf(" ", start - BEFORE) + 1;
    var to = from + SNIPPET >= text.length ? text.length : text.lastIndexOf(" ", from + SNIPPET);
    var shown = element("p", "search-text", from ? "… " : ""), at = from;
    function put(part, tag) {
      var box = tag ? element(tag) : shown;
      spoken(part).forEach(function (piece) { box.append(piece); });
      if (tag) shown.append(box);
    }
    all.filter(function (hit) { return hit.from >= from && hit.to <= to; }).forEach(function (hit) {
      put(text.slice(at, hit.from));
      put(text.slice(hit.from, hit.to), "mark");
      at = hit.to;
    });
    put(text.slice(at, to) + (to < text.length ? " …" : ""));
    return shown;
  }

  function result(entry, terms, book) {
    var section = book.sections[entry.number], page = book.pages[section[0]];
    var item = element("li"), link = element("a", "", section[2]);
    link.href = page[0] + (section[1] ? "#" + section[1] : "");
    item.append(link);
    if (section[1]) item.append(" ", element("span", "search-page", page[1]));
    var names = (section[4] || "").split(" ").filter(function (name) { return hits(name, terms).length; });
    if (names.length && !hits(section[3], terms).length) {
      item.append(element("p", "search-text", "In the code: " + names.slice(0, 4).join(", ")));
    } else if (section[3]) item.append(snippet(section[3], terms));
    return item;
  }

  function told(answer, query) {
    var count = answer.found.length, some = count === 1 ? "1 section" : count + " sections";
    var guessed = answer.terms.filter(function (term) { return term.guessed; });
    if (count && answer.told.length) {
      return answer.told.map(function (pair) { return "“" + pair[0] + "” is “" + pair[1] + "” here; "; }).join("")
        + some + " found" + (answer.all ? "." : " with some of these words.");
    }
    if (!count) return "Nothing found for “" + query.trim() + "”.";
    if (!answer.all) return "No section has all of these words; " + some + " found with some of them.";
    if (!guessed.length) return some + " found.";
    var like = guessed[0].forms.keys().next().value;
    return "“" + guessed[0].seen + "” is not in the book; " + some + " found with “" + like + "”.";
  }

  function begin() {
    var form = document.querySelector(".course-search form"), field = form.querySelector("input");
    var status = document.getElementById("search-status"), list = document.getElementById("search-results");
    var book = window.courseSearch, index = null, timer = 0;

    function show() {
      var query = field.value, answer;
      list.replaceChildren();
      more.hidden = true;
      status.textContent = "";
      if (!words(query).length) return;
      index = index || indexed(book);
      answer = search(query, book, index);
      function items(from, to) {
        return answer.found.slice(from, to).map(function (entry) { return result(entry, answer.terms, book); });
      }
      list.append.apply(list, items(0, FIRST));
      status.textContent = told(answer, query);
      more.hidden = answer.found.length <= FIRST;
      more.textContent = "Show the other " + (answer.found.length - FIRST);
      more.onclick = function () {
        var rest = items(FIRST);
        list.append.apply(list, rest);
        more.hidden = true;
        rest[0].querySelector("a").focus();
      };
    }

    function keep() {
      var address = field.value ? "?q=" + encodeURIComponent(field.value) : location.pathname;
      // A browser may refuse this to a page that was opened from a folder; the search goes on.
      try { history.replaceState(null, "", address); } catch (refused) { /* no address to share */ }
    }

    var more = element("button", "btn search-more");
    more.type = "button";
    list.after(more);
    field.value = new URLSearchParams(location.search).get("q") || "";
    field.addEventListener("input", function () {
      clearTimeout(timer);
      timer = setTimeout(function () { show(); keep(); }, PAUSE);
    });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      clearTimeout(timer);
      show();
      keep();
    });
    show();
    field.focus();
  }

  begin();
})();
