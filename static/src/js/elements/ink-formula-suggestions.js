// <ink-formula-suggestions for="transcription" taken-url>
//   <section data-suggestion="12"><ol><li data-latex>…</li>…</ol></section>
// </ink-formula-suggestions>
//
// Formulas that recognisers read, each drawn over its LaTeX and taken into the active outline (ink:take-latex on the
// textarea of the editor that `for` names).
import { announce, element, partner } from "../lib/dom.js";
import { mathView } from "../lib/math.js";
import { t } from "../lib/strings.js";
import { recordTaken } from "../lib/taking.js";

class InkFormulaSuggestions extends HTMLElement {
  connectedCallback() {
    if (this.isReady) return;
    this.isReady = true;
    for (const section of this.querySelectorAll("[data-suggestion]"))
      [...section.querySelectorAll("[data-latex]")].forEach((item, at) => this.#draw(item, Number(section.dataset.suggestion), at + 1));
  }

  #draw(item, suggestion, line) {
    const latex = item.textContent.trim();
    const take = element("button", { type: "button", class: "button button--small", "aria-label": `${t("formula_take")} ${line}`, onclick: () => this.#take({ suggestion, how: "region", line, text: latex }) }, t("formula_take"));
    item.replaceChildren(mathView(latex), element("div", { class: "row row--between" }, element("code", { dir: "ltr" }, latex), take));
  }

  #take(taken) {
    const area = partner(this)?.querySelector("textarea[name=text]");
    area?.dispatchEvent(new CustomEvent("ink:take-latex", { bubbles: true, cancelable: true, detail: { latex: taken.text } }));
    void recordTaken(this.getAttribute("taken-url"), taken);
    announce(this, "taken", taken);
  }
}

customElements.define("ink-formula-suggestions", InkFormulaSuggestions);
