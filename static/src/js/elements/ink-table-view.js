// <ink-table-view for="transcription"></ink-table-view>                             follows an <ink-table>
// <ink-table-view for="transcription"><pre data-old>…</pre></ink-table-view>        and marks what was changed since
// <ink-table-view><pre data-new>…</pre></ink-table-view>, with a data-old or not    shows its own table, once
//
// A table as a reader sees it, formulas drawn. With an old version, changed cells show what was there struck through
// and what came; a changed structure is said in words.
import { diffLine } from "../lib/diff.js";
import { element, partner, whenQuiet } from "../lib/dom.js";
import { t } from "../lib/strings.js";
import { changesOf, tableView } from "../lib/table/view.js";
import { rowsOfSource } from "../lib/table/editor.js";

class InkTableView extends HTMLElement {
  #stop = new AbortController();
  #shown = null;
  #given = null;

  connectedCallback() {
    this.#stop = new AbortController();
    const old = this.querySelector("[data-old]");
    if (old) this.#given = rowsOfSource(old.textContent)?.rows ?? [];
    if (!this.hasAttribute("for")) {
      this.#draw(this.querySelector("[data-new]")?.textContent ?? "");
      return;
    }
    const later = whenQuiet(() => this.refresh(), 150);
    for (const name of ["ink:change", "ink:tab"]) document.addEventListener(name, later, { signal: this.#stop.signal });
    customElements.whenDefined("ink-table").then(() => this.refresh());
  }

  disconnectedCallback() {
    this.#stop.abort();
  }

  refresh() {
    const text = partner(this)?.text;
    if (text === undefined || text === this.#shown || !this.checkVisibility()) return;
    this.#shown = text;
    this.#draw(text);
  }

  #draw(text) {
    const rows = rowsOfSource(text)?.rows;
    if (!rows) this.replaceChildren(element("p", { class: "muted" }, t("preview_empty")));
    else if (this.#given) this.#showChanges(rows);
    else this.replaceChildren(element("div", { class: "table-scroll" }, tableView(rows)));
  }

  #showChanges(rows) {
    const { isReshaped, changed, was } = changesOf(this.#given, rows);
    const words = [];
    if (isReshaped) words.push(t("table_reshaped"));
    words.push(changed.size ? t("table_changed", { count: changed.size }) : isReshaped ? "" : t("diff_equal"));
    const view = tableView(rows, {
      decorate: (cell, item) => {
        if (!changed.has(item.cell)) return;
        cell.classList.add("is-changed");
        cell.replaceChildren(...marks(was.get(item.cell)?.text ?? "", item.cell.text));
      },
    });
    this.replaceChildren(element("p", { class: "small", role: "status" }, words.filter(Boolean).join(" ")), element("div", { class: "table-scroll" }, view));
  }
}

function marks(before, after) {
  return diffLine(before.replaceAll("\n", "⏎"), after.replaceAll("\n", "⏎")).map(({ kind, text }) => (kind === "same" ? text : element(kind, {}, text)));
}

customElements.define("ink-table-view", InkTableView);
