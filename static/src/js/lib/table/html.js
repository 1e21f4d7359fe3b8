// HTML to rows and back, by the rules of evaluation/payloads/table.py. Reading takes whatever a browser's parser makes
// of dirty markup and keeps what a table of ours can hold; `lost` names the rest. Writing gives the canonical form.
//
// Reading walks a tree of {nodeName, childNodes, getAttribute, nodeValue}: the browser's, or a test's.
import { canonicalText } from "./grid.js";

const blocks = new Set(["p", "div", "li", "ul", "ol", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "tr", "table", "pre"]);
const looks = new Set(("a abbr b bdi bdo big center cite code del dfn em font i ins kbd label mark nobr q s samp small span strike strong "
  + "time tt u var wbr tbody thead tfoot td th").split(" "));
const silent = new Set(["script", "style", "template", "title", "head", "iframe", "object", "svg", "noscript"]);
const maths = { sup: "^", sub: "_" };
const edge = "\u001e";
const most = { rowspan: 500, colspan: 200 };

const nameOf = (node) => node.nodeName.toLowerCase();
const children = (node) => [...(node.childNodes ?? [])];

/** The first table below `root` that has cells: {rows, lost, count}, or null. `lost` names tags that said something a
    cell cannot hold, `count` the tables there are. */
export function readTable(root) {
  const tables = tablesBelow(root).filter((one) => rowElements(one).some(({ row }) => cellElements(row).length));
  if (!tables.length) return null;
  const lost = new Set();
  const rows = rowElements(tables[0]).map(({ row, isHead }) => cellElements(row).map((cell) => readCell(cell, isHead, lost)));
  return { rows: rows.filter((cells, at) => cells.length || isCovered(rows, at)), lost: [...lost], count: tables.length };
}

function tablesBelow(node) {
  return children(node).flatMap((child) => (nameOf(child) === "table" ? [child] : tablesBelow(child)));
}

function rowElements(table, isHead = false) {
  return children(table).flatMap((child) => {
    if (nameOf(child) === "tr") return [{ row: child, isHead }];
    return ["thead", "tbody", "tfoot"].includes(nameOf(child)) ? rowElements(child, nameOf(child) === "thead") : [];
  });
}

const cellElements = (row) => children(row).filter((cell) => ["td", "th"].includes(nameOf(cell)));

/** An empty row stays where cells from above reach into it: without it their spans would mean something else. */
function isCovered(rows, at) {
  return rows.slice(0, at).some((cells, above) => cells.some((cell) => above + cell.rowspan > at));
}

function readCell(node, isHead, lost) {
  const raw = textIn(node, lost).replace(new RegExp(`\\s*${edge}[\\s${edge}]*`, "g"), "\n");
  return { isHeader: isHead || nameOf(node) === "th", rowspan: span(node, "rowspan"), colspan: span(node, "colspan"), text: canonicalText(raw) };
}

function span(node, name) {
  const number = Number.parseInt(node.getAttribute(name) ?? "1", 10);
  return Number.isFinite(number) ? Math.min(Math.max(number, 1), most[name]) : 1;
}

function textIn(node, lost) {
  return children(node).map((child) => textOfChild(child, nameOf(child), lost)).join("");
}

function textOfChild(child, name, lost) {
  if (name === "#text") return child.nodeValue.replace(/[\n\r]/g, " ");
  if (name === "#comment") return "";
  if (name === "br") return "\n";
  if (name in maths) return `$${maths[name]}{${canonicalText(textIn(child, lost)).replaceAll("$", "")}}$`;
  if (name === "math" && child.getAttribute("alttext")) return `$${child.getAttribute("alttext")}$`;
  if (!looks.has(name) && !blocks.has(name)) lost.add(name);
  if (name === "table") lost.add(name);
  if (silent.has(name)) return "";
  const inside = textIn(child, lost);
  if (name === "td" || name === "th") return `${inside} `;
  return blocks.has(name) ? edge + inside + edge : inside;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The canonical HTML of a table: no blanks between tags, `thead` around the leading rows of header cells alone. */
export function writeTable(rows) {
  const head = headRows(rows);
  const lines = rows.map((cells) => `<tr>${cells.map(writeCell).join("")}</tr>`);
  if (!head) return `<table>${lines.join("")}</table>`;
  const body = head < rows.length ? `<tbody>${lines.slice(head).join("")}</tbody>` : "";
  return `<table><thead>${lines.slice(0, head).join("")}</thead>${body}</table>`;
}

/** How many leading rows hold header cells alone, none of which reaches down into the rows after them. */
function headRows(rows) {
  let count = 0;
  while (count < rows.length && rows[count].length && rows[count].every((cell) => cell.isHeader)) count += 1;
  while (count && rows.slice(0, count).some((cells, at) => cells.some((cell) => at + cell.rowspan > count))) count -= 1;
  return count;
}

function writeCell({ isHeader, rowspan, colspan, text }) {
  const tag = isHeader ? "th" : "td";
  const spans = (rowspan > 1 ? ` rowspan="${rowspan}"` : "") + (colspan > 1 ? ` colspan="${colspan}"` : "");
  return `<${tag}${spans}>${escaped(canonicalText(text)).replaceAll("\n", "<br>")}</${tag}>`;
}

/** The same table with a row a line, for people who read the source. */
export function spread(html) {
  return html.replace(/<(tr|thead|tbody)>/g, "\n<$1>").replace(/<\/(thead|tbody|table)>/g, "\n</$1>");
}
