// Polygons in whole pixels of the image: the same rules as evaluation/payloads/geometry.py, so that a shape the
// server would refuse is refused while it is drawn. tests/data/geometry_cases.json holds both to the same verdicts.

export const maxPoints = 1000;

/** Twice the signed area of the triangle a, b, c: its sign says on which side of a-b the point c lies. */
const turn = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);

const isBetween = ([ax, ay], [bx, by], [px, py]) =>
  Math.min(ax, bx) <= px && px <= Math.max(ax, bx) && Math.min(ay, by) <= py && py <= Math.max(ay, by);

/** Whether two segments have a point in common, ends included. */
function doMeet(a, b, c, d) {
  const [one, two, three, four] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (Math.sign(one) * Math.sign(two) < 0 && Math.sign(three) * Math.sign(four) < 0) return true;
  return (one === 0 && isBetween(a, b, c)) || (two === 0 && isBetween(a, b, d)) || (three === 0 && isBetween(c, d, a)) || (four === 0 && isBetween(c, d, b));
}

/** Whether the way a-b-c folds back onto itself at b. */
const doesFold = (a, b, c) => turn(a, b, c) === 0 && (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0;

const isSame = ([ax, ay], [bx, by]) => ax === bx && ay === by;

const areNumbers = (points) => Array.isArray(points) && points.every((point) => Array.isArray(point) && point.length === 2 && point.every(Number.isInteger));

const outsideAt = (points, width, height) => points.findIndex(([x, y]) => x < 0 || y < 0 || x > width || y > height);

/** What is wrong with a closed polygon on an image of this size: {kind, at?, and?} with points from 1; null for nothing.
    Kinds: numbers, many, few, outside, repeated, crosses. */
export function faultOf(points, width, height) {
  if (!areNumbers(points)) return { kind: "numbers" };
  const count = points.length;
  if (count > maxPoints) return { kind: "many", count };
  if (count < 3) return { kind: "few", count };
  const at = outsideAt(points, width, height);
  if (at >= 0) return { kind: "outside", at: at + 1 };
  const same = points.findIndex((point, index) => isSame(point, points.at(index - 1)));
  if (same >= 0) return { kind: "repeated", at: same || count, and: same + 1 };
  return crossingOf(points);
}

function crossingOf(points) {
  const count = points.length;
  const next = (at) => (at + 1) % count;
  for (let i = 0; i < count; i += 1) {
    if (doesFold(points[i], points[next(i)], points[next(next(i))])) return { kind: "crosses", at: i + 1, and: next(i) + 1 };
    for (let j = i + 2; j < count - (i === 0 ? 1 : 0); j += 1)
      if (doMeet(points[i], points[i + 1], points[j], points[next(j)])) return { kind: "crosses", at: i + 1, and: j + 1 };
  }
  return null;
}

/** What is wrong with putting `next` at the end of an open line that is to become a polygon. */
export function nextFault(points, next, width, height) {
  if (!areNumbers([next])) return { kind: "numbers" };
  const count = points.length + 1;
  if (count > maxPoints) return { kind: "many", count };
  if (outsideAt([next], width, height) >= 0) return { kind: "outside", at: count };
  if (!points.length) return null;
  const last = points.at(-1);
  if (isSame(last, next)) return { kind: "repeated", at: count - 1, and: count };
  if (points.length > 1 && doesFold(points.at(-2), last, next)) return { kind: "crosses", at: points.length - 1, and: points.length };
  const at = points.slice(0, -2).findIndex((point, index) => doMeet(point, points[index + 1], last, next));
  return at < 0 ? null : { kind: "crosses", at: at + 1, and: points.length };
}

export const wholeImage = (width, height) => [[0, 0], [width, 0], [width, height], [0, height]];

/** [x, y, width, height] around points. */
export function boxAround(points) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/**
 * The corners of a box from two opposite ones.
 * @param {number[][]} corners
 */
export const cornersOf = ([[ax, ay], [bx, by]]) => [[ax, ay], [bx, ay], [bx, by], [ax, by]];

/**
 * Whether a point lies in a polygon.
 * @param {number[][]} points @param {number[]} point
 */
export function isInside(points, [x, y]) {
  let isIn = false;
  points.forEach(([ax, ay], at) => {
    const [bx, by] = points[(at + 1) % points.length];
    if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) isIn = !isIn;
  });
  return isIn;
}

/** The shared area of two outlines divided by their joint area, 0..1, counted on a grid of 64 x 64 places over both. */
export function overlap(one, other) {
  const [left, top, width, height] = boxAround([...one, ...other]);
  let [both, either] = [0, 0];
  for (let row = 0; row < 64; row++) {
    for (let column = 0; column < 64; column++) {
      const place = [left + ((column + 0.5) * width) / 64, top + ((row + 0.5) * height) / 64];
      const [isInOne, isInOther] = [isInside(one, place), isInside(other, place)];
      if (isInOne && isInOther) both += 1;
      if (isInOne || isInOther) either += 1;
    }
  }
  return either ? both / either : 0;
}

/** The point a piece of the way from a to b that lies nearest to p, and how far off it is. */
function nearestOnEdge([ax, ay], [bx, by], [px, py]) {
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(ax + share * dx - px, ay + share * dy - py);
}

/** @param {number[]} start @param {number[]} end */
export const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

/** The index of the point nearest to `place`, no farther than `reach`; -1 for none. */
export function pointNear(points, place, reach) {
  const distances = points.map((point) => distance(point, place));
  const least = Math.min(...distances);
  return least <= reach ? distances.indexOf(least) : -1;
}

/** How far `place` lies from the line through `points`. */
export function distanceToLine(points, place) {
  if (points.length === 1) return distance(points[0], place);
  return Math.min(...points.slice(1).map((point, at) => nearestOnEdge(points[at], point, place)));
}

/** The same stroke with fewer points: what lies within `slack` of the line between its neighbours goes. */
export function thinned(points, slack) {
  if (points.length < 3) return points;
  const [first, last] = [points[0], points.at(-1)];
  let [farthest, at] = [0, 0];
  points.slice(1, -1).forEach((point, index) => {
    const off = nearestOnEdge(first, last, point);
    if (off > farthest) [farthest, at] = [off, index + 1];
  });
  if (farthest <= slack) return [first, last];
  return [...thinned(points.slice(0, at + 1), slack), ...thinned(points.slice(at), slack).slice(1)];
}
