// What people paste as a table: HTML of a spreadsheet or a page, tab-separated text, a pipe table, a model's answer
// in a code fence. Each becomes rows, or null where it is no table.
import { canonicalText, cellOf } from "./grid.js";
import { readTable } from "./html.js";

const fenceLine = /^[ \t]*(`{3,}|~{3,})/;

/** The inside of the first code fence that wraps the whole text or holds a table; else the text as it is. */
export function withoutFence(text) {
  const lines = text.split(/\r\n?|\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const mark = fenceLine.exec(lines[at])?.[1];
    if (!mark) continue;
    const end = lines.findIndex((line, below) => below > at && line.trim() === mark);
    const inside = lines.slice(at + 1, end < 0 ? undefined : end).join("\n");
    const isWhole = [...lines.slice(0, at), ...(end < 0 ? [] : lines.slice(end + 1))].every((line) => !line.trim());
    if (isWhole || /<table\b/i.test(inside)) return inside;
    if (end < 0) return text;
    at = end;
  }
  return text;
}

/** Rows of pasted text, or null; `parse` makes a document of HTML. */
export function rowsOfText(text, parse) {
  const inside = withoutFence(text);
  if (/<t(able|r|d|h)\b/i.test(inside)) return rowsOfHtml(inside, parse);
  return rowsOfPipes(inside) ?? rowsOfTabs(inside);
}

/** Rows of pasted HTML, or null. A few bare rows count as a table. */
export function rowsOfHtml(html, parse) {
  const isBare = !/<table\b/i.test(html) && /<t[rdh]\b/i.test(html);
  return readTable(parse(isBare ? `<table>${html}</table>` : html))?.rows ?? null;
}

/** Tab-separated text as spreadsheets put it: a field in quotes may hold tabs, line ends and doubled quotes. */
export function rowsOfTabs(text) {
  if (!text.includes("\t")) return null;
  const rows = [[]];
  let value = "";
  const field = /\t|\r\n?|\n|"((?:[^"]|"")*)"(?=[\t\r\n]|$)|[^\t\r\n]+/g;
  for (const [piece, quoted] of text.matchAll(field)) {
    const isEnd = /^[\r\n]/.test(piece);
    if (piece !== "\t" && !isEnd) {
      value += quoted === undefined || value ? piece : quoted.replaceAll('""', '"');
      continue;
    }
    rows.at(-1).push(cellOfText(value));
    value = "";
    if (isEnd) rows.push([]);
  }
  if (value || rows.at(-1).length) rows.at(-1).push(cellOfText(value));
  return evened(rows.filter((row) => row.length));
}

const divider = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** A pipe table as Markdown writes it; its first row holds headers. */
export function rowsOfPipes(text) {
  const lines = text.trim().split(/\r\n?|\n/);
  if (lines.length < 2 || !divider.test(lines[1]) || !lines.every((line) => line.includes("|"))) return null;
  const rows = lines.filter((_, at) => at !== 1).map((line, at) => fieldsOf(line).map((words) => cellOfText(words, { isHeader: at === 0 })));
  return evened(rows);
}

function fieldsOf(line) {
  const inside = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inside.split(/(?<!\\)\|/).map((words) => words.replaceAll("\\|", "|").replace(/<br\s*\/?>/gi, "\n"));
}

const cellOfText = (text, more) => cellOf(canonicalText(text.replace(/\r\n?/g, "\n")), more);

function evened(rows) {
  const width = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => cellOf("", { isHeader: row[0]?.isHeader }))]);
}

/** Texts of cells as tab-separated text, for the clipboard. */
export function writeTabs(rows) {
  const field = (text) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(field).join("\t")).join("\n");
}
