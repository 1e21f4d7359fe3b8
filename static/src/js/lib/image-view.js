// How the image lies in the viewer now: pixels of the image to places on the screen and back, whatever the zoom,
// the turn and the move, and the view brought to where something is.
import OpenSeadragon from "openseadragon";

import { intoImage, mapFrom, scaleOf, toImage, toScreen } from "./coordinates.js";
import { boxAround } from "./geometry.js";

const slack = 14; // a press this close outside the image means its edge
const margin = 20; // screen pixels from the edge of the view, within which a cursor is brought back

export class ImageView {
  constructor(viewer) {
    this.viewer = viewer;
  }

  get #item() {
    return this.viewer.world?.getItemAt(0) ?? null;
  }

  /** Width and height of the image in its own pixels; nothing while there is none. */
  get size() {
    const size = this.#item?.getContentSize();
    return size && { width: size.x, height: size.y };
  }

  get map() {
    const { width, height } = this.size;
    const at = (x, y) => this.#item.imageToViewerElementCoordinates(new OpenSeadragon.Point(x, y));
    return mapFrom(at(0, 0), at(width, 0), at(0, height), width, height);
  }

  /** Pixels of the screen that one of the image takes. */
  get scale() {
    return scaleOf(this.map);
  }

  onScreen(point) {
    return toScreen(this.map, point);
  }

  /** The pixel of the image at a place of the viewer, moved to the edge from just outside; null from further off. */
  pixelAt({ x, y }) {
    const { width, height } = this.size;
    return intoImage(toImage(this.map, [x, y]), width, height, slack / this.scale);
  }

  /** The same as it comes, outside the image too. */
  anyPixelAt({ x, y }) {
    return toImage(this.map, [x, y]);
  }

  /** The pixel in the middle of what is seen. */
  get middle() {
    const { x, y } = this.viewer.viewport.getContainerSize();
    const { width, height } = this.size;
    return intoImage(toImage(this.map, [x / 2, y / 2]), width, height);
  }

  /** Where a pixel of the image is in the window now. */
  placeOf(point) {
    const { left, top } = this.viewer.canvas.getBoundingClientRect();
    const [x, y] = this.onScreen(point);
    return [left + x, top + y];
  }

  /** Steps in pixels of the image for a way on the screen: left is left, however the image is turned. */
  step(way, by) {
    const [x, y] = { left: [-by, 0], right: [by, 0], up: [0, -by], down: [0, by] }[way];
    const angle = (-this.viewer.viewport.getRotation() * Math.PI) / 180;
    return [Math.round(x * Math.cos(angle) - y * Math.sin(angle)), Math.round(x * Math.sin(angle) + y * Math.cos(angle))];
  }

  /** Moves the view so that points are in it. */
  bring(points) {
    if (!this.size) return;
    const { map } = this;
    const { x, y } = this.viewer.viewport.getContainerSize();
    const isSeen = points.map((point) => toScreen(map, point)).every(([left, top]) => left >= 0 && top >= 0 && left <= x && top <= y);
    if (isSeen) return;
    const [left, top, width, height] = boxAround(points);
    const wide = [left - width * 0.25, top - height * 0.5, width * 1.5, height * 2];
    this.viewer.viewport.fitBoundsWithConstraints(this.#item.imageToViewportRectangle(...wide), true);
  }

  /** Moves the view so that a point is not at its edge, without a change of zoom. */
  follow(point) {
    const [x, y] = this.onScreen(point);
    const size = this.viewer.viewport.getContainerSize();
    if (x > margin && y > margin && x < size.x - margin && y < size.y - margin) return;
    this.viewer.viewport.panTo(this.#item.imageToViewportCoordinates(...point), true).applyConstraints(true);
  }
}
