// <ink-region-changes for="editor-id"><pre data-old>{"regions": […]}</pre></ink-region-changes>
//
// Second review of formulas: what was changed in the regions that were given. Regions keep their names through a
// review, so a change of outline, of LaTeX, of place in the order, and what came or went, are each reported as such.
import { element, partner, whenQuiet } from "../lib/dom.js";
import { mathView } from "../lib/math.js";
import { changesOf } from "../lib/region-changes.js";
import { readRegions } from "../lib/regions.js";
import { t } from "../lib/strings.js";

class InkRegionChanges extends HTMLElement {
  #stop = new AbortController();
  given = null; // the regions before the change

  connectedCallback() {
    this.given ??= readRegions(this.querySelector("[data-old]")?.textContent ?? "") ?? [];
    this.#stop = new AbortController();
    const later = whenQuiet(() => this.#show(), 150);
    for (const name of ["ink:change", "ink:tab"]) document.addEventListener(name, later, { signal: this.#stop.signal });
    customElements.whenDefined("ink-regions").then(() => this.#show());
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #show() {
    const after = readRegions(partner(this)?.text ?? "");
    if (after === null || !this.checkVisibility()) return;
    const changes = changesOf(this.given, after);
    if (!changes.length) return void this.replaceChildren(element("p", { class: "muted" }, t("changes_none")));
    this.replaceChildren(element("ol", { class: "changes", role: "list" }, ...changes.map(changeNode)));
  }
}

function changeNode({ kind, number, was, latex }) {
  const words = element("p", { class: "small" }, element("strong", {}, t(`change_${kind}`, { number, was })));
  if (kind === "removed") return element("li", {}, words, element("del", {}, mathView(latex.before)));
  if (kind === "added") return element("li", {}, words, element("ins", {}, mathView(latex.after)));
  if (kind !== "latex") return element("li", {}, words);
  const diff = element("ink-diff", { class: "mono" }, element("div", { "data-old": true }, latex.before), element("div", { "data-new": true }, latex.after));
  return element("li", {}, words, mathView(latex.after), diff);
}

customElements.define("ink-region-changes", InkRegionChanges);
