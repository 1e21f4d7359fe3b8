// <ink-disagreements for="suggestions-id"></ink-disagreements>
//
// Where the recognisers read differently: one place at a time, next and previous by buttons or F8 and Shift+F8, each
// reading with its recogniser's letter and its differences marked, to be taken into that line. Going to a place
// brings the editor there, and with it the light on the image.
import { disagreements } from "../lib/compare.js";
import { diffLine, likeness } from "../lib/diff.js";
import { element, icon, partner } from "../lib/dom.js";
import { linesOf } from "../lib/segments.js";
import { t } from "../lib/strings.js";

class InkDisagreements extends HTMLElement {
  #stop = new AbortController();
  #at = 0;

  connectedCallback() {
    this.#stop = new AbortController();
    const options = { signal: this.#stop.signal };
    document.addEventListener("ink:command", (event) => this.#command(event), options);
    document.addEventListener("ink:suggestions-ready", () => this.#read(), options);
    this.classList.add("disputes");
    this.#read();
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #read() {
    this.source = partner(this);
    const texts = this.source?.texts ?? [];
    this.places = disagreements(texts.map((voice) => voice.text));
    if (this.places.length) this.#show(0, { silently: true });
    else this.replaceChildren(element("p", { class: "muted small" }, t(texts.length < 2 ? "dispute_one_voice" : "dispute_none")));
  }

  #show(at, { silently = false } = {}) {
    const count = this.places.length;
    this.#at = (at + count) % count;
    const { lines } = this.places[this.#at];
    const first = lines.find(Boolean);
    const step = (by, name, key) => element("button", { type: "button", class: "button button--quiet button--small", onclick: () => this.#show(this.#at + by) }, icon(name), t(key));
    this.replaceChildren(
      element("div", { class: "row row--between" },
        element("strong", { class: "small", role: "status" }, t("dispute_of", { at: this.#at + 1, count, line: first.number })),
        element("span", { class: "button-row" }, step(-1, "arrow-up", "previous"), step(1, "arrow-down", "next"))),
      element("ul", { class: "disputes__list" }, ...lines.map((line, voice) => this.#reading(line, voice, lines))));
    if (!silently) this.#bringEditor(first);
  }

  #reading(line, at, lines) {
    const voice = this.source.texts[at];
    const mark = element("b", { class: `voice__letter voice-${voice.letter.toLowerCase()}`, title: voice.name }, voice.letter);
    if (!line) return element("li", {}, mark, element("span", { class: "faint" }, t("dispute_absent")));
    const other = lines.find((one) => one && one.text !== line.text);
    const runs = other ? diffLine(other.text, line.text).filter((run) => run.kind !== "del") : [{ kind: "same", text: line.text }];
    const words = element("span", { class: "written", dir: "auto" }, ...runs.map(({ kind, text }) => (kind === "same" ? text : element("mark", {}, text))));
    const take = element("button", { type: "button", class: "button button--small", "aria-label": t("take_reading_label", { letter: voice.letter }),
      onclick: () => this.source.take(voice.id, line.number, this.#editorLine(line)) }, t("take_this"));
    return element("li", {}, mark, words, take);
  }

  /** The line of the editor that this reading belongs to: the likest near the same number; null when there is none. */
  #editorLine({ number, text }) {
    const editor = partner(this.source);
    const lines = linesOf(editor?.text ?? "");
    let best = { share: 0.4, at: null };
    lines.forEach((line, at) => {
      const share = likeness(line, text) - Math.abs(at + 1 - number) * 0.02;
      if (share > best.share) best = { share, at: at + 1 };
    });
    return best.at;
  }

  #bringEditor(line) {
    const at = this.#editorLine(line);
    if (at !== null) partner(this.source).goToLine(at);
  }

  #command(event) {
    const step = { "disagreement-next": 1, "disagreement-previous": -1 }[event.detail.command];
    if (!step || event.defaultPrevented || !this.places?.length) return;
    event.preventDefault();
    this.#show(this.#at + step);
  }
}

customElements.define("ink-disagreements", InkDisagreements);
