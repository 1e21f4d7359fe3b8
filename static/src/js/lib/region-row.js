// One region in the list: number, formula as a reader sees it, and, for the active one, its LaTeX.
import { element, icon, whenQuiet } from "./dom.js";
import { LatexField } from "./latex-field.js";
import { drawMath } from "./math.js";
import { t } from "./strings.js";

export class RegionRow {
  #drawn = null;

  /** `act` has activate({focus}), latex(text), move(by), edit(), remove(). */
  constructor(act) {
    this.act = act;
    this.number = element("b", { class: "region__number num" });
    this.preview = element("button", { type: "button", class: "region__preview", onclick: () => act.activate({ focus: true, bring: true }) });
    const tool = (name, call) => element("button", { type: "button", class: "button button--quiet button--icon button--small", onclick: call }, icon(name));
    this.up = tool("arrow-up", () => act.move(-1));
    this.down = tool("arrow-down", () => act.move(1));
    this.outline = tool("pencil", () => act.edit());
    this.bin = tool("trash-2", () => act.remove());
    this.editorBox = element("div", { class: "region__latex" });
    this.fault = element("p", { class: "region__fault small", role: "status" });
    this.node = element("li", { class: "region" }, element("div", { class: "region__head" }, this.number, this.preview, element("span", { class: "region__acts" }, this.up, this.down, this.outline, this.bin)), this.editorBox, this.fault);
    this.node.addEventListener("focusin", () => this.isActive || act.activate());
    this.#redraw = whenQuiet(() => this.#draw(), 120);
  }

  #redraw;

  show(region, { at, count, isActive, isReadOnly }) {
    const number = at + 1;
    this.region = region;
    this.isActive = isActive;
    this.numberShown = number;
    this.node.toggleAttribute("data-active", isActive);
    this.number.textContent = String(number);
    this.preview.setAttribute("aria-label", t("region_show", { number }));
    for (const [button, key] of [[this.up, "region_earlier"], [this.down, "region_later"], [this.outline, "region_edit"], [this.bin, "region_remove"]]) {
      const words = t(key, { number });
      button.title = words;
      button.setAttribute("aria-label", words);
    }
    this.up.disabled = isReadOnly || at === 0;
    this.down.disabled = isReadOnly || at === count - 1;
    this.outline.disabled = this.bin.disabled = isReadOnly;
    if (isActive && !isReadOnly) this.#open();
    else this.close();
    if (region.latex !== this.#drawn) this.#draw();
  }

  #open() {
    if (this.field) return;
    this.field = new LatexField({
      parent: this.editorBox, text: this.region.latex, label: t("region_latex", { number: this.numberShown }),
      onChange: (text) => {
        this.act.latex(text);
        this.#redraw();
      },
    });
    this.field.mark(this.problem);
  }

  #draw() {
    const { latex } = this.region;
    this.#drawn = latex;
    const shown = element("span", { class: "region__math", dir: "ltr" });
    this.problem = latex.trim() ? drawMath(latex, shown) : null;
    if (!latex.trim()) shown.append(element("span", { class: "muted small" }, t("latex_empty")));
    else if (this.problem) shown.append(element("code", {}, latex.length > 300 ? `${latex.slice(0, 300)}…` : latex));
    this.preview.replaceChildren(shown);
    this.node.toggleAttribute("data-faulty", this.problem !== null);
    this.fault.textContent = this.problem ? (this.problem.from === undefined ? this.problem.words : t("latex_fault", { words: this.problem.words, at: this.problem.from + 1 })) : "";
    this.field?.mark(this.problem);
  }

  setLatex(text) {
    this.region.latex = text;
    this.field?.set(text);
    this.#draw();
  }

  insert(text) {
    this.field?.insert(text);
  }

  focus() {
    (this.field ?? this.preview).focus();
  }

  close() {
    this.#redraw.cancel();
    this.field?.close();
    this.field = undefined;
  }
}
