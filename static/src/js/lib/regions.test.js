import assert from "node:assert/strict";
import test from "node:test";

import { MaskList, readMasks, writeMasks } from "./masks.js";
import { changesOf } from "./region-changes.js";
import { RegionList, readRegions, writeRegions } from "./regions.js";

const outline = [[0, 0], [9, 0], [9, 9]];
const other = [[0, 0], [5, 0], [5, 5]];
const three = () => new RegionList([["a", "x"], ["b", "y"], ["c", "z"]].map(([id, latex]) => ({ id, polygon: outline, latex })));
const ids = (list) => list.regions.map(({ id }) => id).join("");

test("a written page is read back; what is no page of formulas is not taken for an empty one", () => {
  const text = '{"regions":[{"id":"a","polygon":[[0,0],[9,0],[9,9]],"latex":"x"}]}';
  assert.equal(writeRegions(readRegions(text)), text);
  assert.deepEqual(readRegions("  "), []);
  assert.equal(writeRegions([]), "");
  for (const broken of ["text", "[]", '{"regions":5}', '{"regions":[{"latex":"x"}]}', "null"]) assert.equal(readRegions(broken), null, broken);
});

test("a deleted formula comes back in its place, with the LaTeX written since elsewhere kept", () => {
  const list = three();
  list.remove("b");
  list.setLatex("a", "typed since");
  assert.equal(list.undo(), "remove");
  assert.equal(ids(list), "abc");
  assert.equal(list.activeId, "b");
  assert.equal(list.regions[0].latex, "typed since");
});

test("order and outlines are taken back step by step, a movement as one", () => {
  const list = three();
  assert.equal(list.move("a", -1), false);
  assert.equal(list.move("c", -1), true);
  list.setPolygon("a", other);
  list.setPolygon("a", [[0, 0], [6, 0], [6, 6]]);
  list.endMovement();
  list.setPolygon("a", other);
  list.undo();
  assert.deepEqual(list.regions[0].polygon, [[0, 0], [6, 0], [6, 6]]);
  list.undo();
  assert.deepEqual(list.regions[0].polygon, outline);
  list.undo();
  assert.equal(ids(list), "abc");
  assert.equal(list.undo(), null);
});

test("new formulas get a name of their own and are the active one", () => {
  const list = new RegionList([{ id: "r2", polygon: outline, latex: "" }]);
  assert.equal(list.add(other).id, "r3");
  assert.equal(list.active.id, "r3");
  list.undo();
  assert.equal(list.activeId, "r2");
  list.step(1);
  assert.equal(list.activeId, "r2");
});

test("changes of a review are distinguished: outline, LaTeX, order, come and gone", () => {
  const before = three().regions;
  const after = [{ id: "c", polygon: outline, latex: "z" }, { id: "a", polygon: other, latex: "x2" }, { id: "n", polygon: [[900, 900], [990, 900], [990, 990]], latex: "new" }];
  assert.deepEqual(changesOf(before, after).map(({ kind, number }) => `${kind} ${number}`), ["removed 2", "moved 2", "outline 2", "latex 2", "added 3"]);
  assert.deepEqual(changesOf(before, before), []);
});

test("masks are read, written and taken back", () => {
  const list = new MaskList(readMasks('[{"id":"m1","shape":"box","points":[[1,1],[5,5]],"reason":"blot"}]'));
  const brush = list.add({ shape: "brush", points: [[3, 3]], width: 9 });
  assert.equal(brush.id, "m2");
  list.setReason("m2", "torn");
  list.remove("m1");
  assert.equal(writeMasks(list.masks), '[{"id":"m2","shape":"brush","points":[[3,3]],"width":9,"reason":"torn"}]');
  list.undo();
  assert.equal(list.masks[0].reason, "blot");
  list.undo();
  assert.equal(list.masks.length, 1);
  assert.equal(readMasks("{}"), null);
});

test("changes: a region drawn anew at its place is the same one, another place is another region", () => {
  const square = (x) => [[x, 0], [x + 10, 0], [x + 10, 10], [x, 10]];
  const before = [{ id: "a", polygon: square(0), latex: "x" }, { id: "b", polygon: square(50), latex: "y" }];
  const anew = [{ id: "n1", polygon: square(1), latex: "x" }, { id: "n2", polygon: square(90), latex: "y" }];
  assert.deepEqual(changesOf(before, anew).map(({ kind, number }) => `${kind} ${number}`), ["outline 1", "removed 2", "added 2"]);
  const swapped = [{ id: "n2", polygon: square(50), latex: "y" }, { id: "n1", polygon: square(0), latex: "x" }];
  assert.deepEqual(changesOf(before, swapped).map(({ kind }) => kind), ["moved"]);
});
