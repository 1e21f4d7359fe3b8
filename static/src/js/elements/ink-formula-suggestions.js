// <ink-formula-suggestions for="transcription" taken-url>
//   <section data-suggestion="12"><ol><li data-latex>…</li>…</ol></section>
// </ink-formula-suggestions>
//
// Formulas that recognisers read, each drawn over its LaTeX and taken into the active outline of the <ink-regions> that
// `for` names. Each says which formulas took it, as long as they have it.
import { announce, element, icon, partner } from "../lib/dom.js";
import { mathView } from "../lib/math.js";
import { t } from "../lib/strings.js";
import { recordTaken } from "../lib/suggestion-use.js";

class InkFormulaSuggestions extends HTMLElement {
  #stop = new AbortController();
  #drafts = [];

  connectedCallback() {
    this.#stop = new AbortController();
    document.addEventListener("ink:change", (event) => event.target === partner(this) && this.#tellAll(), { signal: this.#stop.signal });
    if (this.isReady) return;
    this.isReady = true;
    for (const section of this.querySelectorAll("[data-suggestion]"))
      [...section.querySelectorAll("[data-latex]")].forEach((item, at) => this.#draw(item, Number(section.dataset.suggestion), at + 1));
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #draw(item, suggestion, line) {
    const draft = { latex: item.textContent.trim(), takers: new Set(), note: element("p", { class: "small", role: "status" }) };
    const taken = { suggestion, how: "region", line, text: draft.latex };
    const take = element("button", { type: "button", class: "button button--small", "aria-label": `${t("formula_take")} ${line}`, onclick: () => this.#take(draft, taken) }, t("formula_take"));
    item.replaceChildren(mathView(draft.latex), element("div", { class: "row row--between" }, element("code", { dir: "ltr" }, draft.latex), take), draft.note);
    this.#drafts.push(draft);
  }

  /** What no formula took is not reported to the server either. */
  #take(draft, taken) {
    const id = partner(this)?.takeLatex(draft.latex) ?? null;
    if (id === null) {
      draft.note.replaceChildren(t("region_none_chosen"));
      return;
    }
    draft.takers.add(id);
    this.#tellAll();
    void recordTaken(this.getAttribute("taken-url"), taken);
    announce(this, "taken", taken);
  }

  /** Numbers move with the reading order, and a formula may go or be written anew. */
  #tellAll() {
    for (const { latex, takers, note } of this.#drafts) {
      if (!takers.size) continue;
      const held = [...takers].map((id) => ({ id, ...partner(this)?.formula(id) })).filter((one) => one.latex === latex);
      note.replaceChildren(...held.map(({ id, number }) => this.#saying(id, number)));
    }
  }

  #saying(id, number) {
    const show = element("button", { type: "button", class: "link-button", onclick: () => partner(this)?.showFormula(id) }, t("region_show", { number }));
    return element("span", { class: "status", "data-tone": "done" }, icon("check"), t("formula_taken_as", { number }), " ", show);
  }
}

customElements.define("ink-formula-suggestions", InkFormulaSuggestions);
