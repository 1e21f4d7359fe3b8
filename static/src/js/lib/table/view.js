// Tables to be read, not written: previews, suggestions, changes.
import { element } from "../dom.js";
import { canonicalText, cellsOf, layOut } from "./grid.js";
import { cellView } from "./math-view.js";

/**
 * A table of nodes; `decorate(node, {cell, row, column})` may change each cell.
 * @param {{cells?: unknown}[] | any[]} rows
 * @param {{decorate?: (node: any, item: any) => void}} options
 */
export function tableView(rows, { decorate = () => {} } = {}) {
  const places = new Map(cellsOf(rows).map((item) => [item.cell, item]));
  return element("table", { class: "table-read written" }, element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => {
    const { rowspan, colspan } = cell;
    const node = element(cell.isHeader ? "th" : "td", { dir: "auto", rowspan: rowspan > 1 && rowspan, colspan: colspan > 1 && colspan }, ...cellView(cell.text));
    decorate(node, places.get(cell) ?? { cell, row: 0, column: 0 });
    return node;
  })))));
}

/** The text of the cell that covers a slot (from 0), or null where there is none. */
export function textAt(rows, row, column) {
  return layOut(rows).slots[row]?.[column]?.cell.text ?? null;
}

const key = ({ row, column }) => `${row}/${column}`;
const shapeOf = (rows) => JSON.stringify(rows.map((cells) => cells.map(({ isHeader, rowspan, colspan }) => [isHeader, rowspan, colspan])));

/** What differs from an earlier version, by place: {isReshaped, changed: Set of cells, was: Map cell -> earlier cell}. */
export function changesOf(before, after) {
  const earlier = new Map(cellsOf(before).map((item) => [key(item), item.cell]));
  const changed = new Set();
  const was = new Map();
  for (const item of cellsOf(after)) {
    const other = earlier.get(key(item));
    if (other) was.set(item.cell, other);
    if (canonicalText(other?.text ?? "") !== canonicalText(item.cell.text)) changed.add(item.cell);
  }
  return { isReshaped: shapeOf(before) !== shapeOf(after), changed, was };
}
