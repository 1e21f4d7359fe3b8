import assert from "node:assert/strict";
import test from "node:test";

import { alignTexts, disagreements } from "./compare.js";
import { diffItems, diffLine, diffText, likeness, pairLines } from "./diff.js";
import { graphemesOf, tokensOf } from "./segments.js";

const side = (runs, kind) => runs.filter((run) => run.kind !== kind).map((run) => run.text).join("");

test("diff gives both texts back, for many random pairs", () => {
  let seed = 7;
  const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 400; round += 1) {
    const make = () => Array.from({ length: next(14) }, () => "ab 猫é"[next(5)]).join("");
    const [before, after] = [make(), make()];
    const runs = diffLine(before, after);
    assert.equal(side(runs, "ins"), before);
    assert.equal(side(runs, "del"), after);
    if (before === after) assert.ok(runs.every((run) => run.kind === "same"));
  }
});

test("diff of a misread letter marks the letter, not the word", () => {
  assert.deepEqual(diffLine("the quick brown", "the quiek brown"), [
    { kind: "same", text: "the qui" }, { kind: "del", text: "c" }, { kind: "ins", text: "e" }, { kind: "same", text: "k brown" },
  ]);
});

test("diff of unlike words marks the words", () => {
  assert.deepEqual(diffLine("a cat sat", "a dog sat"), [
    { kind: "same", text: "a " }, { kind: "del", text: "cat" }, { kind: "ins", text: "dog" }, { kind: "same", text: " sat" },
  ]);
});

test("diff of Han text marks single characters", () => {
  assert.deepEqual(diffLine("床前明月光", "床前看月光"), [
    { kind: "same", text: "床前" }, { kind: "del", text: "明" }, { kind: "ins", text: "看" }, { kind: "same", text: "月光" },
  ]);
});

test("a letter with its accent is one character, a family is one character", () => {
  assert.deepEqual(graphemesOf("e\u0301👩‍👧"), ["e\u0301", "👩‍👧"]);
  assert.deepEqual(tokensOf("don't 我们"), ["don", "'", "t", " ", "我", "们"]);
});

test("runs of a replaced stretch are one deletion and one insertion", () => {
  const runs = diffItems([..."abcd"], [..."xbyd"]);
  assert.deepEqual(runs.map((run) => run.kind + run.items.join("")), ["dela", "insx", "sameb", "delc", "insy", "samed"]);
});

test("lines pair by likeness when one is missing", () => {
  assert.deepEqual(pairLines(["Dear Anna,", "thank you", "Yours"], ["Dear Anna", "Yours"]), [[0, 0], [1, null], [2, 1]]);
  assert.equal(likeness("same", "same"), 1);
  assert.equal(likeness("abc", "xyz"), 0);
});

test("texts are compared line by line, with numbers from both sides", () => {
  const rows = diffText("one\ntwo two\nthree", "one\nthree");
  assert.deepEqual(rows.map((row) => [row.before, row.after, row.isSame]), [[1, 1, true], [2, null, false], [3, 2, true]]);
});

test("a line end of Windows is no difference", () => assert.ok(diffText("a\r\nb", "a\nb").every((row) => row.isSame)));

test("a very long replaced stretch answers quickly", () => {
  const started = performance.now();
  diffItems(Array.from("x".repeat(30_000)), Array.from("y".repeat(30_000)));
  assert.ok(performance.now() - started < 1000);
});

test("recognisers disagree where their lines differ, not where only blanks or coding do", () => {
  const rows = disagreements(["Dear Anna,\nthank you\nYours é", "Dear Anne,\nthank you \nYours e\u0301", "Dear Anna,\nthank you\nYours é"]);
  assert.deepEqual(rows.map((row) => row.lines.map((line) => line.text)), [["Dear Anna,", "Dear Anne,", "Dear Anna,"]]);
});

test("a line only one recogniser saw is a disagreement where it fell", () => {
  const rows = alignTexts(["first line\nlast line", "first line\na new one between\nlast line"]);
  assert.deepEqual(rows.map((row) => row.lines.map((line) => line?.text ?? null)), [
    ["first line", "first line"], [null, "a new one between"], ["last line", "last line"],
  ]);
  assert.equal(disagreements(["first line\nlast line", "first line\na new one between\nlast line"]).length, 1);
});

test("one recogniser alone has nobody to disagree with", () => assert.deepEqual(disagreements(["text"]), []));
