// <ink-viewer src image-hash label follow="editor-id"? highlight="x y w h"? zoom-to="x y w h"?>
//   <noscript><img src alt></noscript>
//   <script type="application/json" data-lines>[[x, y, w, h], …]</script>?
// </ink-viewer>
//
// The page image with deep zoom. What a person does to it (zoom, turn, contrast, invert) is a view, kept per image
// in this tab and never stored in the image. Boxes are in pixels of the image. Single keys work only while the
// image has the focus, which shows; from the editor its keys need a modifier (lib/keymap.js).
//
// `shapes` is the layer of outlines over the image (lib/shape-layer.js): shown, picked, drawn and changed there.
// fires ink:drawn {hash} when the image is on the screen, ink:image-failed {status} when it is not to be had.
import OpenSeadragon from "openseadragon";

import { announce, element, icon } from "../lib/dom.js";
import { boxOfLine, lineBands } from "../lib/line-bands.js";
import { Loupe } from "../lib/loupe.js";
import { ShapeLayer } from "../lib/shape-layer.js";
import { t } from "../lib/strings.js";
import { barOwnStyle, keepView, recalledView } from "../lib/viewer-memory.js";

const plainView = { contrast: 100, isInverted: false, rotation: 0 };

class InkViewer extends HTMLElement {
  static observedAttributes = ["src", "highlight", "zoom-to"];
  #stop = new AbortController();
  #viewer = null;
  #mark = null; // the box over the highlighted line
  #url = null;
  #view = { ...plainView };
  #boxes = null;
  #editorLine = null;

