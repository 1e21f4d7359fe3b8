// <ink-suggestions id for="editor-id" taken-url label>
//   <section data-suggestion="12" data-name="RapidOCR"><h3>RapidOCR</h3><pre class="written" data-text>…</pre></section>
//   <section data-suggestion="13" data-name="…"><h3>…</h3><p class="notice" data-tone="bad">why it failed</p></section>
// </ink-suggestions>
//
// One tab per recogniser, each with a letter and a hue of its own. A text is taken whole or by line and is then the
// person's to change; nothing is ever in the editor that was not taken. A failure stays a failure.
//
// property texts   [{id, letter, name, text}] of those that answered      fires ink:taken {suggestion, how, line, text}
import { announce, element, icon, partner } from "../lib/dom.js";
import { linesOf } from "../lib/segments.js";
import { t } from "../lib/strings.js";
import { recordTaken } from "../lib/suggestion-use.js";

class InkSuggestions extends HTMLElement {
  connectedCallback() {
    if (this.sections) return;
    this.sections = [...this.querySelectorAll("[data-suggestion]")];
    if (!this.sections.length) return;
    this.texts = [];
    this.list = element("div", { class: "voices", role: "tablist", "aria-label": this.getAttribute("label") ?? "" });
    this.prepend(this.list);
    this.sections.forEach((section, at) => this.#prepare(section, "ABCDEFGH"[at] ?? String(at + 1)));
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.show(this.sections[0]);
    announce(this, "suggestions-ready");
  }

  show(chosen) {
    for (const section of this.sections) {
      section.hidden = section !== chosen;
      section.tab.setAttribute("aria-selected", section === chosen);
      section.tab.tabIndex = section === chosen ? 0 : -1;
    }
  }

  /** Takes text number `id` whole, or its line `line` (from 1), into the editor; `at` names the editor's line to replace. */
  take(id, line = null, at = null) {
    const voice = this.texts.find((one) => one.id === id);
    const editor = partner(this);
    const text = line === null ? voice.text : linesOf(voice.text)[line - 1];
    if (line === null) editor.takeWhole(text);
    else if (at !== null) editor.replaceLine(at, text);
    else editor.takeLine(text);
    const taken = { suggestion: Number(id), how: line === null ? "whole" : "line", line, text };
    void recordTaken(this.getAttribute("taken-url"), taken);
    announce(this, "taken", taken);
  }

  #prepare(section, letter) {
    const { suggestion: id, name } = section.dataset;
    const voice = `voice-${letter.toLowerCase()}`;
    section.id ||= `suggestion-${id}`;
    section.tab = element("button", { type: "button", role: "tab", class: `voice ${voice}`, id: `tab-${section.id}`, "aria-controls": section.id, onclick: () => this.show(section) },
      element("b", { class: "voice__letter" }, letter), element("span", {}, name));
    this.list.append(section.tab);
    section.setAttribute("role", "tabpanel");
    section.setAttribute("aria-labelledby", section.tab.id);
    const source = section.querySelector("[data-text]");
    if (!source) return;
    const text = source.textContent;
    this.texts.push({ id, letter, name, text });
    const rows = linesOf(text).map((words, at) => this.#row(id, words, at + 1));
    const list = element("ol", { class: "take written", dir: "auto", lang: source.lang || undefined }, ...rows);
    const all = element("button", { type: "button", class: "button button--small", onclick: () => this.take(id) }, icon("copy"), t("take_whole"));
    source.replaceWith(element("div", { class: "row row--between" }, element("span", { class: "muted small" }, t("take_hint")), all), list);
  }

  #row(id, words, line) {
    if (!words.trim()) return element("li", { class: "take__blank" });
    return element("li", { dir: "auto" }, element("span", {}, words),
      element("button", { type: "button", class: "button button--quiet button--small", "aria-label": t("take_line_label", { line }), onclick: () => this.take(id, line) }, t("take_line")));
  }

  #key(event) {
    const at = this.sections.findIndex((section) => !section.hidden);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const target = this.sections[(at + step + this.sections.length) % this.sections.length];
    this.show(target);
    target.tab.focus();
  }
}

customElements.define("ink-suggestions", InkSuggestions);
