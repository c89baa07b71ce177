// A sentence for a network: one of a menu, or the reader's own.

// The words and marks of what was typed, each as the network spells it, or a word on why not.
function wordsOf(text, vocabulary, most, { where = "", counted = "words" } = {}) {
  const words = text.trim().split(/\s+/).flatMap((word) => word.match(/[^.,]+|[.,]/g) || []);
  if (words.length && words[words.length - 1] !== ".") words.push(".");
  const spelled = new Map(vocabulary.map((word) => [word.toLowerCase(), word]));
  const strange = words.find((word) => !spelled.has(word.toLowerCase()));
  const refused = words.length < 2 ? "Wanted a sentence, such as: the small dog sleeps ."
    : strange ? `The network does not know “${strange}”.${where}`
      : words.length > most ? `Wanted at most ${most} ${counted}, got ${words.length}.` : "";
  return { refused, words: refused ? [] : words.map((word) => spelled.get(word.toLowerCase())) };
}

// A box to type a sentence into; `take` gets what was typed.
function sentenceBox(action, example, take) {
  const input = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    placeholder: example, "aria-label": "your own sentence" });
  const form = make("form", {}, [input, make("button", { type: "submit" }, [action])]);
  form.addEventListener("submit", (event) => { event.preventDefault(); take(input.value); });
  return { form, input };
}

// A menu of sentences, with a last line that is there while the sentence is the reader's own.
function sentenceMenu(options, onChange, attributes) {
  const menu = menuOf(options, onChange, attributes);
  const own = make("option", { hidden: "" }, ["(your own)"]);
  menu.append(own);
  // The place of a sentence, or null for the reader's own.
  const mark = (i) => {
    own.hidden = i !== null;
    menu.selectedIndex = i === null ? options.length : i;
  };
  return { menu, mark };
}

const foldAway = (title, ...children) =>
  make("details", { class: "cl-more" }, [make("summary", {}, [title]), ...children]);
