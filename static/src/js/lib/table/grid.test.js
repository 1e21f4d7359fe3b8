// The rules of a table's shape, and the way through HTML and the editor's document and back, with many random tables.
import assert from "node:assert/strict";
import test from "node:test";

import { parse } from "parse5";

import { canonicalText, cellOf, emptyRows, layOut, mended } from "./grid.js";
import { readTable, spread, writeTable } from "./html.js";
import { rowsOfPipes, rowsOfTabs, rowsOfText, withoutFence, writeTabs } from "./paste.js";
import { docOf, rowsOf } from "./schema.js";

/** A parsed document in the shape that readTable walks. */
function tree(html) {
  const wrap = (node) => ({
    nodeName: node.nodeName, nodeValue: node.value, childNodes: (node.childNodes ?? []).map(wrap),
    getAttribute: (name) => node.attrs?.find((one) => one.name === name)?.value ?? null,
  });
  return wrap(parse(html));
}
const read = (html) => readTable(tree(html));
const kinds = (rows) => layOut(rows).problems.map((one) => one.kind);

/** Numbers from a seed, so that a failure can be seen again. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = ["", "a", "$x^2 < y$", "1 & 2", "<b>", "é\nẹ", "温度 °C", "مرحبا abc", "x\n\ny", "\"q\"", "\u00a0", "⟦masked⟧", "a|b", "𝒙", "&amp;", "$\\frac{1}{2}$"];

function randomTable(pick) {
  const [height, width] = [1 + pick(6), 1 + pick(6)];
  const isTaken = Array.from({ length: height }, () => Array(width).fill(false));
  return isTaken.map((taken, row) => {
    const cells = [];
    for (let column = 0; column < width; column += 1) {
      if (taken[column]) continue;
      let free = 1;
      while (column + free < width && !taken[column + free]) free += 1;
      const colspan = pick(3) ? 1 : 1 + pick(free);
      const rowspan = pick(3) ? 1 : 1 + pick(height - row);
      for (let r = row; r < row + rowspan; r += 1) for (let c = column; c < column + colspan; c += 1) isTaken[r][c] = true;
      cells.push(cellOf(canonicalText(words[pick(words.length)]), { isHeader: pick(3) === 0, rowspan, colspan }));
    }
    return cells;
  });
}

test("a table comes back the same from HTML and from the editor, a thousand times", () => {
  for (let seed = 1; seed <= 1000; seed += 1) {
    const rows = randomTable(random(seed));
    assert.deepEqual(layOut(rows).problems, [], `seed ${seed}`);
    const html = writeTable(rows);
    const found = read(html);
    assert.deepEqual(found.lost, [], `seed ${seed}`);
    assert.deepEqual(found.rows, rows, `seed ${seed}`);
    assert.equal(writeTable(rowsOf(docOf(found.rows))), html, `seed ${seed}`);
    assert.deepEqual(read(spread(html)).rows, rows, `seed ${seed}`);
  }
});

test("a table whose rows and spans are broken at random is mended to one without problems, no word lost", () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const pick = random(seed * 7);
    const rows = randomTable(pick).map((cells) => cells.filter(() => pick(5)).map((cell) => ({ ...cell, rowspan: 1 + pick(4), colspan: 1 + pick(4) })));
    const whole = mended(rows);
    assert.deepEqual(layOut(whole).problems, [], `seed ${seed}`);
    const texts = (table) => table.flat().map((cell) => cell.text).filter(Boolean).sort();
    assert.deepEqual(texts(whole), texts(rows), `seed ${seed}`);
  }
});

test("a ragged row is named with both widths", () => {
  const rows = [[cellOf("a"), cellOf("b")], [cellOf("c")]];
  assert.deepEqual(layOut(rows).problems, [{ kind: "ragged", row: 2, found: 1, wanted: 2 }]);
});

test("an overlapping span, one that reaches beyond the table, and an empty table are distinguished", () => {
  assert.deepEqual(kinds([[cellOf("a"), cellOf("b", { rowspan: 2 })], [cellOf("c", { colspan: 2 })]]), ["overlap"]);
  assert.deepEqual(kinds([[cellOf("a", { rowspan: 2 })]]), ["beyond"]);
  assert.deepEqual(kinds([]), ["empty"]);
  assert.deepEqual(kinds([[]]), ["empty"]);
});

test("the canonical form has a head where whole rows are headers, and no blanks between tags", () => {
  assert.equal(writeTable(emptyRows(2, 1)), "<table><thead><tr><th></th></tr></thead><tbody><tr><td></td></tr></tbody></table>");
  const reaching = [[cellOf("a", { isHeader: true, rowspan: 2 }), cellOf("b", { isHeader: true })], [cellOf("c")]];
  assert.equal(writeTable(reaching), '<table><tr><th rowspan="2">a</th><th>b</th></tr><tr><td>c</td></tr></table>');
});

test("dirty HTML of a model or a spreadsheet gives its cells", () => {
  const dirty = `<html><style>td{}</style><table border=1><caption>x</caption><thead><tr><td>A<td><b>B</b> <script>alert(1)</script></thead>
    <tr><td onclick="x()" style="color:red"> 1&nbsp;000 <p>two</p><p>three</p></td><td colspan="2x">m<sup>2</sup><!-- no --></table>`;
  const { rows, lost } = read(dirty);
  assert.deepEqual(rows[0].map((cell) => [cell.text, cell.isHeader]), [["A", true], ["B", true]]);
  assert.deepEqual(rows[1].map((cell) => cell.text), ["1 000\ntwo\nthree", "m$^{2}$"]);
  assert.equal(rows[1][1].colspan, 2);
  assert.deepEqual(lost, ["script"]);
});

test("a nested table becomes lines of its cell and is named as lost", () => {
  const { rows, lost } = read("<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table></td></tr></table>");
  assert.deepEqual([rows[0][0].text, lost], ["a\nb c", ["table"]]);
});

test("text of a spreadsheet gives rows, with quotes, tabs and line ends inside a field", () => {
  const rows = rowsOfTabs('a\t"b\n""c"""\r\n1\t\r\n');
  assert.deepEqual(rows.map((row) => row.map((cell) => cell.text)), [["a", 'b\n"c"'], ["1", ""]]);
  assert.equal(writeTabs([["a", 'b\n"c"'], ["1", ""]]), 'a\t"b\n""c"""\n1\t');
  assert.equal(rowsOfTabs("two\nlines"), null);
});

test("a pipe table gives a header row; a text with pipes does not", () => {
  const rows = rowsOfPipes("| a | b\\|c |\n|:--|--:|\n| 1<br>2 |\n");
  assert.deepEqual(rows.map((row) => row.map((cell) => [cell.text, cell.isHeader])), [[["a", true], ["b|c", true]], [["1\n2", false], ["", false]]]);
  assert.equal(rowsOfPipes("a | b\nc | d"), null);
});

test("a model's answer is read through its code fence and the words around it", () => {
  assert.equal(withoutFence("```html\n<table></table>\n```"), "<table></table>");
  const chatty = "Here it is:\n```html\n<table><tr><td>a</td></tr></table>\n```\nAnything else?";
  assert.deepEqual(rowsOfText(chatty, tree), [[cellOf("a")]]);
  assert.deepEqual(rowsOfText("<tr><td>a</td></tr>", tree), [[cellOf("a")]]);
  assert.equal(rowsOfText("just words", tree), null);
});

test("long hostile input is answered in time", () => {
  const started = performance.now();
  for (const text of ["```".repeat(5000), "<table>".repeat(300), "|".repeat(20_000), '"\t'.repeat(20_000), "|-".repeat(10_000)]) rowsOfText(text, tree);
  assert.ok(performance.now() - started < 3000, `${performance.now() - started} ms`);
});
