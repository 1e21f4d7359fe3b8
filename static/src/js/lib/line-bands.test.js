import assert from "node:assert/strict";
import test from "node:test";

import { bandsOf, boxOfLine } from "./line-bands.js";

/** Paper with a shadow to one side and dashes of ink on the given rows. */
function page(lines, { width = 400, height = 700 } = {}) {
  const grey = Float32Array.from({ length: width * height }, (_, at) => 240 - 90 * ((at % width) / width) + ((at * 7919) % 7));
  for (const [top, bottom] of lines)
    for (let y = top; y < bottom; y += 1)
      for (let x = 40; x < 340; x += 1) if (x % 14 < 5) grey[y * width + x] *= 0.35;
  return bandsOf(grey, width, height);
}

test("lines of writing are found on shaded paper, each once and in its place", () => {
  const lines = [[60, 80], [120, 142], [180, 200], [300, 322]];
  const boxes = page(lines);
  assert.equal(boxes.length, 4);
  boxes.forEach(([x, y, w, h], at) => {
    assert.ok(y <= lines[at][0] && y + h >= lines[at][1], `line ${at}: ${y} ${h}`);
    assert.ok(h < 45 && x > 20 && x + w < 360);
  });
});

test("an empty page has no lines", () => assert.deepEqual(page([]), []));

test("a line of the text meets its box in order, blank lines set aside", () => {
  const boxes = [[0, 0, 9, 9], [0, 10, 9, 9], [0, 20, 9, 9]];
  assert.equal(boxOfLine(boxes, "a\n\nb\nc", 3), boxes[1]);
  assert.equal(boxOfLine(boxes, "a\n\nb\nc", 2), null);
  assert.equal(boxOfLine(boxes, "a", 1), boxes[0]);
  assert.equal(boxOfLine(boxes, "a\nb\nc\nd", 4), boxes[2]);
  assert.equal(boxOfLine(boxes, "1\n2\n3\n4\n5\n6", 4), null);
  assert.equal(boxOfLine([], "a", 1), null);
});
