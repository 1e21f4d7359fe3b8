// Shapes over the page image: shown in groups, picked, drawn and changed by pointer and by keys. The layer follows
// every zoom, turn and move, so a shape in the making survives them. Whoever owns shapes hands them in with `show`
// and asks for new ones with `draw`; nothing is stored here.
//
//   show(group, shapes)        shapes as lib/shape-marks.js says; an empty list clears the group
//   draw({shape, width?}, {done(points), cancelled()})   one of polygon, box, brush
//   edit(points, {changed(points), ended()})              keys move the points of a polygon
//   handles(points, {changed(points)})                    points that can be dragged while nothing is drawn
//   onPick(group, call)        a click on a shape of the group gives its id
import { announce, element, icon } from "./dom.js";
import { distance, distanceToLine, isInside, pointNear } from "./geometry.js";
import { ImageView } from "./image-view.js";
import { faultWords } from "./shape-messages.js";
import { ShapeMarks, outlineOf } from "./shape-marks.js";
import { DrawingTool, EditingTool } from "./shape-tools.js";
import { t } from "./strings.js";

const reach = 10; // screen pixels within which a point or an edge is meant

export class ShapeLayer {
  #groups = new Map();
  #picks = new Map();
  #tool = null;
  #calls = {};
  #grips = null;
  #drag = null;

