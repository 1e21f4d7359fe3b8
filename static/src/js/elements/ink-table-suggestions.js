// <ink-table-suggestions for="transcription" taken-url>
//   <section data-suggestion="12"><h2>…</h2><pre data-text>…HTML…</pre></section>     … or a failure in words
// </ink-table-suggestions>
//
// Tables that recognisers read, each to be looked at and taken: whole, or one cell. A cell is chosen by a click or by
// the arrow keys; below its table stand the readings of all recognisers for that place and the own text, each reading
// with a button that puts it into the same place of the own table. Places read differently are marked; F8 and
// Shift+F8 go through them.
import { announce, element, icon, partner } from "../lib/dom.js";
import { t } from "../lib/strings.js";
import { rowsOfSource } from "../lib/table/editor.js";
import { cellView } from "../lib/table/math-view.js";
import { tableView, textAt } from "../lib/table/view.js";
import { recordTaken } from "../lib/suggestion-use.js";

class InkTableSuggestions extends HTMLElement {
  #stop = new AbortController();
  #at = -1;

  connectedCallback() {
    if (this.voices) return;
    this.voices = [...this.querySelectorAll("[data-suggestion]")].flatMap((section) => this.#voice(section));
    const texts = (row, column) => new Set(this.voices.map((voice) => textAt(voice.rows, row, column)));
    for (const voice of this.voices) this.#draw(voice, (row, column) => texts(row, column).size > 1);
    document.addEventListener("ink:command", (event) => this.#command(event), { signal: this.#stop.signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #voice(section) {
    const source = section.querySelector("[data-text]");
    const rows = source && rowsOfSource(source.textContent)?.rows;
    return rows ? [{ id: Number(section.dataset.suggestion), letter: section.dataset.letter, section, source, rows, html: source.textContent, cells: [] }] : [];
  }

  #draw(voice, isDisputed) {
    const view = tableView(voice.rows, {
      decorate: (node, { cell, row, column }) => {
        if (isDisputed(row, column)) node.classList.add("is-disputed");
        Object.assign(node, { tabIndex: voice.cells.length ? -1 : 0, onclick: () => this.#choose(voice, { node, cell, row, column }), onkeydown: (event) => this.#key(event, voice) });
        voice.cells.push({ node, cell, row, column });
      },
    });
    voice.bar = element("div", { class: "table-choice", role: "status" }, element("p", { class: "muted small" }, t("table_choose")));
    const whole = element("button", { type: "button", class: "button button--small", onclick: () => this.#takeWhole(voice) }, icon("copy"), t("table_take_whole"));
    voice.source.replaceWith(element("div", { class: "row row--between" }, element("span", { class: "muted small" }, t("take_hint")), whole), element("div", { class: "table-scroll" }, view), voice.bar);
  }

  #choose(voice, place) {
    voice.chosen = place;
    for (const { node } of voice.cells) {
      node.toggleAttribute("data-chosen", node === place.node);
      node.tabIndex = node === place.node ? 0 : -1;
    }
    const own = partner(this)?.rows ?? null;
    const mine = own && textAt(own, place.row, place.column);
    const rows = this.voices.map((other) => this.#reading(other, place, mine !== null));
    const words = mine === null ? t("table_no_place") : t("table_yours");
    voice.bar.replaceChildren(element("p", { class: "small" }, element("strong", {}, t("table_chosen", { row: place.row + 1, column: place.column + 1 }))),
      element("ul", { class: "disputes__list" }, ...rows, element("li", { class: "muted" }, element("span", {}, words), element("span", { class: "written", dir: "auto" }, ...cellView(mine ?? "")))));
  }

  #reading(voice, { row, column }, canTake) {
    const text = textAt(voice.rows, row, column);
    const mark = element("b", { class: `voice__letter voice-${voice.letter.toLowerCase()}` }, voice.letter);
    if (text === null) return element("li", {}, mark, element("span", { class: "faint" }, t("table_absent")));
    const take = element("button", { type: "button", class: "button button--small", "aria-label": `${t("table_take_cell")} ${voice.letter}`, onclick: () => this.#takeCell(voice, row, column, text) }, t("table_take_cell"));
    return element("li", {}, mark, element("span", { class: "written", dir: "auto" }, ...cellView(text)), canTake && take);
  }

  #takeWhole(voice) {
    partner(this).takeWhole(voice.html);
    this.#tell({ suggestion: voice.id, how: "whole", line: null, text: voice.html });
  }

  #takeCell(voice, row, column, text) {
    if (!partner(this).takeCell(row, column, text)) return;
    const line = voice.cells.findIndex((one) => textAt(voice.rows, row, column) === one.cell.text && one.row <= row && one.column <= column);
    this.#tell({ suggestion: voice.id, how: "cell", line: Math.max(line, 0) + 1, text });
    for (const other of this.voices) if (other.chosen) this.#choose(other, other.chosen);
  }

  #tell(taken) {
    void recordTaken(this.getAttribute("taken-url"), taken);
    announce(this, "taken", taken);
  }

  #key(event, voice) {
    const at = voice.cells.findIndex(({ node }) => node === event.currentTarget);
    const { row, column } = voice.cells[at];
    const beside = (down) => voice.cells.find((one) => one.row === row + down && one.column <= column && column < one.column + one.cell.colspan);
    const target = { ArrowRight: voice.cells[at + 1], ArrowLeft: voice.cells[at - 1], ArrowDown: beside(1), ArrowUp: beside(-1), Enter: voice.cells[at], " ": voice.cells[at] }[event.key];
    if (!target || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    event.preventDefault();
    this.#choose(voice, target);
    target.node.focus();
  }

  #command(event) {
    const step = { "disagreement-next": 1, "disagreement-previous": -1 }[event.detail.command];
    const places = this.voices[0]?.cells.filter(({ node }) => node.classList.contains("is-disputed")) ?? [];
    if (!step || event.defaultPrevented || !places.length || !this.checkVisibility()) return;
    event.preventDefault();
    this.#at = (this.#at + step + places.length) % places.length;
    this.#choose(this.voices[0], places[this.#at]);
    places[this.#at].node.focus();
  }
}

customElements.define("ink-table-suggestions", InkTableSuggestions);
