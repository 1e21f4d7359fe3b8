import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { asTransform, intoImage, mapFrom, scaleOf, toImage, toScreen } from "./coordinates.js";
import { boxAround, distanceToLine, faultOf, isInside, nextFault, thinned } from "./geometry.js";
import { DrawingTool, EditingTool } from "./shape-tools.js";

const { image: [width, height], cases } = JSON.parse(readFileSync(new URL("../../../../tests/data/geometry_cases.json", import.meta.url), "utf8"));
const image = { width, height };

for (const { name, points, fault, between } of cases)
  test(`outline "${name}" is judged as the server judges it`, () => {
    const given = Number.isInteger(points) ? Array.from({ length: points }, (_, at) => [at % width, at % height]) : points;
    const reported = faultOf(given, width, height);
    assert.equal(reported?.kind ?? null, fault);
    if (between) assert.deepEqual([reported.at, reported.and], between);
  });

test("NaN is no number of pixels", () => assert.equal(faultOf([[NaN, 1], [5, 5], [1, 9]], width, height).kind, "numbers"));

test("an outline is refused at the point that would cross, not later", () => {
  assert.equal(nextFault([[10, 10], [60, 60], [60, 10]], [10, 60], width, height).kind, "crosses");
  assert.equal(nextFault([[10, 10], [60, 60], [60, 10]], [90, 40], width, height), null);
  assert.equal(nextFault([[10, 10], [60, 60]], [30, 30], width, height).kind, "crosses");
});

test("image and screen: every turn and zoom leads back to the same pixel", () => {
  for (const degrees of [0, 90, 180, 270, 33]) {
    for (const zoom of [0.2, 1, 7.5]) {
      const angle = (degrees * Math.PI) / 180;
      const at = (x, y) => ({ x: 40 + zoom * (x * Math.cos(angle) - y * Math.sin(angle)), y: -9 + zoom * (x * Math.sin(angle) + y * Math.cos(angle)) });
      const map = mapFrom(at(0, 0), at(width, 0), at(0, height), width, height);
      assert.ok(Math.abs(scaleOf(map) - zoom) < 1e-9);
      for (const point of [[0, 0], [13, 77], [width, height]]) assert.deepEqual(intoImage(toImage(map, toScreen(map, point)), width, height), point);
      assert.match(asTransform(map), /^matrix\(/);
    }
  }
});

test("a place a little outside means the edge, one far outside means nothing", () => {
  assert.deepEqual(intoImage([-3, 40], width, height, 5), [0, 40]);
  assert.equal(intoImage([-30, 40], width, height, 5), null);
});

test("measures of outlines", () => {
  assert.deepEqual(boxAround([[5, 9], [1, 20], [7, 2]]), [1, 2, 6, 18]);
  assert.equal(isInside([[0, 0], [10, 0], [10, 10], [0, 10]], [5, 5]), true);
  assert.equal(isInside([[0, 0], [10, 0], [10, 10], [0, 10]], [15, 5]), false);
  assert.equal(distanceToLine([[0, 0], [10, 0]], [5, 3]), 3);
  assert.deepEqual(thinned([[0, 0], [5, 0], [10, 1], [20, 0], [20, 20]], 2), [[0, 0], [20, 0], [20, 20]]);
});

test("drawing by keys alone: the cursor stops at the edge, points are placed and taken back", () => {
  const tool = new DrawingTool({ shape: "polygon", image, cursor: [50, 40] });
  assert.equal(tool.place(), null);
  tool.step(-500, 0);
  assert.deepEqual(tool.cursor, [0, 40]);
  assert.equal(tool.place(), null);
  assert.equal(tool.fault().kind, "few");
  tool.step(10, 30);
  assert.equal(tool.place(), null);
  assert.equal(tool.fault(), null);
  tool.takeBack();
  assert.equal(tool.points.length, 2);
});

test("a box needs an area", () => {
  const tool = new DrawingTool({ shape: "box", image, cursor: [5, 5] });
  tool.place();
  assert.equal(tool.place([5, 30]).kind, "flat");
  assert.equal(tool.place([25, 30]), null);
  assert.deepEqual(tool.result(), [[5, 5], [25, 30]]);
});

test("a point moved across a side stays where it was", () => {
  const tool = new EditingTool({ image, points: [[10, 10], [60, 10], [60, 60], [10, 60]] });
  assert.equal(tool.moveTo([90, 30]).kind, "crosses");
  assert.deepEqual(tool.cursor, [10, 10]);
  assert.equal(tool.place(), null);
  assert.deepEqual(tool.points[1], [35, 10]);
  assert.equal(tool.takeBack(), null);
  tool.takeBack();
  assert.equal(tool.takeBack().kind, "few");
});
