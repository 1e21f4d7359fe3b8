// A table from anyone's HTML, rebuilt from nothing but rows, cells and spans: no attribute and no tag of theirs is kept.
import { element } from "./dom.js";

const most = 200;

const spanOf = (cell, name) => Math.min(most, Math.max(1, Number.parseInt(cell.getAttribute(name) ?? "1", 10) || 1));

/** The table in `html`, its cells empty but for the kind of cell; null where there is none. */
export function skeletonOf(html) {
  const table = new DOMParser().parseFromString(html, "text/html").querySelector("table");
  if (!table) return null;
  const rows = [...table.rows].slice(0, most).map((row) => element("tr", {}, ...[...row.cells].slice(0, most).map((cell) => {
    const [across, down] = [spanOf(cell, "colspan"), spanOf(cell, "rowspan")];
    const words = [across > 1 && `${across} ↔`, down > 1 && `${down} ↕`].filter(Boolean).join(" ");
    return element(cell.tagName === "TH" ? "th" : "td", { colspan: across > 1 ? across : null, rowspan: down > 1 ? down : null }, words || " ");
  })));
  return element("table", { class: "skeleton" }, element("tbody", {}, ...rows));
}
