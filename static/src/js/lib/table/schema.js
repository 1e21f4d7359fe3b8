// The editor's document: one table, its rows, its cells, in each cell one run of text with breaks.
// Plain rows (grid.js) go in and come out; what goes in comes out the same.
import { Schema } from "prosemirror-model";

import { canonicalText } from "./grid.js";

function cellSpec(tag, tableRole) {
  const number = (dom, name) => Math.max(1, Number.parseInt(dom.getAttribute(name) ?? "1", 10) || 1);
  return {
    content: "words", tableRole, isolating: true,
    attrs: { colspan: { default: 1, validate: "number" }, rowspan: { default: 1, validate: "number" }, colwidth: { default: null } },
    parseDOM: [{ tag, getAttrs: (dom) => ({ colspan: number(dom, "colspan"), rowspan: number(dom, "rowspan") }) }],
    /** @returns {any} a DOMOutputSpec */
    toDOM: ({ attrs }) => [tag, { ...(attrs.colspan > 1 && { colspan: attrs.colspan }), ...(attrs.rowspan > 1 && { rowspan: attrs.rowspan }) }, 0],
  };
}

export const schema = new Schema({
  nodes: {
    doc: { content: "table" },
    table: { content: "table_row+", tableRole: "table", isolating: true, parseDOM: [{ tag: "table" }], toDOM: () => ["table", ["tbody", 0]] },
    table_row: { content: "(table_cell | table_header)*", tableRole: "row", parseDOM: [{ tag: "tr" }], toDOM: () => ["tr", 0] },
    table_cell: cellSpec("td", "cell"),
    table_header: cellSpec("th", "header_cell"),
    words: { content: "(text | break)*", parseDOM: [{ tag: "p" }], toDOM: () => ["p", { dir: "auto" }, 0] },
    break: { inline: true, selectable: false, linebreakReplacement: true, parseDOM: [{ tag: "br" }], toDOM: () => ["br"] },
    text: {},
  },
});

const { doc, table, table_row: row, table_cell: plain, table_header: header, words, break: lineBreak } = schema.nodes;

/** Text with \n as the nodes of a cell. */
export function inlineOf(text) {
  return text.split("\n").flatMap((line, at) => [...(at ? [lineBreak.create()] : []), ...(line ? [schema.text(line)] : [])]);
}

export const textOf = (node) => node.textBetween(0, node.content.size, "\n", "\n");

const cellNode = ({ isHeader, rowspan, colspan, text }) => (isHeader ? header : plain).create({ rowspan, colspan }, words.create(null, inlineOf(text)));

export const rowNodes = (rows) => rows.map((cells) => row.create(null, cells.map(cellNode)));

/** The document of a table; `rows` must be without problems. */
export const docOf = (rows) => doc.create(null, table.create(null, rowNodes(rows)));

const cellOfNode = (cell) => ({ isHeader: cell.type === header, rowspan: cell.attrs.rowspan, colspan: cell.attrs.colspan, text: canonicalText(textOf(cell)) });

/** The rows of a document, each text in its canonical form. */
export function rowsOf(node) {
  return node.firstChild.children.map((line) => line.children.map(cellOfNode));
}