  connectedCallback() {
    if (this.#viewer) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#build();
    document.addEventListener("ink:command", (event) => this.#command(event), { signal });
    document.addEventListener("ink:line", (event) => this.#follow(event), { signal });
    this.#load();
  }

  disconnectedCallback() {
    this.#stop.abort();
    this.#loupe.close();
    this.#viewer?.destroy();
    this.#viewer = null;
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = null;
    this.stage?.remove();
    this.strip?.remove();
  }

  attributeChangedCallback(name, before, after) {
    if (!this.#viewer || before === after) return;
    if (name === "src") this.#load();
    else if (name === "highlight") this.#drawHighlight();
    else this.#zoomToBox();
  }

  /** The part of the image on the screen: [left, top, width, height] in its pixels; null before it is drawn. */
  get visibleBox() {
    const item = this.#viewer?.world.getItemAt(0);
    if (!item) return null;
    const shown = item.viewportToImageRectangle(this.#viewer.viewport.getBounds(true)).getBoundingBox();
    const size = item.getContentSize();
    const within = (value, most) => Math.min(Math.max(Math.round(value), 0), most);
    const [left, top] = [within(shown.x, size.x - 1), within(shown.y, size.y - 1)];
    const [right, bottom] = [within(shown.x + shown.width, size.x), within(shown.y + shown.height, size.y)];
    return [left, top, Math.max(1, right - left), Math.max(1, bottom - top)];
  }

  get isDrawn() {
    return this.hasAttribute("data-drawn");
  }

  // -- building ------------------------------------------------------------------------------------------------

  #loupe = new Loupe();

  #build() {
    this.classList.add("viewer");
    this.stage = element("div", { class: "viewer__stage" });
    this.message = element("div", { class: "viewer__message", role: "status" });
    this.strip = this.#toolStrip();
    this.append(this.strip, this.stage);
    this.stage.append(this.message);
    barOwnStyle();
    this.#viewer = OpenSeadragon({
      element: this.stage, drawer: "canvas", showNavigationControl: false, keyboardNavEnabled: false,
      animationTime: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 0.25, immediateRender: true,
      visibilityRatio: 0.4, minZoomImageRatio: 0.6, maxZoomPixelRatio: 8, zoomPerScroll: 1.25, gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
    });
    const canvas = this.#viewer.canvas;
    canvas.setAttribute("role", "group");
    canvas.setAttribute("aria-label", t("viewer_label", { name: this.getAttribute("label") ?? "" }));
    canvas.toggleAttribute("data-pane-focus", true);
    this.#viewer.addHandler("open", () => this.#opened());
    this.#loupe.attach(this.#viewer);
    this.shapes = new ShapeLayer(this, this.#viewer);
  }

  #toolStrip() {
    const tool = (command, name, key) => element("button", { type: "button", class: "button button--quiet button--small", title: t(key), onclick: () => this.run(command) },
      icon(name), element("span", { class: "viewer__word" }, t(key)));
    this.contrast = element("input", { type: "range", min: 50, max: 300, step: 25, value: 100, oninput: () => this.#change({ contrast: Number(this.contrast.value) }) });
    this.invert = tool("image-invert", "contrast", "tool_invert");
    this.loupeButton = tool("image-loupe", "search", "tool_loupe");
    return element("div", { class: "toolbar viewer__tools", role: "toolbar", "aria-label": t("viewer_tools") },
      tool("image-fit", "maximize", "tool_fit"), tool("image-zoom-in", "zoom-in", "tool_zoom_in"), tool("image-zoom-out", "zoom-out", "tool_zoom_out"),
      element("span", { class: "toolbar__gap" }),
      tool("image-turn-left", "rotate-ccw", "tool_turn_left"), tool("image-turn-right", "rotate-cw", "tool_turn_right"),
      element("span", { class: "toolbar__gap" }),
      element("label", { class: "viewer__contrast small" }, element("span", {}, t("tool_contrast")), this.contrast),
      this.invert, this.loupeButton);
  }

  // -- the image ---------------------------------------------------------------------------------------------

  async #load() {
    const src = this.getAttribute("src");
    if (!src) return;
    this.removeAttribute("data-drawn");
    this.#boxes = null;
    this.#say(t("image_loading"));
    // Fetched once and shown from memory: the address is not stored in any cache, and a refusal can be distinguished.
    const answer = await fetch(src, { credentials: "same-origin", signal: this.#stop.signal }).catch(() => null);
    if (src !== this.getAttribute("src") || !this.#viewer) return;
    if (!answer?.ok) {
      this.#failed(answer?.status ?? 0);
      return;
    }
    const bytes = await answer.blob();
    if (src !== this.getAttribute("src") || !this.#viewer) return;
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = URL.createObjectURL(bytes);
    this.#viewer.addOnceHandler("open-failed", () => this.#failed(answer.status));
    this.#viewer.open(new OpenSeadragon.ImageTileSource({ url: this.#url }));
  }

  #opened() {
    const item = this.#viewer.world.getItemAt(0);
    this.#view = { ...plainView, ...recalledView(this.#viewKey) };
    this.#applyView();
    this.#zoomToBox();
    this.#drawHighlight();
    const done = () => {
      if (this.isDrawn) return;
      this.#say("");
      // Two frames: the first paints the tile, the second proves it was shown.
      requestAnimationFrame(() => requestAnimationFrame(() => {
        if (this.isDrawn || !this.#viewer) return;
        this.toggleAttribute("data-drawn", true);
        announce(this, "drawn", { hash: this.getAttribute("image-hash") });
        if (this.#editorLine) this.#light(this.#editorLine);
      }));
    };
    if (item.getFullyLoaded()) done();
    else item.addOnceHandler("fully-loaded-change", done);
  }

  #failed(status) {
    this.#say(t(status === 0 ? "image_offline" : "image_failed"), element("button", { type: "button", class: "button button--small", onclick: () => this.#load() }, icon("refresh-cw"), t("try_again")));
    announce(this, "image-failed", { status });
  }

  #say(words, ...more) {
    this.message.hidden = !words;
    this.message.replaceChildren(words, ...more);
  }

  // -- the view ------------------------------------------------------------------------------------------------

  /** Runs one of the image commands of the key map; false for any other. */
  run(command) {
    const viewport = this.#viewer.viewport;
    const steps = {
      "image-fit": () => viewport.goHome(),
      "image-zoom-in": () => viewport.zoomBy(1.3).applyConstraints(),
      "image-zoom-out": () => viewport.zoomBy(1 / 1.3).applyConstraints(),
      "image-turn-left": () => this.#change({ rotation: (this.#view.rotation + 270) % 360 }),
      "image-turn-right": () => this.#change({ rotation: (this.#view.rotation + 90) % 360 }),
      "image-invert": () => this.#change({ isInverted: !this.#view.isInverted }),
      "image-loupe": () => this.loupeButton.setAttribute("aria-pressed", this.#loupe.toggle()),
      "image-left": () => this.#pan(-0.15, 0), "image-right": () => this.#pan(0.15, 0),
      "image-up": () => this.#pan(0, -0.15), "image-down": () => this.#pan(0, 0.15),
    };
    steps[command]?.();
    return command in steps;
  }

  /** Goes to a box "x y w h" and lights it. */
  showBox(box) {
    this.setAttribute("zoom-to", box);
    this.setAttribute("highlight", box);
  }

  /** Goes to line `number` of `count` (from 1), found on the image itself. */
  showLine(number, count) {
    if (!this.isDrawn) return;
    this.#boxes ??= this.#lineBoxes();
    const box = boxOfLine(this.#boxes, Array(count).fill("x").join("\n"), number);
    if (box) this.showBox(box.join(" "));
  }

  #pan(x, y) {
    const { width, height } = this.#viewer.viewport.getBounds();
    this.#viewer.viewport.panBy(new OpenSeadragon.Point(x * width, y * height).rotate(-this.#view.rotation)).applyConstraints();
  }

  #change(part) {
    this.#view = { ...this.#view, ...part };
    keepView(this.#viewKey, this.#view);
    this.#applyView();
  }

  get #viewKey() {
    return `inkbench:view:${this.getAttribute("image-hash") ?? this.getAttribute("src")}`;
  }

  #applyView() {
    const { contrast, isInverted, rotation } = this.#view;
    const filter = [contrast !== 100 && `contrast(${contrast}%)`, isInverted && "invert(1)"].filter(Boolean).join(" ");
    this.#viewer.drawer.canvas.style.filter = filter;
    this.#loupe.filter = filter;
    this.#viewer.viewport.setRotation(rotation);
    this.contrast.value = contrast;
    this.invert.setAttribute("aria-pressed", isInverted);
  }

  #zoomToBox() {
    const box = this.#box(this.getAttribute("zoom-to"));
    if (!box) return;
    // The line with its neighbours: two more above and below, and never less than most of the page's width, nor more than its height.
    const page = this.#viewer.world.getItemAt(0).getBounds();
    const [width, height] = [Math.max(box.width * 1.1, 0.7 * page.width), Math.min(5 * box.height, page.height)];
    const { x, y } = box.getCenter();
    const wide = new OpenSeadragon.Rect(x - width / 2, y - height / 2, width, height);
    this.#viewer.viewport.fitBoundsWithConstraints(wide, true);
  }

  // -- the line being written ----------------------------------------------------------------------------------

  #follow(event) {
    if (event.target.id !== this.getAttribute("follow")) return;
    this.#editorLine = { ...event.detail, text: event.target.text };
    if (this.isDrawn) this.#light(this.#editorLine);
  }

  #light({ line, text }) {
    this.#boxes ??= this.#lineBoxes();
    const box = boxOfLine(this.#boxes, text, line);
    if (box) this.setAttribute("highlight", box.join(" "));
    else this.removeAttribute("highlight");
  }

  #lineBoxes() {
    const given = this.querySelector("script[data-lines]");
    if (given) return JSON.parse(given.textContent);
    return lineBands(this.#viewer.world.getItemAt(0).source.image);
  }

  #box(attribute) {
    const numbers = (attribute ?? "").split(/[ ,]+/).map(Number);
    const item = this.#viewer?.world.getItemAt(0);
    if (!item || numbers.length !== 4 || !numbers.every(Number.isFinite)) return null;
    return item.imageToViewportRectangle(...numbers);
  }

  #drawHighlight() {
    this.#mark ??= element("div", { class: "viewer__line", "aria-hidden": "true" });
    const box = this.#box(this.getAttribute("highlight"));
    this.#viewer.removeOverlay(this.#mark);
    if (!box) return;
    this.#viewer.addOverlay({ element: this.#mark, location: box, rotationMode: OpenSeadragon.OverlayRotationMode.EXACT });
    const seen = this.#viewer.viewport.getBoundsNoRotate();
    if (!seen.containsPoint(box.getCenter()) && !this.hasAttribute("zoom-to")) this.#viewer.viewport.panTo(box.getCenter()).applyConstraints();
  }

  #command(event) {
    const { command } = event.detail;
    if (event.defaultPrevented || !/^(image|shape)-/.test(command)) return;
    const isHere = this.contains(event.target) || !event.target.closest?.("ink-viewer");
    if (isHere && (this.shapes.run(command) || this.run(command))) event.preventDefault();
  }
}

customElements.define("ink-viewer", InkViewer);
