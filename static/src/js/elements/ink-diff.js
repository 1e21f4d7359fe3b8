// <ink-diff lines? context="2"><div data-old>…</div><div data-new>…</div></ink-diff>
//
// Shows how the new text differs from the old: <del> what was there, <ins> what came. `lines` numbers them and folds
// long equal stretches; `for="editor-id"` follows what is in that editor. Without scripts both texts stand one under the other, with their labels.
import { element, partner, whenQuiet } from "../lib/dom.js";
import { diffText } from "../lib/diff.js";
import { t } from "../lib/strings.js";

class InkDiff extends HTMLElement {
  #stop = new AbortController();
  #before = null;

  connectedCallback() {
    const [before, after] = [this.querySelector("[data-old]"), this.querySelector("[data-new]")];
    if (before && after) {
      this.#before = before.textContent;
      this.compare(this.#before, after.textContent);
    }
    if (!this.hasAttribute("for")) return;
    this.#stop = new AbortController();
    const later = whenQuiet(() => this.#follow(), 150);
    for (const name of ["ink:change", "ink:tab"]) document.addEventListener(name, later, { signal: this.#stop.signal });
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  #follow() {
    const editor = partner(this);
    if (this.#before !== null && editor && this.checkVisibility()) this.compare(this.#before, editor.text);
  }

  /** Shows the differences of two texts in place of what was here. */
  compare(before, after) {
    const rows = diffText(before, after);
    const inLines = this.hasAttribute("lines");
    const box = element("div", { class: inLines ? "diff diff--lines" : "diff", dir: "auto" });
    if (inLines) appendNumbered(box, folded(rows, Number(this.getAttribute("context") ?? 2)));
    else rows.forEach((row, at) => box.append(at ? "\n" : "", ...marks(row.runs)));
    const isEqual = rows.every((row) => row.isSame);
    this.replaceChildren(...(isEqual ? [element("p", { class: "muted small" }, t("diff_equal"))] : []), box);
  }
}

function marks(runs) {
  return runs.map(({ kind, text }) => (kind === "same" ? text : element(kind, {}, text || "⏎")));
}

/** Equal stretches longer than twice the context become {hidden: n}. */
function folded(rows, context) {
  const isNear = rows.map((_, at) => rows.slice(Math.max(0, at - context), at + context + 1).some((row) => !row.isSame));
  if (!isNear.some(Boolean)) return rows;
  const out = [];
  rows.forEach((row, at) => {
    if (isNear[at]) out.push(row);
    else if (out.at(-1)?.hidden) out.at(-1).hidden += 1;
    else out.push({ hidden: 1 });
  });
  return out;
}

function appendNumbered(box, rows) {
  for (const row of rows) {
    if (row.hidden) {
      box.append(element("div", { class: "diff__fold" }, t("diff_folded", { count: row.hidden })));
      continue;
    }
    box.append(
      element("span", { class: "diff__number" }, String(row.after ?? row.before)),
      element("div", { class: row.isSame ? "is-same" : "", dir: "auto" }, ...marks(row.runs)),
    );
  }
}

customElements.define("ink-diff", InkDiff);
