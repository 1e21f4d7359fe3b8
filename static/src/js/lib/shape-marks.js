// Shapes of the image as SVG: what is drawn, with no idea of who may change it.
import { asTransform, scaleOf, toScreen } from "./coordinates.js";
import { cornersOf } from "./geometry.js";

const space = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const pointsAttribute = (points) => points.map((point) => point.join(",")).join(" ");

/** The corners or the stroke of a shape, as a line to follow. */
export const outlineOf = ({ shape, points }) => (shape === "box" && points.length === 2 ? cornersOf(points) : points);

/** One shape in pixels of the image: a light edge under a dark one, so that it shows on any paper. */
function shapeNode({ shape, points, look, width, isActive }) {
  const group = svg("g", { class: `shape shape--${look}`, "data-active": isActive ? "" : null });
  if (shape === "brush") {
    const dot = points.length === 1 ? [points[0], points[0]] : points;
    group.append(svg("polyline", { class: "shape__stroke", points: pointsAttribute(dot), "stroke-width": width }));
    return group;
  }
  const points_ = pointsAttribute(outlineOf({ shape, points }));
  group.append(svg("polygon", { class: "shape__fill", points: points_ }), svg("polygon", { class: "shape__halo", points: points_ }), svg("polygon", { class: "shape__edge", points: points_ }));
  return group;
}

/** Where a shape's number stands: at its point that is highest on the screen, the leftmost of those; the second of
 * two versions at the rightmost, so that both can be read where their corners meet. */
function labelPlace(shape, map) {
  const places = outlineOf(shape).map((point) => toScreen(map, point));
  const side = shape.look === "second" ? -1 : 1;
  return places.reduce((best, place) => (place[1] < best[1] - 1 || (Math.abs(place[1] - best[1]) <= 1 && place[0] * side < best[0] * side) ? place : best));
}

export class ShapeMarks {
  constructor() {
    this.hatch = svg("pattern", { id: "ink-hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse" },
      svg("rect", { class: "hatch__ground", width: 8, height: 8 }), svg("path", { class: "hatch__line", d: "M-2 2 2-2M0 8 8 0M6 10 10 6" }));
    this.inImage = svg("g");
    this.onScreen = svg("g");
    this.root = svg("svg", { class: "viewer__shapes", "aria-hidden": "true" }, svg("defs", {}, this.hatch), this.inImage, this.onScreen);
  }

  /** Shapes [{id, shape, points, look, label?, width?, isActive?}], the active one on top. */
  draw(shapes) {
    this.shapes = [...shapes].sort((one, other) => Number(Boolean(one.isActive)) - Number(Boolean(other.isActive)));
    this.inImage.replaceChildren(...this.shapes.map(shapeNode));
  }

  /** Puts everything where the image is now. `tool` is the shape in the making: {points, cursor, shape, at?, isClosed}. */
  place(map, tool) {
    this.inImage.setAttribute("transform", asTransform(map));
    this.hatch.setAttribute("patternTransform", `scale(${1 / scaleOf(map)})`);
    const labels = (this.shapes ?? []).filter(({ label, points }) => label && points.length).map((shape) => labelNode(shape, labelPlace(shape, map)));
    this.onScreen.replaceChildren(...labels, ...(tool ? toolNodes(tool, map) : []));
  }
}

function labelNode({ label, look, isActive }, [x, y]) {
  const wide = 10 + 8 * String(label).length;
  return svg("g", { class: `shape__label shape__label--${look}`, "data-active": isActive ? "" : null, transform: `translate(${x} ${y - 14})` },
    svg("rect", { x: -wide / 2, y: -11, width: wide, height: 22, rx: 11 }), svg("text", { "text-anchor": "middle", y: 4.5 }, String(label)));
}

function toolNodes({ shape, points, cursor, at, isClosed, isIdle, width }, map) {
  const places = outlineOf({ shape, points }).map((point) => toScreen(map, point));
  const nodes = [];
  const line = isClosed || !cursor ? places : [...places, toScreen(map, cursor)];
  if (shape === "box" && points.length === 1 && cursor) line.splice(0, line.length, ...cornersOf([points[0], cursor]).map((point) => toScreen(map, point)));
  const tag = isClosed || (shape === "box" && line.length === 4) ? "polygon" : "polyline";
  if (shape === "brush" && line.length) nodes.push(svg("polyline", { class: "tool__brush", points: pointsAttribute(line.length === 1 ? [line[0], line[0]] : line), "stroke-width": width * scaleOf(map) }));
  nodes.push(svg(tag, { class: "tool__halo", points: pointsAttribute(line) }), svg(tag, { class: "tool__line", points: pointsAttribute(line) }));
  if (shape !== "brush") nodes.push(...places.map(([x, y], index) => svg("circle", { class: "tool__point", "data-chosen": index === at ? "" : null, cx: x, cy: y, r: index === at ? 7 : 5 })));
  if (cursor && !isClosed) nodes.push(crosshair(toScreen(map, cursor)));
  return [svg("g", { class: isIdle ? "tool is-idle" : "tool" }, ...nodes)];
}

/** @param {number[]} point */
function crosshair([x, y]) {
  const d = `M${x - 12} ${y}H${x - 3}M${x + 3} ${y}H${x + 12}M${x} ${y - 12}V${y - 3}M${x} ${y + 3}V${y + 12}`;
  return svg("g", {}, svg("path", { class: "tool__halo", d }), svg("path", { class: "tool__line", d }));
}