  constructor(host, viewer) {
    this.host = host;
    this.viewer = viewer;
    this.view = new ImageView(viewer);
    this.marks = new ShapeMarks();
    this.note = element("div", { class: "viewer__note", hidden: true });
    viewer.canvas.append(this.marks.root);
    host.stage.append(this.note);
    for (const name of ["update-viewport", "open", "resize"]) viewer.addHandler(name, () => this.#place());
    viewer.addHandler("canvas-press", (event) => this.#press(event));
    viewer.addHandler("canvas-drag", (event) => this.#dragged(event));
    viewer.addHandler("canvas-drag-end", (event) => this.#dragEnd(event));
    viewer.addHandler("canvas-click", (event) => event.quick && this.#click(event));
    viewer.addHandler("canvas-double-click", (event) => this.#tool && (event.preventDefaultAction = true));
    // OpenSeadragon's own tracker takes no moves without a button; the pointer is followed for the rubber band.
    viewer.canvas.addEventListener("pointermove", (event) => this.#hover(event));
  }

  get isBusy() {
    return this.#tool !== null;
  }

  /** Width and height of the image in its own pixels. */
  get image() {
    return this.view.size;
  }

  show(group, shapes) {
    this.#groups.set(group, shapes);
    this.marks.draw([...this.#groups.values()].flat());
    this.#place();
  }

  onPick(group, call) {
    this.#picks.set(group, call);
  }

  handles(points, calls = {}) {
    this.#grips = points && { tool: points, calls };
    this.#place();
  }

  draw({ shape, width }, calls) {
    if (!this.image) return;
    this.stop();
    this.#begin(new DrawingTool({ shape, width, image: this.image, cursor: this.view.middle }), calls);
    this.#say(t(`draw_${shape}`));
  }

  edit(points, calls) {
    if (!this.image) return;
    this.stop();
    this.#begin(new EditingTool({ points, image: this.image }), calls);
    this.#say(t("edit_polygon"));
  }

  /** Gives up what is being drawn, or ends the changing of a shape; true when there was something to end. */
  stop() {
    if (!this.#tool) return false;
    const { cancelled, ended } = this.#calls;
    this.#end();
    (cancelled ?? ended)?.();
    return true;
  }

  focus() {
    this.viewer.canvas.focus();
  }

  placeOf(point) {
    return this.view.placeOf(point);
  }

  bring(points) {
    this.view.bring(points);
  }

  // -- keys ----------------------------------------------------------------------------------------------------

  /** One of the shape commands of the key map; false when it means nothing now. */
  run(command) {
    if (!this.#tool) return false;
    const [, way, far] = /^shape-(left|right|up|down)(-far)?$/.exec(command) ?? [];
    const acts = {
      "shape-place": () => this.#place1(), "shape-finish": () => this.#finish(), "shape-cancel": () => this.stop(),
      "shape-take-back": () => this.#takeBack(), "shape-next-point": () => this.#choose(1), "shape-previous-point": () => this.#choose(-1),
    };
    if (way) this.#step(way, far ? 10 : 1);
    else if (acts[command]) acts[command]();
    else return false;
    return true;
  }

  #step(way, by) {
    this.#try(this.#tool.step(...this.view.step(way, by)));
    this.view.follow(this.#tool.cursor);
  }

  #choose(by) {
    if (!(this.#tool instanceof EditingTool)) return;
    this.#tool.choose(by);
    this.view.follow(this.#tool.cursor);
    this.#place();
  }

  #place1() {
    const isBox = this.#tool.shape === "box";
    if (this.#try(this.#tool.place()) && isBox && this.#tool.isEnough) this.#finish();
  }

  #takeBack() {
    this.#try(this.#tool.takeBack());
  }

  #finish() {
    if (this.#tool instanceof EditingTool) return void this.stop();
    if (!this.#try(this.#tool.fault())) return;
    const points = this.#tool.result();
    const { done } = this.#calls;
    this.#end();
    done(points);
  }

  /** True when there was no fault; a fault is said, and what stands stays as it is. */
  #try(fault) {
    if (fault) this.#say(faultWords(fault), "bad");
    else {
      this.#say(t(this.#tool.shape ? `draw_${this.#tool.shape}` : "edit_polygon"));
      if (this.#tool instanceof EditingTool) this.#calls.changed(this.#tool.points);
    }
    this.#place();
    return !fault;
  }

  // -- pointer -------------------------------------------------------------------------------------------------

  #press({ position }) {
    this.#drag = null;
    if (!this.image) return;
    const point = this.view.pixelAt(position);
    if (this.#tool instanceof DrawingTool && this.#tool.shape !== "polygon") this.#drag = { kind: this.#tool.shape, from: point };
    else if (!(this.#tool instanceof DrawingTool)) this.#grip(position);
  }

  /** A point of the shape that can be changed, or a place on its edge, where a new one then stands. */
  #grip(position) {
    const tool = this.#tool ?? (this.#grips && new EditingTool({ points: this.#grips.tool, image: this.image }));
    if (!tool) return;
    const places = tool.points.map((point) => this.view.onScreen(point));
    const place = [position.x, position.y];
    const at = pointNear(places, place, reach);
    if (at >= 0) this.#drag = { kind: "point", tool, at };
    else {
      const edge = places.findIndex((one, index) => distanceToLine([one, places[(index + 1) % places.length]], place) <= reach / 2);
      if (edge >= 0) this.#drag = { kind: "edge", tool, at: edge + 1 };
    }
  }

  #dragged(event) {
    if (!this.#drag) return;
    event.preventDefaultAction = true;
    const point = this.view.pixelAt(event.position);
    const { kind, tool, at, from } = this.#drag;
    if (!point) return;
    if (kind === "brush") {
      if (from && !this.#tool.points.length) this.#tool.place(from);
      const last = this.#tool.points.at(-1);
      if (!last || distance(last, point) * this.view.scale >= 3) this.#tool.place(point);
    } else if (kind === "box") {
      if (!from || (!this.#tool.points.length && distance(from, point) * this.view.scale < reach)) return;
      if (!this.#tool.points.length) this.#tool.place(from);
      this.#tool.cursor = point;
    } else {
      this.#drag.shown = kind === "point" ? tool.points.with(at, point) : tool.points.toSpliced(at, 0, point);
    }
    this.#place();
  }

  #dragEnd(event) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    event.preventDefaultAction = true;
    // OpenSeadragon takes the focus back at the end of every press; what a finished shape opens must keep it.
    if (drag.kind === "brush") queueMicrotask(() => this.#tool && this.#finish());
    else if (drag.kind === "box" && this.#tool.points.length) queueMicrotask(() => this.#tool && this.#try(this.#tool.place()) && this.#finish());
    else if (drag.shown) this.#settle(drag);
  }

  #settle({ tool, at, shown }) {
    const fault = new EditingTool({ points: tool.points, image: this.image }).become(shown, at);
    if (fault) this.#say(faultWords(fault), "bad");
    else if (this.#tool) {
      this.#tool.become(shown, at);
      this.#calls.changed(shown);
    } else this.#grips?.calls.changed(shown);
    if (!fault && !this.#tool) this.#say("");
    this.#place();
  }

  #click({ position }) {
    if (!this.image) return;
    const point = this.view.pixelAt(position);
    if (!(this.#tool instanceof DrawingTool)) return void this.#pick(position);
    if (!point) return void this.#say(faultWords({ kind: "outside", at: this.#tool.points.length + 1 }), "bad");
    if (this.#tool.shape === "polygon" && this.#tool.isEnough) {
      const first = this.view.onScreen(this.#tool.points[0]);
      if (distance(first, [position.x, position.y]) <= reach) return void this.#finish();
    }
    this.#tool.cursor = point;
    this.#place1();
  }

  #pick(position) {
    const place = this.view.anyPixelAt(position);
    for (const [group, call] of this.#picks) {
      const shape = this.#groups.get(group)?.findLast((one) => isHit(one, place, reach / this.view.scale));
      if (shape) return void call(shape.id);
    }
  }

  #hover(event) {
    if (!(this.#tool instanceof DrawingTool) || this.#drag || event.buttons || event.pointerType === "touch") return;
    const box = this.viewer.canvas.getBoundingClientRect();
    const point = this.view.pixelAt({ x: event.clientX - box.left, y: event.clientY - box.top });
    if (!point) return;
    this.#tool.cursor = point;
    this.#place();
  }

  // -- showing -------------------------------------------------------------------------------------------------

  #begin(tool, calls) {
    this.#tool = tool;
    this.#calls = calls;
    this.viewer.canvas.toggleAttribute("data-drawing", true);
    this.#place();
    this.focus();
    announce(this.host, "drawing", { isOn: true });
  }

  #end() {
    this.#tool = null;
    this.#drag = null;
    this.viewer.canvas.toggleAttribute("data-drawing", false);
    this.#say("");
    this.#place();
    announce(this.host, "drawing", { isOn: false });
  }

  #say(words, tone = "") {
    const isDrawing = this.#tool instanceof DrawingTool;
    const act = (command, name, key) => element("button", { type: "button", class: "button button--small", onclick: () => { this.run(command); this.focus(); } }, icon(name), t(key));
    this.note.hidden = !words;
    this.note.dataset.tone = tone;
    this.note.replaceChildren(element("span", { role: tone === "bad" ? "alert" : "status" }, words), ...(this.#tool ? [element("span", { class: "button-row" },
      isDrawing && act("shape-take-back", "undo-2", "draw_back"), act("shape-finish", "check", "draw_finish"), isDrawing && act("shape-cancel", "x", "draw_cancel"))] : []));
    if (!this.#tool && words) setTimeout(() => this.note.textContent === words && (this.note.hidden = true), 6000);
  }

  #place() {
    if (!this.image) return;
    this.marks.place(this.view.map, this.#toolShown());
  }

  #toolShown() {
    if (this.#drag?.shown) return { shape: "polygon", points: this.#drag.shown, at: this.#drag.at, isClosed: true };
    if (this.#tool instanceof EditingTool) return { shape: "polygon", points: this.#tool.points, at: this.#tool.at, isClosed: true };
    if (this.#tool) return { ...this.#tool };
    return this.#grips && { shape: "polygon", points: this.#grips.tool, isClosed: true, isIdle: true };
  }
}

function isHit(shape, place, near) {
  if (shape.shape === "brush") return distanceToLine(shape.points, place) <= shape.width / 2 + near;
  return isInside(outlineOf(shape), place);
}
