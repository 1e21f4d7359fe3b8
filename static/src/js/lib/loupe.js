// A round glass that follows the pointer over the page image and shows it two and a half times as large.
import { element } from "./dom.js";

const size = 220;
const power = 2.5;

export class Loupe {
  filter = "";
  #viewer = null;
  #glass = null;

  attach(viewer) {
    this.#viewer = viewer;
    viewer.element.addEventListener("pointermove", (event) => this.#move(event));
    viewer.element.addEventListener("pointerleave", () => this.#glass && (this.#glass.hidden = true));
  }

  /** Opens or closes the glass and tells whether it is open now. */
  toggle() {
    if (this.#glass) this.close();
    else {
      this.#glass = element("canvas", { class: "viewer__loupe", width: size, height: size, hidden: true, "aria-hidden": "true" });
      this.#viewer.element.append(this.#glass);
    }
    return Boolean(this.#glass);
  }

  close() {
    this.#glass?.remove();
    this.#glass = null;
  }

  #move({ clientX, clientY }) {
    const item = this.#viewer.world.getItemAt(0);
    if (!this.#glass || !item) return;
    const frame = this.#viewer.element.getBoundingClientRect();
    const [x, y] = [clientX - frame.left, clientY - frame.top];
    const { viewport } = this.#viewer;
    const centre = item.viewerElementToImageCoordinates({ x, y, __proto__: viewport.getCenter().__proto__ });
    const scale = power * item.viewportToImageZoom(viewport.getZoom(true));
    Object.assign(this.#glass.style, { left: `${x - size / 2}px`, top: `${y - size / 2}px`, filter: this.filter });
    this.#glass.hidden = false;
    const ink = this.#glass.getContext("2d");
    ink.resetTransform();
    ink.clearRect(0, 0, size, size);
    ink.translate(size / 2, size / 2);
    ink.rotate((viewport.getRotation(true) * Math.PI) / 180);
    ink.scale(scale, scale);
    ink.drawImage(item.source.image, -centre.x, -centre.y);
  }
}
