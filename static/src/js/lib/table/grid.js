// A table as plain data, and the rules of its shape: those of evaluation/payloads/grid.py. No DOM and no editor here.
//
// rows: [[{isHeader, rowspan, colspan, text}]] as HTML writes them: a cell that reaches down is not written again below.
// text has one \n for each line break.

export const cellOf = (text = "", more = {}) => ({ isHeader: false, rowspan: 1, colspan: 1, text, ...more });

/** An empty table of so many rows and columns; the first row holds headers. */
export function emptyRows(height, width) {
  return Array.from({ length: height }, (_, row) => Array.from({ length: width }, () => cellOf("", { isHeader: row === 0 })));
}

// White space as the server counts it: a byte order mark is none.
const blank = /[^\S\ufeff]/.source;
const runs = new RegExp(`(?:${blank}|[\\x1c-\\x1f\\x85])+`, "g");

/** NFC, one blank for each run of white space, none at the ends of lines, no empty line at either end. */
export function canonicalText(text) {
  const lines = text.normalize("NFC").split("\n").map((line) => line.replace(runs, " ").replace(/^ | $/g, ""));
  return lines.join("\n").replace(/^\n+|\n+$/g, "");
}

/** Where each cell comes to lie, as browsers place them, and what is wrong with that.
 *
 * {height, width, slots: [[{cell, row, column} | null]], problems: [{kind, row, ...}]}. Rows and columns count from 1
 * in problems and from 0 in slots. Kinds: empty; ragged {found, wanted}; overlap {cell, column}; beyond {cell}.
 */
export function layOut(rows) {
  const slots = rows.map(() => []);
  const problems = [];
  rows.forEach((cells, row) => {
    let column = 0;
    cells.forEach((cell, at) => {
      while (slots[row][column]) column += 1;
      if (row + cell.rowspan > rows.length) problems.push({ kind: "beyond", row: row + 1, cell: at + 1, span: cell.rowspan });
      const taken = place(slots, { cell, row, column });
      if (taken) problems.push({ kind: "overlap", row: row + 1, cell: at + 1, at: `${taken.row + 1}/${taken.column + 1}` });
      column += cell.colspan;
    });
  });
  const widths = slots.map((row) => row.filter(Boolean).length);
  const width = Math.max(0, ...slots.map((row) => row.length));
  for (const row of slots) for (let column = 0; column < width; column += 1) row[column] ??= null;
  if (!rows.some((cells) => cells.length)) problems.push({ kind: "empty" });
  else widths.forEach((found, at) => (found !== widths[0] || slots[at].slice(0, found).includes(null)) && problems.push({ kind: "ragged", row: at + 1, found, wanted: widths[0] }));
  return { height: rows.length, width, slots, problems: problems.sort((a, b) => (a.row ?? 0) - (b.row ?? 0)) };
}

/** Lays one cell into the slots; answers with the first slot that was taken, or null. */
function place(slots, item) {
  let taken = null;
  for (let row = item.row; row < Math.min(item.row + item.cell.rowspan, slots.length); row += 1)
    for (let column = item.column; column < item.column + item.cell.colspan; column += 1)
      if (slots[row][column]) taken ??= { row, column };
      else slots[row][column] = item;
  return taken;
}

/** The same cells as a table without problems: short rows filled up, spans cut where they overlap or run out. */
export function mended(rows) {
  const { slots, width } = layOut(rows.some((cells) => cells.length) ? rows : [[cellOf()]]);
  return slots.map((slotsOfRow, row) => {
    const cells = [];
    for (let column = 0; column < width; column += 1) {
      const item = slotsOfRow[column];
      if (!item) cells.push(cellOf());
      else if (item.row === row && item.column === column) cells.push({ ...item.cell, ...extent(slots, item) });
    }
    return cells;
  });
}

/** How far a cell really reaches: a rectangle of slots that are its own; the others it had become free. */
function extent(slots, item) {
  const isOwn = (row, column) => slots[row]?.[column] === item;
  let colspan = 1;
  while (colspan < item.cell.colspan && isOwn(item.row, item.column + colspan)) colspan += 1;
  const isWhole = (row) => Array.from({ length: colspan }, (_, at) => isOwn(row, item.column + at)).every(Boolean);
  let rowspan = 1;
  while (rowspan < item.cell.rowspan && isWhole(item.row + rowspan)) rowspan += 1;
  slots.forEach((slotsOfRow, row) => slotsOfRow.forEach((slot, column) => {
    const isInside = row < item.row + rowspan && column < item.column + colspan;
    if (slot === item && !isInside) slotsOfRow[column] = null;
  }));
  return { rowspan, colspan };
}

/** The cells of a table in reading order with their places, from 0: [{cell, row, column}]. */
export function cellsOf(rows) {
  return layOut(rows).slots.flatMap((items, row) => items.filter((item, column) => item && item.row === row && item.column === column));
}
