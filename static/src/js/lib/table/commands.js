// What can be done to a table, each as an editor command (state, dispatch) => whether it can be done here.
import { Selection, TextSelection } from "prosemirror-state";
import {
  CellSelection, TableMap, addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, isInTable, mergeCells, moveTableColumn,
  moveTableRow, selectedRect, splitCell, toggleHeader, toggleHeaderCell,
} from "prosemirror-tables";

import { inlineOf, schema, textOf } from "./schema.js";

/** Joins the selected cells; their texts follow each other, a line each. */
function merge(state, dispatch) {
  if (!mergeCells(state)) return false;
  if (!dispatch) return true;
  const texts = [];
  const first = state.selection.ranges.length && cellsIn(state.selection);
  for (const { node } of first) if (textOf(node).trim()) texts.push(textOf(node));
  const { tr } = state;
  // The library appends paragraphs, which a cell has one of: the others are emptied first.
  for (const { node, pos } of [...first].reverse()) if (node.content.firstChild.content.size) tr.delete(pos + 2, pos + node.nodeSize - 2);
  mergeCells(state.apply(tr), (merging) => {
    merging.steps.forEach((step) => tr.step(step));
    tr.setSelection(CellSelection.create(tr.doc, /** @type {CellSelection} */ (merging.selection).$anchorCell.pos));
  });
  const at = tr.selection.$anchorCell.pos;
  tr.insert(at + 2, inlineOf(texts.join("\n")));
  tr.setSelection(CellSelection.create(tr.doc, at));
  dispatch(tr.scrollIntoView());
  return true;
}

function cellsIn(selection) {
  const cells = [];
  selection.forEachCell((node, pos) => cells.push({ node, pos }));
  return cells.sort((a, b) => a.pos - b.pos);
}

/** Moves the row or column of the caret by one; not past the ends, not through a merged cell. */
function move(axis, by) {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    const rect = selectedRect(state);
    const [from, end, count] = axis === "row" ? [rect.top, rect.bottom, rect.map.height] : [rect.left, rect.right, rect.map.width];
    const to = by < 0 ? from - 1 : end;
    if (to < 0 || to >= count || end - from !== 1 || isBound(rect, axis, Math.min(from, to))) return false;
    const act = axis === "row" ? moveTableRow : moveTableColumn;
    return act({ from, to, pos: rect.tableStart + 1, select: false })(state, dispatch && ((tr) => dispatch(caretAt(tr, rect, axis, to))));
  };
}

/** True when a cell reaches from row (column) `at`, or the next, over one of their edges. */
function isBound({ map }, axis, at) {
  const length = axis === "row" ? map.width : map.height;
  const slot = (line, along) => (axis === "row" ? map.map[line * map.width + along] : map.map[along * map.width + line]);
  const last = axis === "row" ? map.height : map.width;
  const edges = [at - 1, at, at + 1].filter((edge) => edge >= 0 && edge + 1 < last);
  return edges.some((edge) => Array.from({ length }, (_, along) => slot(edge, along) === slot(edge + 1, along)).some(Boolean));
}

function caretAt(tr, rect, axis, to) {
  const map = TableMap.get(tr.doc.firstChild);
  const [row, column] = axis === "row" ? [to, rect.left] : [rect.top, to];
  return tr.setSelection(Selection.near(tr.doc.resolve(rect.tableStart + map.positionAt(row, column, tr.doc.firstChild) + 1))).scrollIntoView();
}

/** One command a button: {name: [icon, command]}; the words are table_<name>. */
export const commands = {
  row_above: ["arrow-up", addRowBefore], row_below: ["arrow-down", addRowAfter], row_up: ["chevron-up", move("row", -1)], row_down: ["chevron-down", move("row", 1)],
  row_header: ["panel-top", toggleHeader("row")], row_delete: ["trash-2", deleteRow],
  column_before: ["arrow-left", addColumnBefore], column_after: ["arrow-right", addColumnAfter], column_left: ["chevron-left", move("column", -1)],
  column_right: ["chevron-right", move("column", 1)], column_header: ["columns-2", toggleHeader("column")], column_delete: ["trash-2", deleteColumn],
  header: ["panel-top", toggleHeaderCell], merge: ["table-cells-merge", merge], split: ["table-cells-split", splitCell],
};
export const menus = { row: Object.keys(commands).slice(0, 6), column: Object.keys(commands).slice(6, 12) };

/** A break where the caret is. */
export function breakLine(state, dispatch) {
  if (!(state.selection instanceof TextSelection)) return false;
  dispatch?.(state.tr.replaceSelectionWith(schema.nodes.break.create()).scrollIntoView());
  return true;
}

/** First the whole text of the cell, then all cells. */
export function selectMore(state, dispatch) {
  const { $from, $to } = state.selection;
  const isWhole = state.selection instanceof CellSelection || ($from.parentOffset === 0 && $to.parentOffset === $to.parent.content.size);
  const { map, tableStart } = selectedRect(state);
  const all = () => CellSelection.create(state.doc, tableStart + map.map[0], tableStart + map.map.at(-1));
  dispatch?.(state.tr.setSelection(isWhole ? all() : TextSelection.create(state.doc, $from.start(), $from.end())));
  return true;
}

/** The caret's cell: {row, column, height, width, cell}, counted from 1; null where there is none. */
export function placeOf(state) {
  if (!isInTable(state)) return null;
  const { top, left, bottom, right, map, table } = selectedRect(state);
  const count = state.selection instanceof CellSelection ? cellsIn(state.selection).length : 1;
  return { row: top + 1, column: left + 1, lastRow: bottom, lastColumn: right, height: map.height, width: map.width, count, cell: table.nodeAt(map.map[top * map.width + left]) };
}
