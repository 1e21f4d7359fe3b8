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

test("a page on a dark workbench: its edges are no lines, and boxes end with the ink", () => {
  const [width, height] = [400, 700];
  const lines = [[150, 172], [230, 252], [310, 332]];
  const grey = Float32Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isPaper = x > 40 + y * 0.01 && x < 360 && y > 60 - x * 0.02 && y < 640;
    const isInk = isPaper && x > 90 && x < 300 && x % 14 < 5 && lines.some(([top, bottom]) => y >= top && y < bottom);
    return isInk ? 60 : isPaper ? 225 : 55;
  });
  const boxes = bandsOf(grey, width, height);
  assert.equal(boxes.length, 3);
  for (const [x, , w] of boxes) assert.ok(x > 60 && x + w < 340, `${x} ${w}`);
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
