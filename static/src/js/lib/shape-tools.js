// Drawing and changing a shape, without a screen: what each press means. Points are whole pixels of the image.
// A refusal comes back as a fault ({kind, …} of lib/geometry.js) and changes nothing.
import { faultOf, nextFault, thinned } from "./geometry.js";

const fewest = { polygon: 3, box: 2, brush: 1 };

/** A shape on its way: points are placed one by one, by pointer or by keys. */
export class DrawingTool {
  constructor({ shape, image, cursor, width = null }) {
    this.shape = shape;
    this.image = image;
    this.cursor = cursor;
    this.width = width;
    this.points = [];
  }

  get isEnough() {
    return this.points.length >= fewest[this.shape];
  }

  /** Moves the cursor, never out of the image. */
  step(x, y) {
    const { width, height } = this.image;
    this.cursor = [Math.min(width, Math.max(0, this.cursor[0] + x)), Math.min(height, Math.max(0, this.cursor[1] + y))];
    return null;
  }

  place(point = this.cursor) {
    this.cursor = point;
    const fault = this.#faultOfNext(point);
    if (!fault) this.points.push(point);
    return fault;
  }

  #faultOfNext(point) {
    const { width, height } = this.image;
    if (this.shape === "polygon") return nextFault(this.points, point, width, height);
    const fault = nextFault([], point, width, height);
    if (fault || this.shape === "brush" || !this.points.length) return fault;
    const [x, y] = this.points[0];
    return x === point[0] || y === point[1] ? { kind: "flat" } : null;
  }

  takeBack() {
    this.points.pop();
  }

  /** What still forbids to be done; null when the shape is whole. */
  fault() {
    if (!this.isEnough) return { kind: this.shape === "polygon" ? "few" : "unfinished", count: this.points.length };
    return this.shape === "polygon" ? faultOf(this.points, this.image.width, this.image.height) : null;
  }

  /** The finished points; a stroke loses those that a straight line says as well. */
  result() {
    return this.shape === "brush" ? thinned(this.points, Math.max(1, this.width / 12)) : this.points;
  }
}

/** A polygon being changed: one of its points is chosen. */
export class EditingTool {
  constructor({ points, image, at = 0 }) {
    this.image = image;
    this.at = at;
    this.points = points.map((point) => [...point]);
  }

  get cursor() {
    return this.points[this.at];
  }

  choose(by) {
    this.at = (this.at + by + this.points.length) % this.points.length;
  }

  step(x, y) {
    return this.moveTo([this.cursor[0] + x, this.cursor[1] + y]);
  }

  /** Puts the chosen point elsewhere, unless the polygon would be none any more. */
  moveTo(point) {
    return this.become(this.points.with(this.at, point), this.at);
  }

  /** A new point half-way to the next one, chosen from then on. */
  place() {
    const [x, y] = this.cursor;
    const [nextX, nextY] = this.points[(this.at + 1) % this.points.length];
    const middle = [Math.round((x + nextX) / 2), Math.round((y + nextY) / 2)];
    return this.become(this.points.toSpliced(this.at + 1, 0, middle), this.at + 1);
  }

  takeBack() {
    const left = this.points.toSpliced(this.at, 1);
    return this.become(left, this.at % left.length);
  }

  /** Takes these points instead, or says what is wrong with them and stays. */
  become(points, at) {
    const fault = faultOf(points, this.image.width, this.image.height);
    if (fault) return fault;
    this.points = points;
    this.at = at;
    return null;
  }
}
