import assert from "node:assert/strict";
import test from "node:test";

import { makeMarkdown } from "./markdown.js";

const render = (text) => makeMarkdown().render(text);

test("math is found in each of its four forms", () => {
  for (const text of ["so $x^2$ is", "so \\(x^2\\) is", "so $$x^2$$ is", "so \\[x^2\\] is"])
    assert.match(render(text), /so <span class="math" data-tex="x\^2"><\/span> is/, text);
  assert.match(render("$$\na\n= b\n$$"), /<div class="math-block"><span class="math" data-tex="a\n= b" data-block>/);
  assert.match(render("\\[ a \\]"), /math-block.*data-tex="a"/);
  assert.match(render("text\n$$a$$\nmore"), /<p>text<\/p>\s*<div class="math-block">/);
});

test("prices and escaped dollars stay text", () => {
  for (const text of ["from $5 to $6", "costs 3$ or 4$5", "\\$x\\$", "$ x $", "$x"]) assert.doesNotMatch(render(text), /data-tex/, text);
});

test("an escaped dollar inside math does not end it", () => assert.match(render("$a \\$ b$"), /data-tex="a \\\$ b"/));

test("raw HTML stays text, also inside math and on broken input", () => {
  for (const text of ["<script>alert(1)</script>", "<img src=a onerror=alert(1)>", "$<img src=a onerror=alert(1)>%$", "$$<b>\n"]) {
    const html = render(text);
    assert.doesNotMatch(html, /<(script|img|b)\b/i, html);
  }
});

test("links lead to the web or to mail only", () => {
  for (const url of ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "JaVaScRiPt:alert(1)", "file:///etc/passwd", "//evil.example"])
    assert.doesNotMatch(render(`[x](${url})`), /<a /, url);
  assert.match(render("[x](https://example.org)"), /<a href="https:\/\/example\.org" rel="noopener noreferrer nofollow" target="_blank">/);
});

test("images are named, never loaded", () => {
  const html = render("![a cat](https://evil.example/track.png)");
  assert.doesNotMatch(html, /<img|evil/);
  assert.match(html, /\[a cat\]/);
});

test("tables align by class, never by a style attribute", () => {
  const html = render("| a | b |\n|:-:|--:|\n| 1 | 2 |");
  assert.match(html, /class="align-center"/);
  assert.match(html, /class="align-right"/);
  assert.doesNotMatch(html, /style=/);
});

test("line breaks of the page stay line breaks", () => assert.match(render("one\ntwo"), /one<br>\s*two/));

test("long hostile input is answered in time", () => {
  const started = performance.now();
  for (const text of ["$".repeat(20_000), "\\(".repeat(20_000), "[".repeat(20_000), "$$\n".repeat(5_000), "$a".repeat(20_000)]) render(text);
  assert.ok(performance.now() - started < 2000, `${performance.now() - started} ms`);
});
