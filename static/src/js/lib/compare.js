// Where recognisers disagree: their lines are laid beside those of the first, then read row by row.

import { pairLines } from "./diff.js";
import { linesOf } from "./segments.js";

/** What does not count as a disagreement: blank ends, and the form in which the same letter is coded. */
const plain = (line) => line.normalize("NFC").trim();

/** Rows of the texts side by side: [{lines: [{number, text} | null per text]}]; lines only others have stand where they fell. */
export function alignTexts(texts) {
  const all = texts.map(linesOf);
  const pivot = all[0];
  const rows = pivot.map((text, at) => ({ lines: [{ number: at + 1, text }] }));
  const extra = new Map();
  all.slice(1).forEach((lines, offset) => {
    const column = offset + 1;
    let last = -1;
    for (const [i, j] of pairLines(pivot, lines)) {
      if (i !== null) last = i;
      if (j === null) continue;
      const line = { number: j + 1, text: lines[j] };
      if (i !== null) rows[i].lines[column] = line;
      else placeExtra(extra, last, column, line);
    }
  });
  const width = texts.length;
  return rowsInOrder(rows, extra).map((row) => ({ lines: Array.from({ length: width }, (_, at) => row.lines[at] ?? null) }));
}

function placeExtra(extra, after, column, line) {
  const rows = extra.get(after) ?? [];
  const row = rows.find((one) => !one.lines[column] && one.lines.some((other) => other && plain(other.text) === plain(line.text)));
  if (row) row.lines[column] = line;
  else rows.push({ lines: Object.assign([], { [column]: line }) });
  extra.set(after, rows);
}

function rowsInOrder(rows, extra) {
  return [...(extra.get(-1) ?? []), ...rows.flatMap((row, at) => [row, ...(extra.get(at) ?? [])])];
}

/** The rows on which the texts are not all the same; blank lines are nobody's reading. */
export function disagreements(texts) {
  if (texts.length < 2) return [];
  return alignTexts(texts).filter(({ lines }) => {
    const readings = lines.map((line) => (line ? plain(line.text) : ""));
    return new Set(readings).size > 1;
  });
}
